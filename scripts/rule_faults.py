#!/usr/bin/env python3
"""Does breaking a rule turn its test red? 40 rules of tests/proof/rules.md are drawn by a fixed seed; for each of them
tests/system/support/rule_faults.py names a one-line fault and a test.

    scripts/rule_faults.py --draw              the rules that the seed draws
    scripts/rule_faults.py --check             every fault belongs to a drawn rule, its test and exactly one place
    scripts/rule_faults.py --try R3.9 ...      applies each fault alone, builds, runs its test, takes the fault back
    scripts/rule_faults.py --arm DIR           writes all faults into a copy of the tree at DIR, each switched on by the
                                               environment (RULE_FAULT=R3.9): one build tries them all
    scripts/rule_faults.py --armed BINARY      runs each test with its fault on and with it off
    scripts/rule_faults.py --armed BINARY --all   and every other conformance test, to see what else turns red
    scripts/rule_faults.py --report SEEN       writes tests/proof/rule_faults.md from what --armed printed"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SYSTEM = ROOT / "tests/system"
sys.path.insert(0, str(SYSTEM))
from support.rule_faults import COUNT, FAULTS, SEED  # noqa: E402

BUILD = ["cmake", "--build", "--preset", "release", "--target", "parley"]
SWITCH = """#include <cstdlib>
#include <string_view>
[[maybe_unused]] static bool rule_fault(std::string_view rule) {
  static const char* const on = std::getenv("RULE_FAULT");
  return on != nullptr && rule == on;
}
"""


def drawn():
    rows = re.findall(r"^\| (R\d+\.\d+) \| .*? \| (.*) \|$", (ROOT / "tests/proof/rules.md").read_text(), re.MULTILINE)
    ids = [row[0] for row in rows]
    return {one: dict(rows)[one] for one in sorted(random.Random(SEED).sample(ids, COUNT), key=ids.index)}


def check():
    found, rules = [], drawn()
    for rule, test, file, old, _, *_ in FAULTS:
        if f"`{test}`" not in rules.get(rule, ""):
            found.append(f"{rule}: {test} is not a test of a drawn rule")
        count = (ROOT / file).read_text().count(old)
        if count != 1:
            found.append(f"{rule}: the text appears {count} times in {file}")
    found += [f"{rule} was drawn and has no fault" for rule in rules if rule not in {fault[0] for fault in FAULTS}]
    return found


def commands(test, folder=SYSTEM):
    """Runs one test of the table, or all of a file."""
    file, _, name = test.partition(".")
    if "::" in test:
        return None
    path = next((one for one in (folder / f"{file}_test.py", folder / f"{file}.py") if one.exists()), None)
    if (folder / "conformance" / f"{file}.py").exists() or path is None:
        path = folder / "conformance_test.py"
    return [sys.executable, str(path), *(["-k", name] if name else [])]


def run(test, binary, fault=None, timeout_s=300):
    """(whether it was green, names of the tests that were not)."""
    environment = {**os.environ, "PARLEY_BINARY": str(binary), **({"RULE_FAULT": fault} if fault else {})}
    try:
        done = subprocess.run(commands(test), cwd=SYSTEM, env=environment, capture_output=True, text=True, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        return False, {"(time-out)"}
    red = set(re.findall(r"^(?:FAIL|ERROR): (\w+)", done.stderr, re.MULTILINE))
    if done.returncode == 0 and not re.search(r"Ran [1-9]\d* test", done.stderr):
        sys.exit(f"{test}: no test was run\n{done.stderr}")
    return done.returncode == 0, red


def tried(rule):
    """One fault alone, in this tree."""
    _, test, file, old, new, *_ = next(fault for fault in FAULTS if fault[0] == rule)
    path = ROOT / file
    text = path.read_text()
    if commands(test) is None:
        return f"{rule}: {test} is a GoogleTest; build and run it by hand"
    try:
        path.write_text(text.replace(old, new))
        subprocess.run(BUILD, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        good, red = run(test, ROOT / "build/release/parley")
    finally:
        path.write_text(text)
    return f"{rule}: {test} is {'green, the fault goes unnoticed' if good else 'red'} {sorted(red)}"


def arm(folder):
    """Writes all faults into a copy of the tree, each with a switch."""
    places = {}
    for rule, _, file, old, new, *switched in FAULTS:
        places.setdefault((file, old), []).append((rule, new, switched))
    for (file, old), faults in places.items():
        path = folder / file
        text = path.read_text()
        if faults[0][2]:
            made = faults[0][2][0].replace("{rule}", faults[0][0])
        elif old.endswith(";"):
            made = "".join(f'if (rule_fault("{rule}")) {{ {new} }} else ' for rule, new, _ in faults) + f"{{ {old} }}"
        else:
            made = "(" + "".join(f'rule_fault("{rule}") ? ({new}) : ' for rule, new, _ in faults) + f"({old}))"
        text = text.replace(old, made)
        if "rule_fault.hpp" not in text:
            at = text.index("#pragma once\n") + 13 if file.endswith(".hpp") else 0
            text = text[:at] + '#include "model/rule_fault.hpp"\n' + text[at:]
        path.write_text(text)
    (folder / "model/rule_fault.hpp").write_text("#pragma once\n/// Switches of planted faults.\n" + SWITCH)


def others_red(rule, test, binary):
    """Names of the other tests that fail with the fault, each of them twice and none of them without it."""
    found = set()
    for suite in ("conformance", "state_table"):
        for name in sorted(run(suite, binary, rule)[1] - {test.partition(".")[2]}):
            again = f"{suite}.{name}" if name.startswith("test") else suite
            if not run(again, binary, rule)[0] and run(again, binary)[0]:
                found.add(name)
    return sorted(found)


def armed(binary, is_all, only, jobs):
    def seen(fault):
        rule, test, *_ = fault
        off, _ = run(test, binary)
        on, _ = run(test, binary, rule)
        one = {"rule": rule, "green without": off, "red with": not on,
               "also red": others_red(rule, test, binary) if is_all else None}
        print(json.dumps(one), flush=True)
        return off and not on
    wanted = [fault for fault in FAULTS if commands(fault[1]) is not None and (not only or fault[0] in only)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return all(list(pool.map(seen, wanted)))


HEAD = """# One-line faults

For {count} rules of [rules.md](rules.md), drawn by a fixed seed (`scripts/rule_faults.py --draw`), the one-line fault that
must turn the rule's test red. Written by `scripts/rule_faults.py --report`: a row says "red" only where the fault was
planted, the program built, and the named test seen to fail with it and to pass without it. The last column counts the other
tests of conformance and the state table that failed with it, twice, and did not without (0: the named one alone); it is empty where they were not run. `--check` holds table and tree
together and is a test of its own; `--try RULE` repeats a single one.

| rule | file | as it stands | with the fault | test | seen | others red |
|---|---|---|---|---|---|---|
"""


def shown(text):
    """Code in a cell of a table; of more lines the changed ones."""
    return "`" + " ".join(text.split()).replace("|", "\\|").replace("`", "'") + "`"


def report(path):
    lines = [json.loads(line) for line in path.read_text().splitlines() if line.startswith("{")]
    seen = {one["rule"]: one for one in lines}
    page = HEAD.format(count=COUNT)
    for rule, test, file, old, new, *_ in FAULTS:
        one = seen.get(rule)
        word = "not tried" if one is None else "red" if one["green without"] and one["red with"] else "NOT RED"
        others = "" if one is None or one["also red"] is None else str(len(one["also red"]))
        fault = "nothing" if new == ";" else shown(new)
        page += f"| {rule} | {file} | {shown(old)} | {fault} | `{test}` | {word} | {others} |\n"
    (ROOT / "tests/proof/rule_faults.md").write_text(page)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--try", nargs="+", dest="rules", metavar="RULE")
    parser.add_argument("--arm", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--armed", type=pathlib.Path, metavar="BINARY")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="faults tried at once")
    parser.add_argument("--only", nargs="+", metavar="RULE")
    parser.add_argument("--report", type=pathlib.Path, metavar="SEEN")
    given = parser.parse_args()
    if given.draw:
        print("\n".join(f"{rule}: {tests}" for rule, tests in drawn().items()))
    faults = check()
    print("\n".join(faults) or f"{len(FAULTS)} faults, each in its place")
    if faults:
        sys.exit(1)
    for rule in given.rules or ():
        print(tried(rule), flush=True)
    if given.arm:
        arm(given.arm)
    if given.report:
        report(given.report)
    if given.armed:
        sys.exit(0 if armed(given.armed.resolve(), given.all, given.only, given.jobs) else 1)


if __name__ == "__main__":
    main()
