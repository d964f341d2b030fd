#!/usr/bin/env python3
"""docs/security.md: each threat has a row, and each row names existing tests. Also tests what no other file covers: the
hardening of the binary, key files, forged log lines, the rate limit of a key."""
import json
import pathlib
import re
import subprocess
import sys
import unittest

from support.test_names import google_tests, python_tests
from support import cases, command, server as servers
from support.cases import OwnServerTest

ROOT = pathlib.Path(__file__).resolve().parents[3]
THREAT = re.compile(r"^### (S\d+) ([^\n]+)\n\n(.*?)\n\nProved by:(.*?)(?=^### |^Attacks on |\Z)", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"`([A-Za-z0-9_]+(?:\.|::)[A-Za-z0-9_]+)`")
THREATS = ("API1 ", "API2 ", "API3 ", "API4 ", "API5 ", "API6 ", "API7 ", "API8 ", "API9 ", "API10 ", "smuggled", "memory",
           "secrets at rest", "transcripts", "log lines", "audit", "GitHub", "webhooks", "process", "supply chain")
WITHOUT_TEST = {"S20"}


def faults_of(page, known):
    """The faults of the list of threats, as texts."""
    table = [(one, threat, defence, " ".join(proof.replace("\n- ", ", ").strip(", \n").split()))
             for one, threat, defence, proof in THREAT.findall(page)]
    headings = re.findall(r"^### (S\d+.*)$", page, re.MULTILINE)
    found = [f"not a threat: {heading[:60]}" for heading in headings if f"{heading.partition(' ')[0]}" not in {row[0] for row in table}]
    found += [f"no row about {threat}" for threat in THREATS if not any(threat in f"{row[1]} " for row in table)]
    if [row[0] for row in table] != [f"S{n + 1}" for n in range(len(THREATS))]:
        found.append("the rows are not S1, S2, ...")
    for one, _, defence, proof in table:
        names = NAME.findall(proof)
        found += [f"{one}: there is no test {name}" for name in names if name not in known]
        if not defence.strip():
            found.append(f"{one} tells no defence")
        if (one in WITHOUT_TEST) != (proof == "none") or (not names and proof != "none"):
            found.append(f"{one} names no test")
        if proof != "none" and re.sub(r"[`, ]", "", proof) != "".join(names):
            found.append(f"{one}: something is no test name in: {proof}")
    return found


class Page(unittest.TestCase):
    def test_every_threat_has_its_defence_and_tests_that_exist(self):
        page, known = (ROOT / "docs/security.md").read_text(), python_tests() | google_tests()
        self.assertGreater(len(known), 700)
        self.assertEqual(faults_of(page, known), [])
        for change, fault in ((("`Cors::is_off_by_default`", "`Cors::is_gone`"), "there is no test Cors::is_gone"),
                              (("### S9 ", "### S10 "), "the rows are not"),
                              (("API6 flows", "flows"), "no row about API6")):
            self.assertIn(change[0], page)
            self.assertIn(fault, "; ".join(faults_of(page.replace(*change), known)))


class Binary(unittest.TestCase):
    def test_the_binary_is_hardened(self):
        def read(*options):
            return subprocess.run(["readelf", "-W", *options, servers.binary()], capture_output=True, text=True, check=True).stdout
        dynamic, segments, symbols = read("-d"), read("-l"), read("--dyn-syms")
        if "libasan" in dynamic or "libtsan" in dynamic or "__asan_init" in symbols:
            self.skipTest("a sanitizer brings its own")
        self.assertRegex(read("-h"), r"Type:\s+DYN \(Position-Independent Executable")
        self.assertIn("GNU_RELRO", segments)
        self.assertRegex(dynamic, r"BIND_NOW|\bNOW\b")
        self.assertRegex(segments, r"GNU_STACK .* RW\s")
        self.assertIn("__stack_chk_fail", symbols)
        self.assertIn("glibcxx_assert_fail", symbols)
        if re.search(rb"GNU C\+\+20 [^\0]* -O2 ", pathlib.Path(servers.binary()).read_bytes()):
            # gcc fortifies only optimized code; a build for quick tests has none of these functions
            self.assertRegex(symbols, r"__(memcpy|snprintf|printf|fprintf)_chk")


class Server(OwnServerTest):
    def test_the_directory_is_for_its_owner_alone(self):
        self.own_server("--fsync", "off")
        self.create("/folders", name="f")
        self.assertEqual(self.server.data.stat().st_mode & 0o777, 0o700)
        files = [file for file in self.server.data.iterdir() if file.is_file()]
        self.assertGreater(len(files), 3)
        for file in files:
            with self.subTest(file=file.name):
                self.assertEqual(file.stat().st_mode & 0o077, 0)

    def test_keys_that_others_may_read_are_refused(self):
        self.own_server("--fsync", "off")
        self.assertEqual(self.server.stop(), 0)
        for name in ("secrets.key", "pepper.key"):
            file = self.server.data / name
            file.chmod(0o640)
            with self.subTest(file=name):
                with self.assertRaisesRegex(RuntimeError, "open to other users"):
                    self.server.start()
            file.chmod(0o600)
        self.server.start()

    def test_CWE_117_no_input_makes_a_line_of_its_own(self):
        for form in ("text", "json"):
            self.own_server("--fsync", "off", "--log-format", form)
            self.server.stop()
            forged = "2026-01-01T00:00:00.000Z info forged"
            self.server.data = self.server.folder / f"data\n{forged}\r\x1b[31m\x7f"
            self.server.start()
            client = self.server.client()
            for name, value in (("X-Request-Id", "a\tb"), ("X-Request-Id", "caf\xe9"), ("traceparent", "00-\tforged"),
                                ("User-Agent", f"a\t{forged}")):
                self.assertIn(client.send("GET", "/scenarios", None, {name: value}).status, (200, 400))
            client.send("GET", f"/scenarios/%0a{forged.replace(' ', '%20')}%0d", None)
            client.send("GET", f"/scenarios?name=%0a{forged.replace(' ', '%20')}", None)
            client.close()
            self.server.stop()
            log = self.server.log.read_bytes().decode()
            with self.subTest(form=form):
                self.assertIn("forged", log)  # from the name of the directory, escaped
                for line in log.split("\n")[:-1]:
                    self.assertFalse(line.startswith(forged), line)
                    self.assertEqual([c for c in line if ord(c) < 32], [], line)
                    if form == "json":
                        json.loads(line)

    def test_S15_each_field_of_an_event_is_a_member_of_its_own(self):
        self.own_server("--fsync", "off", "--log-format", "json")
        self.ok(self.http.send("GET", "/scenarios/", None, {"X-Request-Id": 'a="b"'}), 200)
        self.server.stop()
        lines = [json.loads(line) for line in self.server.log.read_text().splitlines()]
        [asked] = [line for line in lines if line.get("id") == 'a="b"']
        self.assertEqual({name: asked[name] for name in ("event", "method", "route", "status")},
                         {"event": "request", "method": "GET", "route": "/scenarios", "status": 200})
        self.assertIsInstance(asked["ms"], float)
        hostile = self.server.folder / 'x" status=200 level="error\n{"event": "forged"}'
        hostile.write_text("no directory")
        ended = command.parley("serve", "--log-format", "json", "--data", hostile / "data")
        self.assertEqual(ended.returncode, 1, ended)
        [line] = [json.loads(line) for line in ended.stderr.splitlines()]
        self.assertEqual(sorted(line), ["event", "level", "reason", "time"])
        self.assertEqual((line["event"], line["level"]), ("cannot start", "error"))
        self.assertIn(str(hostile), line["reason"])

    def test_API6_a_key_is_held_to_its_rate_and_others_are_not(self):
        self.own_server("--fsync", "off", "--key-rate", "20")
        other = self.server.client(key=self.create("/api-keys", name="other")["key"])
        answers = [self.http.post("/folders", {"name": "f"})]
        while answers[-1].status == 201 and len(answers) < 1000:
            answers.append(self.http.post("/folders", {"name": "f"}))
        refused = answers[-1:]
        self.assertGreater(len(answers), 15)  # the share of one second, minus the requests of the setup
        self.assertEqual(self.problem(refused[0], 429)["type"], "/problems/too-many-requests")
        self.assertEqual(refused[0].headers["retry-after"], "1")
        self.ok(self.http.get("/folders"), 200)  # reads continue
        self.ok(other.post("/folders", {"name": "f"}), 201)
        other.close()


if __name__ == "__main__":
    sys.argv[0] = __file__
    cases.main()
