"""Compares the importers' output for real third-party files with hand-written expectations next to the files: tests, turns,
logs, entries by role, kinds of assertions, and a report whose items add up."""
import collections
import pathlib
import re
import sys
import tempfile

import imports

SAME_KIND = {"system (log metadata)", "observation (result of the tool before)"}


def kinds_of(out):
    """The number of assertions of each type in the suites, counted in the text of the files."""
    kinds = collections.Counter()
    for file in pathlib.Path(out).glob("*.parley.yaml"):
        kinds.update(re.findall(r"^      - ([a-z0-9-]+):", file.read_text(), re.MULTILINE))
    return kinds


def kinds_of_report(lines):
    """The same for logs, whose assertions are in their metadata."""
    kinds = collections.Counter()
    for line in lines:
        became = line.get("became")
        if line["kind"] == "check" and "log" in line and became and became != "metadata":
            kinds[became if isinstance(became, str) else "+".join(became)] += 1
    return kinds


def differences(unit, lines, summary, out):
    """The differences from the expectation, as texts."""
    found = []

    def same(what, expected, actual):
        if expected != actual:
            found.append(f"{what}: expected {expected}, found {actual}")

    turns = collections.Counter(line["kind"] for line in lines for _ in range(line.get("count", 1)))
    same("tests", unit["tests"], summary["tests"])
    same("turns", unit["scripted_user_turns"] + unit["prose_instructions"], summary["turns"])
    same("lines of turns", summary["turns"], turns["turn"])
    same("logs", unit.get("logs", 0), summary["logs"])
    for role, count in unit.get("entries", {}).items():
        if role not in SAME_KIND:
            same(role, count, summary["entries"][role])
    same("checks in the report", sum(unit["source_assertions"].values()), turns["check"])
    expected = {kind: count for kind, count in unit["parley_assertions"].items() if count}
    same("kinds", expected, dict(kinds_of(out) + kinds_of_report(lines)))
    same("tests without a check", unit.get("tests_that_lost_every_check", 0), summary["disabled"])
    same("items", sum(summary[key] for key in ("exact", "approximated", "not_mapped", "ignored")), summary["items"])
    same("items by line", summary["items"], sum(line.get("count", 1) for line in lines))
    same("approximated", sum(unit["approximated"].values()), summary["approximated"])
    return found


def check(unit, kind, paths):
    """The faults of one unit."""
    with tempfile.TemporaryDirectory() as out:
        ended = imports.convert(kind, paths, out)
        if unit.get("refused"):
            is_right = ended.returncode == 2 and not list(pathlib.Path(out).iterdir()) and re.search(r":\d+:\d+: error: ", ended.stderr)
            return [] if is_right else [f"not refused: exit {ended.returncode}, {ended.stderr[:200]}"]
        if ended.returncode != 0:
            return [f"exit {ended.returncode}: {ended.stderr[:300]}"]
        found = differences(unit, *imports.report_of(out), out)
        again = imports.convert(kind, paths, out)
        if again.returncode != 0 or again.stdout != ended.stdout:
            found.append(f"a second conversion differs: exit {again.returncode} {again.stderr[:200]}")
        return found


def main():
    imports.need_folder()
    wrong = 0
    count = 0
    for unit, kind, paths in imports.units():
        count += 1
        found = check(unit, kind, paths)
        wrong += bool(found)
        for fault in found:
            print(f"{unit['unit']}: {fault}")
    print(f"{count} units, {wrong} differ")
    sys.exit(1 if wrong or not count else 0)


if __name__ == "__main__":
    main()
