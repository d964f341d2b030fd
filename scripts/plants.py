#!/usr/bin/env python3
"""Tests the tests: tests/plants has realistic bugs. Each one is switched on alone in one armed build, and its tests must
detect it: two rigs of different kinds or, for a violation of a single rule, the test of that rule.

    scripts/plants.py --check            every plant fits its place, its tests exist, tests/proof/planted-bugs.md is up to date
    scripts/plants.py --arm DIR          updates a copy of the tree at DIR, with a switch for each plant; build it afterwards
                                         (parley, the unit tests and the libraries of tests/power and tests/failpoints)
    scripts/plants.py --try BUILD        runs the tests of each plant in the armed build, with the plant on (PLANT=name) and
                                         without any, and writes the outcome to tests/plants/seen.json
        --only NAME ...                  only plants whose name contains one of these
    scripts/plants.py --report           writes tests/proof/planted-bugs.md from tests/plants/seen.json"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SYSTEM = ROOT / "tests/system"
SEEN = ROOT / "tests/plants/seen.json"
PAGE = ROOT / "tests/proof/planted-bugs.md"
sys.path[:0] = [str(ROOT / "tests"), str(SYSTEM)]
from plants import PLANTS  # noqa: E402  (tests/plants)
from plants.rules import COUNT, SEED  # noqa: E402
from support.test_names import google_tests, program_of, python_tests  # noqa: E402

PLANTS_MIN = 30
TEST_S_MAX = 400
HEADER = """#pragma once
/// Which planted bug is switched on.

#include <cstdlib>
#include <string_view>

inline bool planted(std::string_view name) {
  static const char* const on = std::getenv("PLANT");
  return on != nullptr && name == on;
}
"""
# Short settings for the long rigs: a plant must be detected soon.
COURSE = {"PARLEY_IMAGES": "3000", "PARLEY_RESULTS": "4", "PARLEY_SEED": "611", "PARLEY_OPERATIONS": "3000"}
ROUNDS = {"crash_test": "4", "framing_test": "100"}
# The rig of a test, by its suite or file; every other C++ test is a unit test.
SEEDED = re.compile(r"(Entry|End|Run|Key|Etag)Races|Driving")
RIGS = {"access": "conformance", "state_table": "state table", "races_test": "races over sockets",
        "model_diff_test": "model comparison", "crash_test": "kill -9", "recovery_test": "recovery",
        "failpoints_test": "failpoints", "power_test": "loss of power", "repeats_test": "repeats and cuts",
        "hostile_test": "hostile clients", "hostile_calls_test": "hostile services", "framing_test": "framer beside others",
        "bad_bodies_test": "bad bodies", "secrets_test": "search for secrets", "driving_test": "driven conversations",
        "driving_proofs_test": "many driven at once", "models_test": "models", "retention_test": "retention",
        "backup_test": "backup", "waits_test": "waits", "docs_test": "documents", "runners_test": "local runners",
        "access_matrix_test": "access matrix"}


def rig_of(test):
    """The rig that a test belongs to; two tests of one rig count once."""
    if "::" in test:
        suite = test.partition("::")[0]
        return "fuzz replay" if suite == "Corpora" else "seeded schedules" if SEEDED.fullmatch(suite) else "unit tests"
    file = test.partition(".")[0]
    program = program_of(file).stem
    return "conformance" if program == "conformance_test" else RIGS[file]


def known_tests():
    corpora = re.findall(r"^TEST_P\((\w+), (\w+)\)", (ROOT / "tests/fuzz/fuzz_test.cpp").read_text(), re.MULTILINE)
    races = {f"races_test.{name}" for path in (SYSTEM / "api/races").glob("*.py")
             for name in re.findall(r"def (test_\w+)\(", path.read_text())}
    return python_tests() | google_tests() | races | {f"{suite}::{name}" for suite, name in corpora}


def faults_of(plants, known):
    """The faults of the table of plants, as texts."""
    names = [plant.name for plant in plants]
    found = [f"{name} is duplicated" for name in sorted(set(names)) if names.count(name) > 1]
    if len(plants) < PLANTS_MIN:
        found.append(f"{len(plants)} plants are fewer than {PLANTS_MIN}")
    for plant in plants:
        for file, old, armed in plant.edits:
            count = (ROOT / file).read_text().count(old)
            if count != 1:
                found.append(f"{plant.name}: its text appears {count} times in {file}")
            if old == armed:
                found.append(f"{plant.name} changes nothing in {file}")
        if not any("PLANT" in armed for _, _, armed in plant.edits):
            found.append(f"{plant.name} cannot be switched on")
        found += [f"{plant.name}: there is no test {test}" for test in plant.tests if test not in known]
        if len({rig_of(test) for test in plant.tests if test in known}) < plant.rigs:
            found.append(f"{plant.name} is looked for by fewer than {plant.rigs} rigs")
    drawn = drawn_rules()
    found += [f"{rule} was drawn and has no plant" for rule in drawn if rule not in names]
    for plant in plants:
        if plant.name in drawn:
            found += [f"{plant.name}: {test} is not a test of the rule" for test in plant.tests if f"`{test}`" not in drawn[plant.name]]
    return found


def drawn_rules():
    """{rule: cell that names its tests} for the rules of tests/proof/rules.md that were drawn to have a fault each."""
    rows = re.findall(r"^\| (R\d+\.\d+) \| .*? \| (.*) \|$", (ROOT / "tests/proof/rules.md").read_text(), re.MULTILINE)
    proofs = dict(rows)
    return {rule: proofs[rule] for rule in random.Random(SEED).sample([row[0] for row in rows], COUNT)}


def faults_of_seen(plants, seen):
    """The faults of the recorded outcome, as texts."""
    found = [f"{name} was tried and is not a plant" for name in sorted(set(seen["plants"]) - {plant.name for plant in plants})]
    for plant in plants:
        tests = seen["plants"].get(plant.name, {})
        if set(tests) != set(plant.tests):
            found.append(f"{plant.name} was not tried with the tests that it names")
        elif len({rig_of(test) for test, red in tests.items() if red}) < plant.rigs:
            found.append(f"{plant.name} was noticed by fewer than {plant.rigs} rigs")
    return found


# ---- the armed tree -----------------------------------------------------------------------------------------------

def armed_texts():
    """{file: text} of every file that a plant changes, with all plants in it."""
    texts = {}
    for plant in PLANTS:
        for file, old, armed in plant.edits:
            text = texts.get(file) or (ROOT / file).read_text()
            # Two plants may share a place only if one keeps the text of the other.
            if text.count(old) != 1:
                raise SystemExit(f"{plant.name}: another plant has changed its place in {file}")
            texts[file] = text.replace(old, armed.replace("PLANT", f'planted("{plant.name}")'))
    for file, text in texts.items():
        at = text.index("#pragma once\n") + 13 if file.endswith(".hpp") else 0
        texts[file] = text[:at] + '#include "model/planted.hpp"\n' + text[at:]
    return {**texts, "model/planted.hpp": HEADER}


def arm(folder):
    """Writes the armed tree. Unchanged files are not touched, so that a second build is short."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    armed = armed_texts()
    for path in [*folder.rglob("*.cpp"), *folder.rglob("*.hpp")]:
        file = str(path.relative_to(folder))
        if not file.startswith("build/") and file not in armed and not (ROOT / file).is_file():
            path.unlink()  # left over from an earlier tree
    for file in sorted({*listed.stdout.splitlines(), *armed}):
        if file not in armed and not (ROOT / file).is_file():
            continue
        content = armed[file].encode() if file in armed else (ROOT / file).read_bytes()
        path = folder / file
        if path.exists() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if file not in armed:
            path.chmod((ROOT / file).stat().st_mode)


# ---- trying -------------------------------------------------------------------------------------------------------

def binary_of(suite, name, build):
    pattern = re.compile(rf"^TEST(?:_F|_P)?\(\s*{suite},\s*{name}\s*\)", re.MULTILINE)
    file = next(path for path in sorted((ROOT / "tests").rglob("*_test.cpp")) if pattern.search(path.read_text()))
    return build / f"tests/{file.parent.name}_test"


def command_of(test, build):
    if "::" in test:
        suite, _, name = test.partition("::")
        return [str(binary_of(suite, name, build)), f"--gtest_filter=*{suite}.{name}*"]
    file, _, name = test.partition(".")
    return [sys.executable, str(program_of(file)), "-k", name]


def is_green(test, build, plant=None):
    file = test.partition(".")[0]
    environment = {**os.environ, **COURSE, "PARLEY_BINARY": str(build / "parley"), "PYTHONDONTWRITEBYTECODE": "1",
                   "PARLEY_POWER_TOOLS": str(build / "tests/power"),
                   "PARLEY_FAILPOINTS": str(build / "tests/failpoints/libparley_failpoints.so")}
    if file in ROUNDS:
        environment["PARLEY_ROUNDS"] = ROUNDS[file]
    if plant:
        environment["PLANT"] = plant
    try:
        done = subprocess.run(command_of(test, build), cwd=ROOT, env=environment, capture_output=True, text=True,
                              errors="replace", timeout=TEST_S_MAX, check=False)
    except subprocess.TimeoutExpired:
        return False
    said = done.stdout + done.stderr
    has_run = re.search(r"Ran [1-9]\d* test", said) or re.search(r"\[ RUN ", said)
    if not has_run and done.returncode == 0 or "skipped=" in said:
        raise SystemExit(f"{test}: no test was run\n{said[-2000:]}")
    if done.returncode and not plant:
        print(f"{test} is red without any plant\n{said[-1500:]}", flush=True)
    return done.returncode == 0


def tried(plant, build, greens):
    """{test: whether the plant makes it fail}. A test that also fails without the plant proves nothing."""
    red = {}
    for test in plant.tests:
        if test not in greens:
            greens[test] = is_green(test, build)
        red[test] = greens[test] and not is_green(test, build, plant.name)
    rigs = sorted({rig_of(test) for test, is_red in red.items() if is_red})
    print(f"{plant.name}: {len(rigs)} rigs {rigs}; green: {[test for test, is_red in red.items() if not is_red]}", flush=True)
    return red


def try_all(build, only, jobs):
    seen = json.loads(SEEN.read_text()) if SEEN.exists() else {"plants": {}}
    wanted = [plant for plant in PLANTS if not only or any(part in plant.name for part in only)]
    greens = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for plant, red in zip(wanted, pool.map(lambda one: tried(one, build, greens), wanted)):
            seen["plants"][plant.name] = red
            order = [one.name for one in PLANTS if one.name in seen["plants"]]
            commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
            seen.update(date=str(datetime.date.today()), commit=commit.stdout.strip(),
                        plants={name: seen["plants"][name] for name in order})
            SEEN.write_text(json.dumps(seen, indent=1) + "\n")


# ---- the page -----------------------------------------------------------------------------------------------------

HEAD = """# Planted bugs

{count} bugs of the kinds that such servers really have, each planted alone, with the tests that noticed it. A rig is a kind of
test with machinery of its own. A bug must be noticed by at least two rigs. The fault of a single rule (R...) must be noticed
by the rule's test. **{caught} of {count} were noticed.** The program that is shipped contains none of them: `tests/plants` holds
texts that replace others in a copy of the tree.

`scripts/plants.py --report` writes this page from `tests/plants/seen.json`, which `--try` wrote on {date} at {commit}. A test in
bold passed without the plant and failed with it; any other did not notice. `--check` compares plants, tests and this page, and
is a test itself. To repeat:

```sh not-run
scripts/plants.py --arm ../armed
(cd ../armed && cmake --preset release && cmake --build --preset release)
scripts/plants.py --try ../armed/build/release
scripts/plants.py --report
```

| rig | plants that it noticed |
|---|---|
{rigs}

| plant | what it breaks | rules | rigs | tests |
|---|---|---|---|---|
{rows}
"""


def page_of(plants, seen):
    rows, by_rig = [], {}
    for plant in plants:
        tests = seen["plants"].get(plant.name, {})
        rigs = sorted({rig_of(test) for test, red in tests.items() if red})
        for rig in rigs:
            by_rig.setdefault(rig, []).append(plant.name)
        named = ", ".join(f"**`{test}`**" if tests.get(test) else f"`{test}`" for test in plant.tests)
        rows.append(f"| {plant.name} | {plant.breaks} | {plant.rules} | {len(rigs)}: {', '.join(rigs)} | {named} |")
    caught = sum(len({rig_of(test) for test, red in seen["plants"].get(plant.name, {}).items() if red}) >= plant.rigs
                 for plant in plants)
    rigs = [f"| {rig} | {len(names)} |" for rig, names in sorted(by_rig.items(), key=lambda one: (-len(one[1]), one[0]))]
    return HEAD.format(count=len(plants), caught=caught, date=seen["date"], commit=seen["commit"], rigs="\n".join(rigs),
                       rows="\n".join(rows))


def check():
    seen = json.loads(SEEN.read_text())
    found = faults_of(PLANTS, known_tests()) + faults_of_seen(PLANTS, seen)
    armed_texts()
    if PAGE.read_text() != page_of(PLANTS, seen):
        found.append(f"{PAGE.name} does not say what was seen; write it with --report")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--arm", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--try", dest="build", type=pathlib.Path, metavar="BUILD")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=1, help="plants tried at once")
    parser.add_argument("--report", action="store_true")
    given = parser.parse_args()
    if given.arm:
        arm(given.arm)
    if given.build:
        try_all(given.build.resolve(), given.only, given.jobs)
    if given.report:
        PAGE.write_text(page_of(PLANTS, json.loads(SEEN.read_text())))
    if given.check:
        found = check()
        print("\n".join(found) or f"{len(PLANTS)} plants, each in its place and noticed")
        sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
