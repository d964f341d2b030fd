#!/usr/bin/env python3
"""Holds the rules of the tree that a compiler does not know (docs/STYLE.md): layers, libraries, sizes, headers.

    scripts/tidy.py               checks the tree, prints one line a fault, exits 1 if there is any
    scripts/tidy.py --self-test   plants one fault of each kind in a throw-away tree and checks that each is found
"""
import pathlib
import re
import sys
import tempfile

# A folder includes only folders of a later row; folders of one row do not know each other.
LAYERS = [("app",), ("http",), ("actors",), ("tester", "scoring", "outbound", "store"), ("model",)]
RANK = {folder: rank for rank, row in enumerate(LAYERS) for folder in row}

# Which files may include a library's headers.
LIBRARIES = [
    ("CAF", re.compile(r"caf/"), re.compile(r"(actors|app)/(?!.*_machine)")),
    ("Pistache", re.compile(r"pistache/"), re.compile(r"http/")),
    ("LMDB", re.compile(r"lmdb\.h"), re.compile(r"store/")),
    ("libcurl", re.compile(r"curl/"), re.compile(r"outbound/")),
    ("RapidJSON", re.compile(r"rapidjson/"), re.compile(r"model/json")),
]

# A machine decides and nothing else: no actor, log, store, clock or thread. A change set is a value, so it may be named.
MACHINE = re.compile(r"_machine[^/]*\.[ch]pp$")
MACHINE_BANS = [
    (re.compile(r'#include\s*[<"](caf/|spdlog/|store/(?!change\.hpp)|thread>|mutex>|random>|fstream>|iostream>)'),
     "a machine includes {}"),
    (re.compile(r"\b(\w+_clock::now|std::rand|getenv)\b"), "a machine calls {}"),
]

LINES_MAX = 400
FUNCTION_LINES_MAX = 60
OPEN_WORK = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*(<([^>]+)>|"([^"]+)")')
SKIPPED = {"build", ".git", "parley-data", "__pycache__", "node_modules"}
SOURCES = {".cpp", ".hpp", ".py", ".cmake", ".txt", ".sh", ""}


def files_of(root):
    """Every file whose text is held to the rules, with its path inside the tree."""
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if path.is_file() and not SKIPPED & set(inside.parts) and path.suffix in SOURCES:
            if path.suffix or inside.parts[0] == "scripts" or inside.as_posix() == ".ci/run":
                yield inside.as_posix(), path.read_text(encoding="utf-8", errors="replace")


def faults_of_includes(name, lines):
    folder = name.split("/")[0]
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        target = found.group(2) or found.group(3)
        other = target.split("/")[0]
        if other in RANK and found.group(3) and other != folder and RANK[other] <= RANK[folder]:
            yield number, f"layer: {folder}/ may not include {target}"
        for library, header, allowed in LIBRARIES:
            if header.match(target) and not allowed.match(name):
                yield number, f"library: {library} is not for {name}"


def faults_of_machine(name, lines):
    if not MACHINE.search(name):
        return
    for number, line in enumerate(lines, 1):
        code = line.split("//")[0]
        for pattern, words in MACHINE_BANS:
            found = pattern.search(code)
            if found:
                yield number, "machine: " + words.format(found.group(1))


def faults_of_header(name, lines):
    if not name.endswith(".hpp"):
        return
    if not lines or lines[0] != "#pragma once":
        yield 1, "header: the first line is '#pragma once'"
    after = [line for line in lines[1:] if line]
    if not after or not after[0].startswith("///"):
        yield 2, "header: a '///' paragraph says what lives here"


def faults_of_functions(name, lines):
    """A function at namespace level ends with a lone brace; it begins with the last unindented line before its body."""
    if not name.endswith((".cpp", ".hpp")) or name.split("/")[0] not in RANK:
        return
    begin = None
    for number, line in enumerate(lines, 1):
        if line == "}" and begin is not None and number - begin >= FUNCTION_LINES_MAX:
            yield begin, f"size: a function of {number - begin + 1} lines, {FUNCTION_LINES_MAX} are too many"
        if line[:1].isalpha() or line[:1] == "_":
            begin = number


def faults_of(name, text):
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if len(lines) > LINES_MAX and name.endswith((".cpp", ".hpp", ".py")):
        yield LINES_MAX, f"size: {len(lines)} lines, at most {LINES_MAX}"
    for number, line in enumerate(lines, 1):
        if OPEN_WORK.search(line):
            yield number, "open work: finish it or write it down elsewhere"
    if name.endswith((".cpp", ".hpp")):
        yield from faults_of_header(name, lines)
        yield from faults_of_functions(name, lines)
        if name.split("/")[0] in RANK:
            yield from faults_of_includes(name, lines)
            yield from faults_of_machine(name, lines)


def check(root):
    """All faults of the tree as 'file:line: fault', and how many files were read."""
    found, count = [], 0
    for name, text in files_of(root):
        count += 1
        found += [f"{name}:{number}: {fault}" for number, fault in faults_of(name, text)]
    return found, count


HEADER = "#pragma once\n/// What lives here.\n"
# file, text, what must be said of it; an empty word: nothing.
PLANTED = [
    ("model/good.hpp", HEADER + '#include "model/id.hpp"\n', ""),
    ("actors/good_machine.cpp", '#include "store/change.hpp"\n// caf/ and spdlog/ are elsewhere\n', ""),
    ("tests/http/any_test.cpp", '#include <pistache/reactor.h>\n#include "app/main.hpp"\n', ""),
    ("model/up.cpp", '#include "store/table.hpp"\n', "layer: model/ may not include store/table.hpp"),
    ("store/side.cpp", '#include "scoring/support/kind.hpp"\n', "layer: store/ may not include scoring/support/kind.hpp"),
    ("http/caf.cpp", "#include <caf/all.hpp>\n", "library: CAF"),
    ("actors/run/run_machine.hpp", HEADER + "#include <caf/all.hpp>\n", "library: CAF"),
    ("actors/pistache.cpp", "#include <pistache/reactor.h>\n", "library: Pistache"),
    ("actors/lmdb.cpp", "#include <lmdb.h>\n", "library: LMDB"),
    ("actors/curl.cpp", "#include <curl/curl.h>\n", "library: libcurl"),
    ("store/rapid.cpp", "#include <rapidjson/reader.h>\n", "library: RapidJSON"),
    ("actors/a_machine.cpp", '#include "store/writer.hpp"\n', "machine: a machine includes store/"),
    ("actors/b_machine.cpp", "#include <spdlog/spdlog.h>\n", "machine: a machine includes spdlog/"),
    ("actors/c_machine.cpp", "auto t = std::chrono::steady_clock::now();\n", "machine: a machine calls steady_clock"),
    ("model/late.hpp", "// a word first\n#pragma once\n/// What.\n", "header: the first line"),
    ("model/mute.hpp", "#pragma once\n#include <string>\n", "header: a '///' paragraph"),
    ("model/long.cpp", "int x;\n" * (LINES_MAX + 1), "size: 401 lines"),
    ("model/deep.cpp", "int f() {\n" + "  f();\n" * FUNCTION_LINES_MAX + "}\n", "size: a function of 62 lines"),
    ("model/open.cpp", "// TO" + "DO later\n", "open work"),
]


def self_test():
    wrong = []
    for name, text, expected in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True)
            path.write_text(text)
            found, _ = check(pathlib.Path(folder))
            if (not expected and found) or (expected and not any(expected in fault for fault in found)):
                wrong.append(f"{name}: expected '{expected or 'nothing'}', found {found}")
    return wrong, len(PLANTED)


def main():
    if sys.argv[1:] == ["--self-test"]:
        found, count = self_test()
        what = "planted cases"
    else:
        found, count = check(pathlib.Path(__file__).resolve().parent.parent)
        what = "files"
    for line in found:
        print(line)
    print(f"tidy: {count} {what}, {len(found)} faults")
    sys.exit(1 if found or not count else 0)


if __name__ == "__main__":
    main()
