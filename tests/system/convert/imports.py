"""The real third-party files for the tests of the importers, and the program that converts them. The files are in the folder
`shared/imports` next to the repository; without it, the tests are skipped (exit 77)."""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT.parent / "shared" / "imports"
if not FOLDER.is_dir():
    FOLDER = ROOT.parent.parent / "shared" / "imports"
PROGRAM = os.environ.get("PARLEY_BINARY", str(ROOT / "build/release/parley")).split() + os.environ.get("PARLEY_VERB", "convert").split()

FORMATS = {"csv": "table", "rasa-e2e": "rasa", "rasa-stories": "rasa", "tau": "tau2", "adk-evalset": "adk", "otel-genai": "otel"}
# Further files that are read together with a unit.
BESIDE = {"openai-evals/finance-calc/samples.jsonl": ["openai-evals/finance-calc/finance_calc.yaml", "openai-evals/registry/test-basic.yaml"]}


def need_folder():
    if FOLDER.is_dir():
        return
    print("skipped: there is no folder shared/imports beside the repository")
    sys.exit(77)


def units():
    """Yields (unit, format, paths) for each unit of expected.json."""
    for unit in json.loads((FOLDER / "expected.json").read_text())["units"]:
        paths = [unit["unit"]] + BESIDE.get(unit["unit"], [])
        yield unit, FORMATS.get(unit["format"], unit["format"]), [str(FOLDER / path) for path in paths]


def convert(kind, paths, out, *more, timeout=60):
    """Converts into the folder `out`; returns the finished process."""
    command = [*PROGRAM, "--from", kind, *paths, "-o", str(out), *more]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout, check=False)


def report_of(out):
    """(lines of the report, its summary)."""
    (file,) = pathlib.Path(out).glob("*.report.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return lines[:-1], lines[-1]["summary"]
