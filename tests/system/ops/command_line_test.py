#!/usr/bin/env python3
"""The command line (D90): every usage error exits with 2 and one form of message; the options and their defaults."""
import pathlib
import re
import resource
import socket
import tempfile
import unittest

from support import command
from support import server as servers
from support.cases import OwnServerTest

DEFAULT = re.compile(r"\(([^()]*)\)\s*$")


def help_of(*words):
    """{option: its help text, on one line}."""
    ended = command.parley(*words, "--help")
    assert ended.returncode == 0, ended
    told = {}
    for line in ended.stdout.splitlines():
        if found := re.match(r"  (?:-h,)?--([a-z-]+)", line):
            name = found.group(1)
            told[name] = line
        elif told and line.startswith("      "):
            told[name] += " " + line.strip()
    return told


class WrongUse(unittest.TestCase):
    """None of these tests starts a server or touches a directory."""

    def refused(self, *words, why, **options):
        ended = command.parley(*words, **options)
        with self.subTest(words=words):
            self.assertEqual((ended.returncode, ended.stdout), (2, ""), ended)
            self.assertRegex(ended.stderr, r"\Aparley: [^\n]+\n\Z")
            self.assertIn(why, ended.stderr)

    def test_D90_an_unknown_argument_suggests_what_was_probably_meant(self):
        for words, why in ((("srve",), "unknown command 'srve'; did you mean 'serve'?"),
                           (("foo",), "unknown command 'foo'; there are serve, check-models, backup, restore, doctor, migrate, rebase, audit, init, run, "),
                           (("--versoin",), "unknown option '--versoin'; did you mean '--version'?"),
                           (("serve", "--liste", "x"), "unknown option '--liste'; did you mean '--listen'?"),
                           (("serve", "--max-trns=3"), "unknown option '--max-trns'; did you mean '--max-turns'?"),
                           (("serve", "somewhere"), "unexpected argument 'somewhere'; did you mean '--data somewhere'?"),
                           (("backup", "--foo"), "unknown option '--foo'"),
                           (("backup", "FILE", "--dta", "x"), "unknown option '--dta'; did you mean '--data'?"),
                           (("restore", "FILE", "--key", "x"), "unknown option '--key'; did you mean '--keys'?"),
                           (("doctor", "DIR"), "unexpected argument 'DIR'; did you mean '--data DIR'?"),
                           (("audit", "vrify"), "unknown command 'vrify'; did you mean 'verify'?"),
                           (("audit", "show", "--form", "1"), "unknown option '--form'; did you mean '--from'?"),
                           (("audit", "verify", "-v"), "unknown option '-v'")):
            self.refused(*words, why=why)

    def test_missing_duplicate_and_malformed_arguments_are_reported(self):
        for words, why in ((("backup",), "the FILE is missing"), (("restore", "--data", "x"), "the FILE is missing"),
                           (("audit",), "audit needs a command: verify or show"),
                           (("audit", "show", "--from", "x"), "from must be an integer"),
                           (("audit", "show", "--from", "-1"), "from must be an integer"),
                           (("audit", "verify", "--head", "7"), "head must be SEQ:HASH"),
                           (("serve", "--audit"), "the option '--audit' needs a value"),
                           (("doctor", "--data"), "the option '--data' needs a value"),
                           (("serve", "--audit", "on", "--audit", "off"), "'--audit' is given twice"),
                           (("doctor", "--data", "x", "--data", "y"), "'--data' is given twice"),
                           (("serve", "--audit", "yes"), "command line: audit must be on or off"),
                           (("serve", "--tester-url", "http://x/v1"), "tester-url and tester-model are needed together"),
                           (("serve", "--judge-model", "m"), "judge-url and judge-model are needed together"),
                           (("serve", "--tester", "model"), "tester model needs tester-url and tester-model")):
            self.refused(*words, why=why)
        self.refused("serve", environment={"PARLEY_AUDIT": "x"}, why="environment: audit must be on or off")
        self.assertEqual(command.parley().returncode, 2)

    def test_meaningless_values_are_refused(self):
        for option, value, why in (("public-url", "nonsense", "must be a URL such as https://parley.example.com"),
                                   ("public-url", "https://", "must be a URL"), ("public-url", "http:///x", "must be a URL"),
                                   ("tester-url", "http://a b", "must be a URL such as https://api.example.com/v1"),
                                   ("tester-url", "https://a.example/v1/chat/completions", "tester-url must be the base URL of the endpoint"),
                                   ("judge-url", "https://a.example/v1/chat/completions/", "appends /chat/completions"),
                                   ("tester-url", "http://u:passw0rd@a.example/v1", "put the key in PARLEY_TESTER_API_KEY"),
                                   ("judge-url", "http://u:pa/ss@a.example/v1", "put the key in PARLEY_JUDGE_API_KEY"),
                                   ("max-body", "0", "max-body must be at least 1KiB"),
                                   ("max-body", "1023", "max-body must be at least 1KiB"),
                                   ("map-size", "1KiB", "map-size must be at least 1MiB"),
                                   ("retention", "90y", "must be a duration such as"),
                                   ("github-timeout", "0s", "github-timeout must be at least 1ms"),
                                   ("local-lease", "0", "local-lease must be at least 1ms"),
                                   ("allow-private-agents", "10.0.0.0/8,", "must be true, false, or networks"),
                                   ("allow-private-agents", "10.0.0.0/8,,10.0.0.1", "must be true, false, or networks"),
                                   ("listen", "127.0.0.1:7410x", "must be HOST:PORT")):
            self.refused("serve", f"--{option}", value, why=why)

    def test_D1_a_base_path_that_no_request_can_have_is_refused(self):
        for path in ("x", "/", "/x/", "/x//y", "//x", "/a b", "/x?y", "/x#y", "/ü", "/%2f", "/%41", "/x>", "/x;y", "/.", "/..", "/../x",
                     "/x/./y", "/x/.."):
            self.refused("serve", "--base-path", path, why="base-path must be segments of letters, digits")

    def test_an_empty_value_is_refused_unless_it_means_none(self):
        """Usually a shell variable is not set, and an option that limits something would have no effect."""
        for option in ("allow-private-agents", "metrics-public", "new-admin-key", "new-secrets-key", "keep-answers"):
            for words in ((f"--{option}", ""), (f"--{option}=",), (f"--{option}", "", "--audit", "on")):
                self.refused("serve", *words, why=f"the option '--{option}' has an empty value")
            self.refused("serve", environment={f"PARLEY_{option.upper().replace('-', '_')}": ""}, why=f"environment: {option} must be ")
        self.refused("serve", "--tester-model=", "--tester-url", "http://x/v1", why="the option '--tester-model' has an empty value")
        self.refused("serve", "--config", "", why="config must be a file")
        self.refused("serve", environment={"PARLEY_CONFIG": ""}, why="config must be a file")
        self.refused("serve", "--cors-origins", "", why="must be * or a list of origins")
        self.refused("serve", environment={"PARLEY_LOG_FILE": ""}, why="log-file must be a file")
        self.refused("serve", environment={"PARLEY_UI_DIR": ""}, why="ui-dir must be a directory")
        with tempfile.TemporaryDirectory(prefix="parley-options-") as folder:
            file = pathlib.Path(folder) / "parley.yaml"
            for option in ("allow-private-agents", "audit", "retention"):
                file.write_text(f"{option}: ''\n")
                self.refused("serve", "--config", file, why=f"{file}: {option} must be ")

    def test_the_file_of_options_is_read_strictly(self):
        with tempfile.TemporaryDirectory(prefix="parley-options-") as folder:
            file = pathlib.Path(folder) / "parley.yaml"
            self.refused("serve", "--config", file, why=f"{file}: does not exist")
            self.refused("serve", "--config", folder, why=f"{folder}: is a directory")
            for text, why in (("audit: on\nthreads: 1\naudit: off\n", "audit is given twice"),
                              ("retenton: 90d\n", "unknown option 'retenton'; did you mean 'retention'?"),
                              ("tester-parameters: {temperature: 0}\n", "tester-parameters must be a plain value; put JSON in quotes"),
                              ("- audit\n", "must be a map of options"), ("max-body: 7\n", "max-body must be at least 1KiB"),
                              ("audit: on\n---\nthreds: 1\n", "must be one YAML document, but holds several"),
                              ("audit: on\n...\nretention: 90d\n", "must be one YAML document, but holds several"),
                              ("{audit: on}\nthreads: 1\n", "must be one YAML document, but holds several")):
                file.write_text(text)
                self.refused("serve", "--config", file, why=why)

    def test_D3_a_first_start_on_a_full_disk_says_what_to_do(self):
        with tempfile.TemporaryDirectory(prefix="parley-data-") as data:
            ended = command.parley("serve", "--listen", "127.0.0.1:0", "--data", data, "--disk-free-min", "60000GiB")
        self.assertEqual(ended.returncode, 1, ended)
        for words in ("The admin's key cannot be stored", "The disk is full", "--disk-free-min", "make room"):
            self.assertIn(words, ended.stderr)
        self.assertNotIn("reading still works", ended.stderr)

    def test_a_map_without_room_is_reported_with_its_option(self):
        most = 8 << 30
        ended = command.parley("serve", "--listen", "127.0.0.1:0", "--data", "new",
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
        self.assertEqual(ended.returncode, 1, ended)
        self.assertIn("reduce --map-size", ended.stderr)

    def test_an_unavailable_address_is_not_damage(self):
        with socket.create_server(("127.0.0.1", 0)) as taken, tempfile.TemporaryDirectory(prefix="parley-data-") as data:
            for address in (f"127.0.0.1:{taken.getsockname()[1]}", "203.0.113.7:0", "no-such-host.invalid:0"):
                ended = command.parley("serve", "--data", data, "--listen", address)
                self.assertEqual(ended.returncode, 1, ended)
                self.assertIn("cannot listen on", ended.stdout + ended.stderr)

    def test_help_and_version_are_not_usage_errors(self):
        for words in (("--help",), ("--version",), ("serve", "--help"), ("audit", "show", "--help"), ("backup", "-h")):
            ended = command.parley(*words)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""), words)
            self.assertIn("parley" if words[0] != "backup" else "FILE", ended.stdout + "parley")

    def test_every_exit_code_is_documented(self):
        codes = re.findall(r"constexpr int exit_\w+\s*=\s*(\d+);", (servers.ROOT / "app/options/exit_codes.hpp").read_text())
        self.assertEqual(sorted(codes), ["1", "2", "3", "4"])
        section = (servers.ROOT / "docs/operating.md").read_text().partition("## Exit codes")[2].partition("\n## ")[0]
        self.assertEqual(re.findall(r"^\| (\d+) \|", section, re.M), ["0", *sorted(codes)])


class Models(OwnServerTest):
    def test_version_reports_which_models_are_configured(self):
        url = "http://127.0.0.1:1/v1"
        for options, tester, judge in (((), False, False), (("--tester-url", url, "--tester-model", "m"), True, False),
                                       (("--tester-url", url, "--tester-model", "m", "--tester", "script"), False, False),
                                       (("--judge-url", url, "--judge-model", "m"), False, True)):
            self.own_server("--fsync", "off", *options)
            self.assertEqual(self.ok(self.http.get("/version"))["models"], {"tester": tester, "judge": judge})
            self.assertEqual(self.server.stop(), 0)


class Taken(OwnServerTest):
    def test_options_that_have_no_value_by_default_can_be_given_none(self):
        """A command line can thus reset an option of the configuration file."""
        self.own_server("--fsync", "off", *(word for option in ("base-path", "tester-url", "tester-model", "judge-url", "judge-model", "public-url")
                                            for word in (f"--{option}", "")))
        self.assertEqual(self.ok(self.http.get("/version"))["models"], {"tester": False, "judge": False})
        self.assertEqual(self.server.stop(), 0)

    def test_a_switch_alone_says_true(self):
        self.own_server("--metrics-public", "--fsync", "off", "--allow-private-agents")
        stranger = self.server.client(key="none")
        self.addCleanup(stranger.close)
        self.assertEqual(stranger.get("/metrics").status, 200)
        self.assertEqual(self.server.stop(), 0)


class Warned(OwnServerTest):
    def log_with(self, *options, **environment):
        server = servers.Server("--fsync", "off", *options)
        self.addCleanup(server.remove)
        server.environment = environment
        server.start()
        self.assertEqual(server.stop(), 0)
        return server.log.read_text()

    def test_D94_a_retention_without_a_unit_is_warned_of(self):
        for name in ("retention", "audit-retention"):
            log = self.log_with(f"--{name}", "9000")
            self.assertIn(f'is deleted for good option={name} given=9000 write="9000s, or 9000d for days"', log)
        self.assertNotIn("deleted for good", self.log_with("--retention", "9000s", "--audit-retention", "0", PARLEY_RETENTION="9"))

    def test_an_unknown_variable_is_warned_of_without_its_value(self):
        log = self.log_with(PARLEY_RETENTON="90d-of-old", PARLEY_PORT="7", PARLEY_KEY="x", PARLEY_THREADS="1")
        self.assertIn('warning unknown environment variable name="PARLEY_RETENTON" meant=PARLEY_RETENTION', log)
        self.assertIn('name="PARLEY_PORT"', log)
        self.assertEqual(log.count("unknown environment variable"), 2, log)
        self.assertNotIn("90d-of-old", log)

    def test_D81_a_key_that_comes_too_late_is_warned_of_and_used_if_another_admin_is_requested(self):
        server, late = servers.Server("--fsync", "off"), "another-key-of-an-operator"
        self.addCleanup(server.remove)
        for environment, options, warns, status in (({}, [], False, 401), ({}, [], False, 401),
                                                    ({"PARLEY_BOOTSTRAP_KEY": late}, [], True, 401),
                                                    ({"PARLEY_BOOTSTRAP_KEY": late}, ["--new-admin-key", "true"], False, 200),
                                                    ({"PARLEY_BOOTSTRAP_KEY": late}, [], False, 200)):
            server.environment, server.options = environment, ["--fsync", "off", *options]
            server.log.write_text("")
            server.start()
            client = server.client(key=late)
            self.assertEqual(client.get("/users").status, status)
            client.close()
            self.assertEqual(server.stop(), 0)
            self.assertEqual("PARLEY_BOOTSTRAP_KEY is not used" in server.log.read_text(), warns)
        ended = command.parley("serve", "--listen", "127.0.0.1:0", "--data", server.data, "--new-admin-key", "true",
                               environment={"PARLEY_BOOTSTRAP_KEY": late})
        self.assertEqual(ended.returncode, 1, ended)
        self.assertIn("was used before", ended.stderr)

    def test_the_smallest_of_each_size_serves(self):
        server = servers.Server("--map-size", "1MiB", "--max-body", "1KiB")
        self.addCleanup(server.remove)
        server.start()
        client = server.client()
        self.ok(client.post("/scenarios/", {"name": "s"}), 201)
        client.close()
        self.assertEqual(server.stop(), 0)
        server.start()


class Defaults(unittest.TestCase):
    def test_the_documented_defaults_are_those_of_the_help(self):
        told = help_of("serve")
        section = (servers.ROOT / "docs/reference/command-line.md").read_text()
        compared = 0
        for names, values in re.findall(r"^\| (`--[^|]*(?:\\\|[^|]*)*) \| ([^|]*) \|", section, re.M):
            names = re.findall(r"--([a-z-]+)", names)
            values = [value.strip(" `").partition(" (")[0] for value in values.split(",")]
            if len(names) != len(values):
                continue
            for name, value in zip(names, values):
                if value == "none" or " " in value:   # described in words
                    continue
                found = DEFAULT.search(told[name])
                with self.subTest(option=name):
                    self.assertIsNotNone(found, told[name])
                    self.assertEqual(found.group(1), value)
                compared += 1
        self.assertGreater(compared, 20)


if __name__ == "__main__":
    unittest.main(verbosity=1)
