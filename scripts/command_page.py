#!/usr/bin/env python3
"""Writes docs/reference/commands.md from the help of the program, so that the page always matches the table of verbs.

    scripts/command_page.py [BINARY]     (build/release/parley)
"""
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reference/commands.md"
HEAD = """# Commands

`scripts/command_page.py` writes this page from the table of verbs ([verb_table.cpp](../../client/commands/verb_table.cpp)), as
`parley help COMMAND` and the man pages do. [The command line](../guide/command-line.md) explains how to use them;
[server options](command-line.md) has `parley serve` and its tools.
"""
VARIABLES = """## Environment variables

| variable | meaning |
|---|---|
| `PARLEY_URL`, `PARLEY_KEY` | the server and its key |
| `PARLEY_AGENT_KEY` | the key of the agent that `parley agent check --http` or `--openai` calls |
| `NO_COLOR`, `CLICOLOR_FORCE` | no color, or color without a terminal |
| `COLUMNS` | width of the output without a terminal |
| `CI` | set: a line for each case instead of the live screen |
| `PAGER` | the command through which `parley show` writes to a terminal; unset: no pager |
| `BROWSER` | the program with which `parley view` opens the page |
"""


def page(program):
    def shown(*words):
        return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout

    verbs = re.findall(r"^  ([a-z-]+) {2,}(.*)$", shown("help").partition("\nCommands of the server")[0], re.M)
    out = HEAD
    for name, summary in verbs:
        own, _, rest = shown("help", name).partition("Options of every command:\n")
        usage, *details = own.partition("\n\n")[2].strip().partition("\nOptions:\n")[0].strip().split("\n\n")
        options = own.partition("\nOptions:\n")[2].rstrip()
        out += f"\n## {name}\n\n{summary[0].upper()}{summary[1:]}.\n\n```text\n{usage}\n```\n"
        out += "".join("\n" + textwrap.fill(each, 130) + "\n" for each in details)
        out += f"\n```text\n{options}\n```\n" if options else ""
    everywhere, _, codes = rest.partition("\n\nExit codes:\n")
    out += f"\n## Options of every command\n\n```text\n{everywhere.rstrip()}\n```\n"
    out += f"\n## Exit codes\n\n```text\n{codes.rstrip()}\n```\n\n{VARIABLES}"
    return out


if __name__ == "__main__":
    binary = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/parley").resolve()
    PAGE.write_text(page(str(binary)), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
