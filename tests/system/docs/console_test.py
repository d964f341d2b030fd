#!/usr/bin/env python3
"""The command-line examples in README.md and docs/ match the program's output.

The commands (`$ `) of the `console` blocks of each page run in order in a fresh folder. The lines below a command must be among
the lines that it prints, in any order; `...` means any other output. Ids, times and sizes may differ. A block that shows a file
(`# NAME` or `# NAME, appended` in its first line) is written to the folder before the next command."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import server as servers

ROOT = servers.ROOT
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
FILE_LINE = re.compile(r"^# ([\w./-]+\.(?:yaml|py|txt|csv|json))(, appended)?\n")
VARIES = [
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}(-[0-9a-f]{4})*(-[0-9a-f]{12})?\b"), "ID"),
    (re.compile(r"  p95 \d+(\.\d+)? (ms|s)\b"), ""),    # shown only if it fits
    (re.compile(r"\b\d+(\.\d+)? (ms|s|min|MiB|KiB)\b"), "TIME"),
    (re.compile(r"http://127\.0\.0\.1:\d+\S*"), "URL"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "INSTANT"),
    (re.compile(r"\s+"), " "),
]


def settled(line):
    """The line with placeholders for everything that differs between runs."""
    for pattern, word in VARIES:
        line = pattern.sub(word, line)
    return line.strip()


def commands_of(block):
    """Pairs (command, lines that are shown below it)."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:].split("  #")[0], []))
        elif found:
            found[-1][1].append(line)
    return found


class Project:
    """A fresh folder, in which the commands of one page run in order."""

    def __init__(self, folder):
        self.home = folder
        self.folder = folder
        (folder / "bin").mkdir()
        (folder / "bin/parley").symlink_to(servers.binary())

    def run(self, command):
        if command.startswith("cd "):
            self.folder = self.folder / command[3:]
            return ""
        environment = {"PATH": f"{self.home}/bin:{os.environ['PATH']}", "HOME": str(self.home), "LANG": "C.UTF-8", "COLUMNS": "100"}
        # Into a pipe, the program prints one line per case; the pages show the output on a terminal.
        if command.startswith("parley run") and "--reporter" not in command and not self.suite_has("reporters:"):
            command += " --reporter pretty"
        ended = subprocess.run(["bash", "-c", command], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                               capture_output=True, text=True, timeout=120, check=False)
        return ended.stdout + ended.stderr

    def suite_has(self, word):
        file = self.folder / "parley.yaml"
        return file.exists() and word in file.read_text(encoding="utf-8")

    def write(self, text):
        name, appended = FILE_LINE.match(text).groups()
        with open(self.folder / name, "a" if appended else "w", encoding="utf-8") as file:
            file.write(text.split("\n", 1)[1])


class Consoles(unittest.TestCase):
    def run_page(self, page):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="parley-console-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        project = Project(folder)
        commands = 0
        for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
            if FILE_LINE.match(text) and (project.folder / "parley.yaml").exists():
                project.write(text)
            if language != "console" or not re.search(r"^\$ parley ", text, re.M):
                continue
            for command, shown in commands_of(text):
                printed = project.run(command)
                lines = {settled(line) for line in printed.splitlines()}
                missing = [line for line in shown if line != "..." and settled(line) not in lines]
                self.assertEqual(missing, [], f"{page.name}: {command}\n{printed}")
                if shown and "..." not in shown:
                    more = lines - {settled(line) for line in shown} - {""}
                    self.assertEqual(more, set(), f"{page.name}: {command}\n{printed}")
                commands += 1
        return commands

    def test_what_the_pages_show_is_what_the_program_prints(self):
        commands = 0
        for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
            with self.subTest(page=page.name):
                commands += self.run_page(page)
        self.assertGreater(commands, 12)

    def test_the_page_of_commands_shows_what_the_program_has(self):
        """New options may be missing until scripts/command_page.py runs again; every option on the page must exist."""
        page = (ROOT / "docs/reference/commands.md").read_text()
        sections = re.findall(r"^## ([a-z-]+)\n(.*?)(?=^## |\Z)", page, re.M | re.S)
        self.assertGreater(len(sections), 20)
        for verb, text in sections:
            helped = subprocess.run([servers.binary(), "help", verb], capture_output=True, text=True, check=True).stdout
            for option in re.findall(r"^ .*?(--[a-z-]+)", text, re.M):
                with self.subTest(verb=verb, option=option):
                    self.assertIn(option, helped)

    def test_a_line_that_is_not_printed_is_noticed(self):
        with tempfile.TemporaryDirectory(prefix="parley-console-") as name:
            page = pathlib.Path(name, "page.md")
            page.write_text("```console\n$ parley version\nparley 99\n```\n")
            with self.assertRaises(AssertionError):
                self.run_page(page)


if __name__ == "__main__":
    unittest.main(verbosity=1)
