"""The names of all tests, as used in the tables of tests/proof, docs/security.md and tests/plants."""
import functools
import importlib
import pathlib
import re
import sys
import unittest

SYSTEM = pathlib.Path(__file__).resolve().parents[1]
ROOT = SYSTEM.parents[1]
# Folders whose files are parts of one test program.
PARTS = ("conformance", "races")


@functools.cache
def python_files():
    """Every file with system tests."""
    return [path for path in sorted(SYSTEM.glob("*/**/*.py"))
            if not path.is_relative_to(SYSTEM / "support") and path.parent.name != "support" and not path.name.startswith("__")
            and (path.name.endswith("_test.py") or path.parent.name in PARTS)]


def program_of(file):
    """The program that runs the tests of a file; tables name the file without its folder."""
    path = next(path for path in python_files() if path.stem in (file, f"{file}_test"))
    return path if path.name.endswith("_test.py") else path.parent.parent / f"{path.parent.name}_test.py"


def python_tests():
    """`file.test` of every test that unittest would find, including generated tests."""
    found = set()
    for path in python_files():
        folder = path.parent.name
        topic = path.parent if path.name.endswith("_test.py") else path.parent.parent
        if str(topic) not in sys.path:
            sys.path.append(str(topic))
        module = importlib.import_module(path.stem if topic == path.parent else f"{folder}.{path.stem}")
        short = path.stem.removesuffix("_test") if path.stem == "state_table_test" else path.stem
        for case in vars(module).values():
            if isinstance(case, type) and issubclass(case, unittest.TestCase) and case.__module__ in (module.__name__, "__main__"):
                found |= {f"{short}.{name}" for name in unittest.defaultTestLoader.getTestCaseNames(case)}
    return found


def google_tests():
    text = "".join(path.read_text() for path in sorted((ROOT / "tests").rglob("*_test.cpp")))
    return {f"{suite}::{name}" for suite, name in re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)", text, re.MULTILINE)}
