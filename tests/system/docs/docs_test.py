#!/usr/bin/env python3
"""The examples in README.md and docs/**/*.md work: the `sh` blocks of a file run in order in one shell against a fresh server
(a refused request ends the shell), every `json` block is JSON, every `python` block compiles, every link has a
target. Blocks that must not run here are `console` blocks."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import server as servers

ROOT = servers.ROOT
FILES = [ROOT / "README.md", *(file for file in sorted((ROOT / "docs").rglob("*.md")) if not file.is_symlink())]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)(#[^)]*)?\)")
LANGUAGES = {"", "cpp", "sh", "json", "console", "text", "yaml", "http", "python"}
USUAL_BASE = "http://127.0.0.1:7410"

# An error answer makes curl fail, which ends the shell; the answer is shown.
CURL = """#!/bin/sh
exec {curl} --fail-with-body --max-time 30 "$@"
"""


# An example must show something: jq without output also ends the shell.
JQ = """#!/bin/sh
shown=$({jq} "$@") || exit
[ -n "$shown" ] || {{ echo "this shows nothing: jq $*" >&2; exit 9; }}
printf '%s\\n' "$shown"
"""


def blocks(file, language):
    return [text for name, text in FENCE.findall(file.read_text(encoding="utf-8")) if name == language]


def markdown_files():
    """Yields every Markdown file of the repository, without build and installation folders."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in {".git", "build", "node_modules", "parley-data"})
        yield from (pathlib.Path(folder) / name for name in sorted(names) if name.endswith(".md"))


def without_blocks(file):
    return FENCE.sub("", file.read_text(encoding="utf-8"))


def anchors(file):
    """The link anchors of the headings; a repeated heading gets a number."""
    found = []
    for title in re.findall(r"^#+ (.*)$", without_blocks(file), re.M):
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found.append(f"{anchor}-{found.count(anchor)}" if anchor in found else anchor)
    return found


class Documents(unittest.TestCase):
    def run_blocks(self, file):
        server = servers.Server()
        server.start()
        try:
            with tempfile.TemporaryDirectory(prefix="parley-docs-") as name:
                return self.run_in(pathlib.Path(name), server, blocks(file, "sh"))
        finally:
            server.remove()

    def run_in(self, folder, server, texts):
        for name in ("docs", "contrib"):
            (folder / name).symlink_to(ROOT / name)
        (folder / "parley-data").mkdir()
        (folder / "parley-data/admin.key").write_text(server.key + "\n")
        (folder / "bin").mkdir()
        for name, wrapper in (("curl", CURL), ("jq", JQ)):
            (folder / "bin" / name).write_text(wrapper.format(**{name: shutil.which(name)}))
            (folder / "bin" / name).chmod(0o755)
        base = f"http://{server.address[0]}:{server.address[1]}"
        # Background processes of a block end with the shell.
        script = "set -euo pipefail\nshopt -s expand_aliases inherit_errexit\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n"
        for number, text in enumerate(texts, 1):
            script += f"echo '== block {number}' >&2\n{text.replace(USUAL_BASE, base)}\n"
        return subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=120, check=False,
                              env={"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"})

    def test_what_is_shown_can_be_run(self):
        ran = 0
        for file in FILES:
            if not blocks(file, "sh"):
                continue
            with self.subTest(file=file.name):
                ended = self.run_blocks(file)
                self.assertEqual(ended.returncode, 0, f"{ended.stdout[-3000:]}\n{ended.stderr[-3000:]}")
                ran += len(blocks(file, "sh"))
        self.assertGreater(ran, 5)

    def test_a_refused_request_is_noticed(self):
        server = servers.Server()
        server.start()
        try:
            with tempfile.TemporaryDirectory(prefix="parley-docs-") as name:
                ended = self.run_in(pathlib.Path(name), server, [f"curl -s {USUAL_BASE}/runs/ | cat\n"])
            self.assertNotEqual(ended.returncode, 0)
        finally:
            server.remove()

    def test_an_example_that_shows_nothing_is_noticed(self):
        server = servers.Server()
        server.start()
        try:
            for shown, status in (("[1]", 0), ("[]", 9)):
                with tempfile.TemporaryDirectory(prefix="parley-docs-") as name:
                    ended = self.run_in(pathlib.Path(name), server, [f"echo '{shown}' | jq '.[]'\n"])
                self.assertEqual(ended.returncode, status, ended.stderr)
        finally:
            server.remove()

    def test_runs_that_the_guide_compares_are_of_one_scenario(self):
        made = re.compile(r"""^(\w+)=\$\(call \$base/runs/ -d '\{"scenario": "'\$(\w+)'|/runs/\$(\w+)/compare/\$(\w+)""", re.M)
        compared = 0
        for file in FILES:
            scenario = {}
            for name, of, before, after in made.findall("\n".join(blocks(file, "sh"))):
                if name:
                    scenario[name] = of
                else:
                    self.assertEqual(scenario[before], scenario[after], (file.name, before, after))
                    compared += 1
        self.assertEqual(compared, 1)

    def test_events_to_alarm_on_are_events_of_the_log(self):
        section = (ROOT / "docs/operating.md").read_text().partition("## What to alarm on")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| (`.*?) \| (\w+(?:, \w+)*) \|", section, re.M)
        told = {(event, level) for events, levels in rows for event in re.findall(r"`([^`]+)`", events) for level in levels.split(", ")}
        self.assertGreater(len(told), 10)
        logged = set()
        for folder in ("actors", "app", "http"):
            for file in (*(ROOT / folder).rglob("*.cpp"), *(ROOT / folder).rglob("*.hpp")):
                for level, words in re.findall(r'spdlog::(\w+)\(\s*"((?:[^"\\]|\\.)*)"', file.read_text()):
                    event = re.split(r" ?\b\w+=|:", words)[0].strip()
                    level = "warning" if level == "warn" else level   # as the log writes it
                    logged |= {(event.replace("{}", noun), level) for noun in (("result", "run") if "{} " in event else ("",))}
        self.assertEqual(told - logged, set())
        calling = {(event, level) for event, level in logged if level in ("warning", "error", "critical")}
        # The text of the first event depends on the option; the second event says what to do.
        no_events = {("", "warning"), ("PARLEY_BOOTSTRAP_KEY is not used", "warning")}
        self.assertEqual(calling - told - no_events, set(), "each is for a person, who has to find what to do")

    def test_the_changelog_has_released_versions_and_grouped_entries(self):
        """Keep a Changelog 1.1.0: versions with dates, newest first; every entry in a group; no duplicates."""
        text = (ROOT / "CHANGELOG.md").read_text()
        versions = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text, flags=re.M)
        self.assertEqual(versions[0], ("Unreleased", ""))
        self.assertIn("0.1.0", dict(versions[1:]))
        self.assertTrue(all(date for _, date in versions[1:]))
        self.assertEqual([date for _, date in versions[1:]], sorted((date for _, date in versions[1:]), reverse=True))
        groups = set(re.findall(r"^### (.+)$", text, flags=re.M))
        self.assertLessEqual(groups, {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"})
        for section in re.split(r"^## ", text, flags=re.M)[1:]:
            self.assertNotIn("\n- ", section.partition("\n### ")[0], "an entry outside a group")
        entries = sorted(" ".join(each.split()).rstrip(".") for each in re.split(r"^- ", text, flags=re.M)[1:])
        self.assertGreater(len(entries), 30)
        self.assertEqual([one for one, other in zip(entries, entries[1:]) if other.startswith(one)], [])

    def test_json_is_json(self):
        for file in FILES:
            for text in blocks(file, "json"):
                with self.subTest(file=file.name, text=text[:60]):
                    json.loads(text)

    def test_python_is_python(self):
        for file in FILES:
            for number, text in enumerate(blocks(file, "python"), 1):
                compile(text, f"{file.name}, block {number}", "exec")

    def test_blocks_say_what_they_are(self):
        for file in FILES:
            names = {name for name, _ in FENCE.findall(file.read_text(encoding="utf-8"))}
            self.assertLessEqual(names, LANGUAGES, file.name)

    def test_links_into_a_page_lead_to_a_heading(self):
        count = 0
        for file in markdown_files():
            for target, anchor in re.findall(r"\[[^\]]*\]\(([^)#:]*)#([^)]*)\)", without_blocks(file)):
                with self.subTest(file=str(file.relative_to(ROOT)), target=target, anchor=anchor):
                    self.assertIn(anchor, anchors(file.parent / target if target else file))
                count += 1
        self.assertGreater(count, 20)

    def test_links_lead_somewhere(self):
        count = 0
        for file in markdown_files():
            for target, _ in LINK.findall(without_blocks(file)):
                if "://" in target or target.startswith("mailto:"):
                    continue
                with self.subTest(file=str(file.relative_to(ROOT)), target=target):
                    self.assertTrue((file.parent / target).exists())
                count += 1
        self.assertGreater(count, 100)

    def test_every_document_is_on_the_map(self):
        """docs/README.md links every page of docs/, directly or through the README.md of a folder."""
        def linked(file):
            return {(file.parent / target).resolve() for target, _ in LINK.findall(without_blocks(file)) if "://" not in target}
        reached, waiting = set(), [ROOT / "docs/README.md"]
        while waiting:
            file = waiting.pop()
            new = {page for page in linked(file) if page.suffix == ".md" and page.exists()} - reached
            reached |= new
            waiting += [page for page in new if page.name == "README.md" and page.parent.parent == ROOT / "docs"]
        pages = {page for page in FILES[1:] if "adr" not in page.parts} - {ROOT / "docs/README.md"}
        self.assertEqual(sorted(str(page.relative_to(ROOT)) for page in pages - reached), [])


if __name__ == "__main__":
    unittest.main(verbosity=1)
