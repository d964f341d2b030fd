#!/usr/bin/env python3
"""Every decision, invariant and fault that code, tests or documents cite by number is defined exactly once, in
docs/reference/decisions.md; docs/reference names every route, filter, field, problem type and command-line option."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
REFERENCE = ROOT / "docs/reference"
PAGE = "\n".join(path.read_text() for path in sorted(REFERENCE.glob("*.md")))
OPERATIONS = (REFERENCE / "README.md").read_text().partition("## Operations")[2].partition("\n## ")[0]
COMMAND_LINE = (REFERENCE / "command-line.md").read_text()
FOLDERS = ("actors", "app", "bench", "docs", "http", "model", "outbound", "scoring", "scripts", "store", "tester", "tests")
SKIPPED = {"__pycache__", "node_modules"}
SUFFIXES = {".cpp", ".hpp", ".py", ".md", ".txt", ".sh", ""}
# D1 to D99, I1 to I69, F1 to F49, as separate words or as parts of test names; not sizes, HTTP codes or hex digits
CITED = re.compile(r"(?<![A-Za-z0-9%.\\+])_?([DIF][1-9][0-9]?a?)(?![A-Za-z0-9])")
DEFINED = re.compile(r"\*\*([DIF][1-9][0-9]?a?)\*\*")


def sources():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            # the examples in this file are not citations
            if path != pathlib.Path(__file__).resolve() and path.is_file() and path.suffix in SUFFIXES and not SKIPPED & set(path.parts):
                yield path


def cited(text):
    return {found for line in text.splitlines() for found in CITED.findall(line)}


METHODS = {"get": "GET", "list": "GET", "post": "POST", "create": "POST", "patch": "PATCH", "put": "PUT", "remove": "DELETE",
           "create_record": "POST", "page_of_records": "GET", "get_record": "GET", "patch_record": "PATCH"}
ROUTE = re.compile(r'\b(\w+)<[^;()]*?>\(\s*"(/[^"]*)"')


def routes():
    """Yields (method, path, filters of a list) for each row of the route table."""
    table = (ROOT / "http/routes.cpp").read_text().partition("route_table{")[2]
    rows = list(ROUTE.finditer(table))
    for row, after in zip(rows, [*rows[1:], None]):
        text = table[row.end():after.start() if after else None]
        filters = re.search(r'\.filter_by\(((?:\s*"[a-zA-Z ]*")+)\)', text)
        yield METHODS[row.group(1)], row.group(2), "".join(re.findall(r'"([^"]*)"', filters.group(1))) if filters else ""


class Interface(unittest.TestCase):
    def test_every_number_that_is_cited_is_defined(self):
        known = set(DEFINED.findall(PAGE))
        missing = {}
        for path in sources():
            for number in cited(path.read_text(errors="replace")) - known:
                missing.setdefault(number, str(path.relative_to(ROOT)))
        self.assertEqual(missing, {})

    def test_no_number_is_defined_twice(self):
        defined = DEFINED.findall(PAGE)
        self.assertEqual(sorted(number for number in set(defined) if defined.count(number) > 1), [])
        self.assertEqual(defined, DEFINED.findall((REFERENCE / "decisions.md").read_text()))
        self.assertGreater(len(defined), 150)

    def test_every_route_is_named(self):
        """A shared row covers the four operations of a collection."""
        found = [(method, path) for method, path, _ in routes()]
        self.assertGreater(len(found), 60)
        missing = []
        for method, path in found:
            first = "/" + path.split("/")[1]
            full = path if "{" in path or path.count("/") > 1 else f"{path}/"
            rows = [row for row in OPERATIONS.splitlines() if f"{first}/" in row or f"{first}`" in row]
            exact = [row for row in rows if any(f"{named}`" in row for named in (f"{method} {full}", f"{method} {path}", f"`{path}", f"GET {path}"))]
            shared = [row for row in rows if row.startswith(f"| `{first}/` |")] if path.count("/") < 3 else []
            if not exact and not shared:
                missing.append(f"{method} {path}")
        self.assertEqual(missing, [])

    def test_every_filter_of_a_list_is_named(self):
        rows = [(path, filters) for method, path, filters in routes() if method == "GET" and filters]
        self.assertGreater(len(rows), 10)
        for path, filters in rows:
            place = [row for row in OPERATIONS.splitlines() if path in row]
            for word in filters.split():
                self.assertTrue(any(f"`{word}`" in row for row in place), f"{path}: {word}")

    def test_every_option_of_the_program_is_named(self):
        options = re.findall(r'^ +\{"([a-z-]+)", "', (ROOT / "app/options/option_rows.cpp").read_text(), re.MULTILINE)
        self.assertGreater(len(options), 15)
        self.assertEqual([name for name in options if f"`--{name}`" not in COMMAND_LINE], [])

    def test_the_guide_names_every_option_of_driving(self):
        rows = (ROOT / "app/options/option_rows.cpp").read_text().partition("driving_rows() {")[2].partition("\n}\n")[0]
        options = re.findall(r'^ +\{"([a-z-]+)", "', rows, re.MULTILINE)
        self.assertGreater(len(options), 10)
        table = [line for line in (ROOT / "docs/guide/hosted-agents.md").read_text().splitlines() if line.startswith("| `--")]
        self.assertEqual([name for name in options if not any(f"`--{name}`" in line for line in table)], [])

    def test_every_problem_is_named(self):
        slugs = re.findall(r'\{[a-z_]+, "([a-z-]+)", [0-9]{3},', (ROOT / "model/problem.cpp").read_text())
        self.assertGreater(len(slugs), 30)
        self.assertEqual([slug for slug in slugs if f"`{slug}`" not in PAGE], [])

    def test_every_described_field_is_named(self):
        """Checks the records that clients see, not the stored form of results."""
        missing = []
        for name in ("scenario", "test", "run", "agent", "user", "tag", "scheduled_run", "external_log", "assertion", "entry",
                     "named_records", "scenario_configuration"):
            text = (ROOT / f"model/records/{name}.hpp").read_text()
            for field, rest in re.findall(r'v\.field\("([a-zA-Z]+)",(.*?);', text, re.DOTALL):
                if "Access::internal" not in rest and not re.search(rf"\b{field}\b", PAGE):
                    missing.append(f"{name}: {field}")
        self.assertEqual(missing, [])

    def test_the_check_notices_an_undefined_number(self):
        self.assertEqual(cited("// (D98), I31; test_F1_x, names_it_I4, 0xF3 \\D1 F401 1F9 FF3"), {"D98", "I31", "F1", "I4"})


if __name__ == "__main__":
    unittest.main()
