#!/usr/bin/env python3
"""Checks the rules of the tree that a compiler cannot check (docs/STYLE.md): layers, rooms, faces, libraries, sizes,
headers, names, mirrored tests and plain English.

    scripts/tidy.py               checks the tree, prints one line per fault and a summary; exit 1 if there is a fault
    scripts/tidy.py --english     lists the phrases that are often wrong, file by file
    scripts/tidy.py --self-test   plants one fault of each kind in a temporary tree and checks that each is found
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tree_rules import english, includes, shape, tree  # noqa: E402
from tree_rules.planted import PLANTED  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE_RULES = [includes.faults_of_file, shape.faults_of_file, english.faults_of_file]
TREE_RULES = [includes.faults_of_rooms, includes.faults_of_faces, shape.faults_of_folders, english.faults_of_count]


def check(root):
    """(all faults of the tree as 'place: fault', its files)."""
    files = tree.read(root)
    found = [f"{file.name}:{number}: {fault}" for file in files for rule in FILE_RULES for number, fault in rule(file)]
    found += [f"{place}: {fault}" for rule in TREE_RULES for place, fault in rule(files)]
    return found, files


def summary(files):
    product = [file for file in files if file.is_product]
    rooms = {file.room for file in product}
    longest = max(product, key=lambda file: len(file.lines), default=None)
    largest = max(rooms, key=lambda room: sum(file.room == room for file in product), default=None)
    print(f"tidy: product: {sum(len(file.lines) for file in product)} lines in {len(product)} files and {len(rooms)} folders")
    if longest and largest:
        print(f"tidy: longest file: {longest.name} ({len(longest.lines)} lines); "
              f"largest folder: {largest}/ ({sum(file.room == largest for file in product)} files)")
    circles = includes.circles(includes.room_edges(files))
    print(f"tidy: include circles between rooms: {len(circles)} (store/ is one knot by design)")
    print(f"tidy: phrases that are often wrong, outside tests: {len(english.counted(files))}, at most {english.COUNTED_MAX}")


def self_test():
    wrong = []
    for name, text, expected in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            for path, body in (text if isinstance(text, dict) else {name: text}).items():
                file = pathlib.Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(body)
            found, _ = check(folder)
            found = [fault for fault in found if "README: " not in fault or "README" in expected]
            if (not expected and found) or (expected and not any(expected in fault for fault in found)):
                wrong.append(f"{name}: expected '{expected or 'nothing'}', found {found}")
    return wrong, len(PLANTED)


def main():
    if sys.argv[1:] == ["--english"]:
        for name, number, words in english.counted(tree.read(ROOT)):
            print(f"{name}:{number}: {words}")
        return
    if sys.argv[1:] == ["--self-test"]:
        found, count = self_test()
        what = "planted cases"
    else:
        found, files = check(ROOT)
        count, what = len(files), "files"
    for line in found:
        print(line)
    if what == "files":
        summary(files)
    print(f"tidy: {count} {what}, {len(found)} faults")
    sys.exit(1 if found or not count else 0)


if __name__ == "__main__":
    main()
