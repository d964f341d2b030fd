#!/usr/bin/env python3
"""Messages for mistakes: misspelled names, options that contradict each other, reports that cannot be written."""
import json
import os
import subprocess
import unittest

from project import ProjectTest, suite, test_of
from support import server as servers
from terminal import run_on_terminal

SHOP = "  shop: {demo: true}\n"
GREETS = test_of("Greets", ["Hello", "bye"], "{icontains: order}")
FAILS = test_of("Finds order 7", ["Where is order 7?", "bye"], "{contains: on its way}")


class Mistakes(ProjectTest):
    def setUp(self):
        super().setUp()
        self.write("parley.yaml", suite(SHOP, GREETS + FAILS))

    def refused(self, *words, **more):
        ended = self.parley(*words, **more)
        self.assertEqual((ended.returncode, ended.stdout), (2, ""), ended.stderr)
        return ended.stderr

    def test_a_name_that_is_close_is_suggested(self):
        for words, meant in ((["help", "rnu"], "'run'"), (["help", "serv"], "'serve'"), (["ls", "agnets"], "'agents'"),
                             (["run", "--agent", "shpo"], '"shop"'), (["run", "--reporter", "josn"], '"json"'),
                             (["convert", "--from", "promptfo", "x"], '"promptfoo"'), (["init", "--example", "dem", "a"], '"demo"'),
                             (["run", "--update=greet"], '"greets"')):
            with self.subTest(words=words):
                self.assertIn(f"did you mean {meant}?", self.refused(*words))

    def test_help_refers_to_commands_of_the_server(self):
        for words in (["help", "backup"], ["help", "--man", "serve"]):
            with self.subTest(words=words):
                self.assertIn(f"'{words[-1]}' is a command of the server: run parley {words[-1]} --help", self.refused(*words))

    def test_json_is_refused_where_there_is_none(self):
        for verb in ("init", "retry", "rescore", "clean", "watch", "login"):
            with self.subTest(verb=verb):
                self.assertIn("--json: this command prints no JSON", self.refused(verb, "--json"))
                self.assertNotIn("--json", self.parley("help", verb).stdout)

    def test_a_column_of_a_table_names_its_field(self):
        self.parley("run")
        self.assertIn('no field "enabled"; did you mean "isEnabled"?', self.refused("ls", "tests", "--json=enabled"))

    def test_a_file_of_another_tool_is_not_stored_as_a_suite(self):
        self.write("pf.yaml", "prompts: ['{{q}}']\nproviders: [echo]\ntests:\n  - vars: {q: Hello}\n"
                              "    assert: [{type: contains, value: Hello}]\n")
        self.assertEqual(self.refused("import", "pf.yaml"),
                         "pf.yaml: error: is not a suite of parley: it looks like promptfoo; add --from promptfoo\nNothing was written.\n")

    def test_a_log_that_is_refused_is_named_with_its_line(self):
        good = json.dumps({"externalId": "a", "conversation": [{"type": "message", "role": "tester", "content": "Hi"}]})
        self.write("logs.jsonl", good + "\n\n{\"nonsense\": 1}\n")
        self.assertRegex(self.refused("import", "--logs", "logs.jsonl"), r"error: logs\.jsonl:3: the server refuses the log: ")

    def test_a_damaged_login_does_not_stop_a_local_run(self):
        self.write("home/.config/parley/credentials", "damaged")
        self.assertEqual(self.parley("run", "-g", "Greets").returncode, 0)
        self.assertIn("is damaged", self.refused("ls", "runs"))

    def test_a_suite_whose_tests_are_all_disabled_is_named(self):
        self.write("b.parley.yaml", suite(SHOP, "  - {name: A, enabled: false, script: 'say: Hello', must: [{contains: order}]}\n")
                   .replace("coffee", "tea"))
        ended = self.parley("run", "parley.yaml", "b.parley.yaml")
        self.assertIn("b.parley.yaml: note: all tests are disabled, so none is played\n", ended.stderr)

    def test_a_mistyped_command_is_not_said_to_the_agent(self):
        ended = self.parley("chat", "shop", stdin="/help\nHello\n/save s.yaml\n")
        self.assertIn("not a command: /help; /act NAME", ended.stderr)
        self.assertNotIn("/help", (self.folder / "s.yaml").read_text())

    def test_a_tag_that_no_test_has_is_an_error(self):
        self.write("parley.yaml", suite(SHOP, "  - {name: A, tags: [smoke], script: 'say: Hello', must: [{contains: order}]}\n"))
        self.assertIn('no test has the tag "smoek"; did you mean "smoke"?', self.refused("run", "--tag", "smoke", "--tag", "smoek"))
        self.assertEqual(self.parley("run", "--ephemeral", "--tag", "smoek", "--allow-empty").returncode, 0)

    def test_an_agent_that_is_close_is_suggested(self):
        self.parley("run")
        for words in (["chat", "shp"], ["agent", "check", "shp"]):
            with self.subTest(words=words):
                self.assertIn('there is no agent "shp"; did you mean "shop"?', self.refused(*words))

    def test_validate_and_run_refuse_the_same_files(self):
        more = {"reporters: [josn]\n": 'parley.yaml:3:13: error: unknown reporter "josn"; did you mean "json"?',
                "matrix: {exclude: [{agent: shop}]}\n": 'parley.yaml:3:10: error: "exclude" leaves no case to play'}
        for line, expected in more.items():
            self.write("parley.yaml", suite(SHOP, GREETS, line))
            for verb in ("validate", "run"):
                with self.subTest(line=line, verb=verb):
                    self.assertIn(expected, self.refused(verb))

    def test_a_refusal_of_the_service_names_the_member_of_an_agent(self):
        agent = "  a: {http: 'http://127.0.0.1:9/', oauth: {clientId: x}}\n"
        self.write("parley.yaml", suite(agent, GREETS))
        self.assertRegex(self.refused("run"), r'parley\.yaml:\d+:\d+: error: "oauth\.tokenUrl" is required')

    def test_a_path_that_cannot_be_read_is_wrong_use(self):
        os.mkfifo(self.folder / "pipe")
        (self.folder / "loop").symlink_to("loop")
        for path, why in (("pipe", "pipe is not a regular file"), ("loop", "cannot read loop: Too many levels of symbolic links"),
                          ("n" * 300, "File name too long"), ("parley.yaml:0", "no test is at line 0")):
            with self.subTest(path=path):
                self.assertIn(why, self.refused("validate", path))

    def test_a_deleted_working_directory_is_wrong_use(self):
        for verb in ("validate", "run", "apply"):
            with self.subTest(verb=verb):
                ended = subprocess.run(["sh", "-c", f"mkdir -p gone && cd gone && rmdir ../gone && exec '{servers.binary()}' {verb}"],
                                       cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual(ended.returncode, 2, ended.stderr)

    def test_each_key_of_a_filter_is_listed_once(self):
        self.parley("run")
        listed = self.refused("ls", "--filter", "foo=x").split("there are ")[1].split(" and field.NAME")[0].split(", ")
        self.assertEqual(len(listed), len(set(listed)), listed)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_output_that_cannot_be_written_is_not_success(self):
        def into_full(*words):
            with open("/dev/full", "w", encoding="utf-8") as full:
                return subprocess.run([servers.binary(), *words], cwd=self.folder, env=self.environment, stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual(into_full("run", "--reporter", "json").returncode, 1)
        self.write("parley.yaml", suite(SHOP, GREETS))
        self.parley("run")
        for words, code in ((["run", "--reporter", "json"], 3), (["gate"], 3), (["ls"], 2), (["show", "last"], 2), (["schema"], 2),
                            (["validate"], 2), (["export", "last", "-f", "json"], 2)):
            with self.subTest(words=words):
                ended = into_full(*words)
                self.assertEqual(ended.returncode, code, ended.stderr)
                self.assertIn("standard output cannot be written: No space left on device", ended.stderr)

    def test_a_color_that_does_not_exist_is_refused_by_every_command(self):
        for words in (["run"], ["validate"], ["ls"], ["version"]):
            self.assertIn("--color must be auto, always or never", self.refused(*words, "--color", "sometimes"))

    def test_a_report_that_cannot_be_written_is_noticed_before_the_run(self):
        (self.folder / "folder").mkdir()
        before = (self.folder / "parley.yaml").read_text()
        for name, why in (("junit:folder", "it is a folder"), ("junit:parley.yaml/x.xml", "parley.yaml is not a folder"),
                          ("junit:parley.yaml", "is a file that this command reads")):
            with self.subTest(name=name):
                self.assertIn(why, self.refused("run", "--reporter", name))
        for words in (["json", "--reporter", "junit"], ["json:-", "--reporter", "csv:-"], ["junit", "--json"]):
            self.assertIn("both go to standard output", self.refused("run", "--reporter", *words))
        self.assertIn("is also the file of another report", self.refused("run", "--reporter", "json:o/a", "--reporter", "junit:./o/a"))
        self.assertEqual((self.folder / "parley.yaml").read_text(), before)
        self.assertFalse((self.folder / ".parley").exists())

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_report_that_fails_after_the_run_leaves_its_code_but_never_0(self):
        self.assertEqual(self.parley("run", "--ephemeral", "--reporter", "junit:/dev/full").returncode, 1)
        self.write("parley.yaml", suite(SHOP, GREETS))
        ended = self.parley("run", "--ephemeral", "--reporter", "junit:/dev/full")
        self.assertEqual(ended.returncode, 3)
        self.assertIn("/dev/full cannot be written: No space left on device", ended.stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_summary_that_cannot_be_written_is_not_success(self):
        self.write("parley.yaml", suite(SHOP, GREETS))
        ended = self.parley("run", "--ephemeral", "-qq", GITHUB_STEP_SUMMARY="/dev/full")
        self.assertEqual(ended.returncode, 3)
        self.assertIn("/dev/full cannot be written: No space left on device", ended.stderr)

    def test_a_dash_is_standard_output(self):
        written = self.parley("run", "--reporter", "json:-")
        self.assertEqual(json.loads(written.stdout)["counts"]["cases"], 2)
        self.assertEqual(json.loads(self.parley("export", "last", "-o", "-").stdout)["counts"]["cases"], 2)
        self.assertFalse((self.folder / "-").exists())

    def test_a_report_is_printed_as_json(self):
        self.parley("run", "--ephemeral", "--reporter", "jsonl:r.jsonl")
        before = (self.folder / "r.jsonl").read_text()
        self.assertEqual(json.loads(self.parley("report", "r.jsonl", "--json").stdout)["counts"]["cases"], 2)
        self.assertIn("is a file that this command reads", self.refused("report", "r.jsonl", "--reporter", "jsonl:r.jsonl"))
        self.assertEqual((self.folder / "r.jsonl").read_text(), before)

    def test_fields_are_refused_by_commands_that_print_all_of_them(self):
        for words in (["version", "--json=version"], ["run", "--json=f,g"], ["gate", "--json=bogus"]):
            self.assertIn("write --json", self.refused(*words))

    def test_a_full_disk_is_not_damage(self):
        self.parley("run")
        for words in ("run -q --timeout 1s", "clean --all --timeout 1s"):
            with self.subTest(words=words):
                size = (self.folder / ".parley/data/data.mdb").stat().st_size // 1024
                ended = subprocess.run(["bash", "-c", f'ulimit -f {size}; exec "$0" {words}', servers.binary()], cwd=self.folder,
                                       env=self.environment, capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual(ended.returncode, 5, ended.stdout + ended.stderr)
                self.assertIn("The disk is full", ended.stderr)

    def test_a_cut_off_report_and_a_missing_shard_decide_nothing(self):
        self.write("parley.yaml", suite(SHOP, "".join(GREETS.replace("Greets", f"Greets {i}") for i in range(8))))
        for part in (1, 2, 3):
            self.parley("run", "--ephemeral", "--shard", f"{part}/3", "--reporter", f"jsonl:s{part}.jsonl")
        lines = (self.folder / "s1.jsonl").read_text().splitlines()
        self.write("cut.jsonl", "\n".join(lines[:1]) + "\n")
        for verb in ("gate", "report"):
            ended = self.parley(verb, "cut.jsonl")
            self.assertEqual(ended.returncode, 3)
            self.assertIn("cut.jsonl: no line has the type report", ended.stdout)
            ended = self.parley(verb, "s1.jsonl", "s3.jsonl")
            self.assertEqual(ended.returncode, 3)
            self.assertIn("the report of shard 2/3 is missing", ended.stdout)
            self.assertEqual(self.parley(verb, "s1.jsonl", "s3.jsonl", "--allow-missing").returncode, 0)
            self.assertEqual(self.parley(verb, "s1.jsonl", "s2.jsonl", "s3.jsonl").returncode, 0)

    def test_a_report_that_is_given_twice_does_not_count_twice(self):
        self.parley("run", "--ephemeral", "--reporter", "jsonl:r.jsonl")
        self.assertIn("is also in r.jsonl", self.refused("report", "r.jsonl", "r.jsonl"))

    def test_a_turn_and_a_run_that_do_not_exist_are_named(self):
        self.parley("run")
        result = json.loads(self.parley("results", "--json=id").stdout)[0]["id"]
        self.assertIn("the result has no turn 99", self.refused("show", result, "--turn", "99"))
        self.assertIn('there is no run or result "nope"', self.refused("tail", "nope"))

    def test_init_refuses_what_its_suite_could_not_use(self):
        self.assertIn("begins with http", self.refused("init", "--http", "nowhere", "a"))
        self.assertIn("password", self.refused("init", "--http", "http://me:word@x", "a"))
        self.assertIn("contradict", self.refused("init", "--http", "http://x", "--exec", "b"))
        self.assertEqual([(self.folder / name).exists() for name in "ab"], [False, False])

    def test_watch_ends_if_there_is_no_file_to_wait_for(self):
        self.assertIn("there is no file nowhere.yaml", self.refused("watch", "nowhere.yaml"))

    def test_a_refused_key_is_explained_in_words_of_the_command_line(self):
        with servers.Server() as server:
            url = f"http://127.0.0.1:{server.address[1]}"
            ended = self.parley("ls", "--server", url, PARLEY_KEY="wrong" * 10)
        self.assertEqual(ended.returncode, 5)
        self.assertIn(f"refuses the key: check PARLEY_KEY, or run `parley login {url}`", ended.stderr)

    def test_what_ended_in_spite_of_fail_fast_is_not_left(self):
        self.write("parley.yaml", suite(SHOP, FAILS))
        report, _ = self.run_to_report("--fail-fast", "--repeat", "3", code=1)
        canceled = report["counts"]["canceled"]
        stopped = [each for each in report["reasons"] if each.startswith("stopped")]
        self.assertEqual(bool(stopped), canceled > 0, report["reasons"])
        for each in stopped:
            self.assertIn(f"{canceled} of 3 left", each)


class Terminals(ProjectTest):
    def test_neither_ci_nor_a_dumb_terminal_gets_escape_sequences(self):
        self.write("parley.yaml", suite(SHOP, FAILS))
        for more in ({"TERM": "xterm", "CI": "true"}, {"TERM": "dumb"}):
            code, written = run_on_terminal([servers.binary(), "run", "--ephemeral"], 80, self.folder, {**self.environment, **more})
            self.assertEqual(code, 1)
            self.assertNotIn(b"\x1b", written)


if __name__ == "__main__":
    unittest.main()
