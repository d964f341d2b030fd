#!/usr/bin/env python3
"""`parley check-models`: checks that the models of tester and judge answer before a server uses them (D61)."""
import pathlib
import socket
import tempfile
import unittest

from support import command
from support.driven import verdict_of
from support.fakes import model
from support.fakes.base import Reply


class CheckModels(unittest.TestCase):
    def model(self, script=None, **options):
        """A fake model. By default it answers correctly as tester or judge: only the questions of the judge have a schema."""
        def good(asked):
            return verdict_of(asked) if "response_format" in asked else "What does a latte cost?"

        fake = model.Model(good if script is None else list(script), **options).start()
        self.addCleanup(fake.stop)
        return fake

    def checked(self, *options, **environment):
        ended = command.parley("check-models", *options, environment=environment)
        self.assertEqual(ended.stderr, "", ended)
        return ended.returncode, ended.stdout.splitlines()

    def test_both_are_asked_once_with_their_keys(self):
        tester, judge = self.model(key="sk-tester"), self.model(key="sk-judge")
        code, [first, second] = self.checked("--tester-url", tester.base_url, "--tester-model", "t", "--judge-url", judge.base_url,
                                             "--judge-model", "j", PARLEY_TESTER_API_KEY="sk-tester", PARLEY_JUDGE_API_KEY="sk-judge")
        self.assertEqual(code, 0)
        self.assertRegex(first, rf"\Atester: t at {tester.base_url} answered in \d+ ms\Z")
        self.assertRegex(second, rf"\Ajudge: j at {judge.base_url} answered in \d+ ms\Z")
        self.assertEqual(([each.json()["model"] for each in tester.requests], len(judge.requests)), (["t"], 1))

    def test_answers_that_cannot_be_used_are_reported_with_what_was_said_D105(self):
        wrong = ([["ready"], "wrong_shape"], [["```json\n{}\n```"], "wrong_shape"], [[""], "empty_answer"])
        for script, code in wrong:
            fake = self.model(script)
            status, [_, line] = self.checked("--judge-url", fake.base_url, "--judge-model", "j")
            self.assertEqual(status, 1)
            self.assertIn(f"FAILED ({code}): ", line)
            if script[0]:
                self.assertIn("The answer was: " + script[0].splitlines()[0], line)
        silent = self.model(["<think>What now?</think>"])
        status, [line, _] = self.checked("--tester-url", silent.base_url, "--tester-model", "t")
        self.assertIn("FAILED (empty_answer): ", line)

    def test_failures_are_reported_without_the_key(self):
        with socket.create_server(("127.0.0.1", 0)) as closed:
            nobody = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        refusing = self.model([Reply({"error": {"message": "no such model for sk-judge"}}, 404)])
        code, [first, second] = self.checked("--tester-url", nobody, "--tester-model", "t", "--judge-url", refusing.base_url,
                                             "--judge-model", "j", PARLEY_JUDGE_API_KEY="sk-judge")
        self.assertEqual(code, 1)
        self.assertIn(f"tester: t at {nobody} FAILED (connect): ", first)
        self.assertIn(f"judge: j at {refusing.base_url} FAILED (bad_status): ", second)
        self.assertIn("404", second)
        self.assertNotIn("sk-judge", second)

    def test_a_password_in_a_url_is_refused_and_not_shown(self):
        for option, given in (("--tester-url", "http://u:passw0rd@127.0.0.1:1/v1"), ("--judge-url", "passw0rd@x"),
                              ("--judge-url", "https://u:x/passw0rd@a.example/v1")):
            ended = command.parley("check-models", option, given, option.replace("url", "model"), "m")
            self.assertEqual((ended.returncode, ended.stdout), (2, ""))
            self.assertIn("must not contain credentials", ended.stderr)
            self.assertNotIn("passw0rd", ended.stderr)

    def test_one_that_answers_does_not_hide_one_that_does_not(self):
        good, bad = self.model(), self.model([Reply({"error": {"message": "later"}}, 500)])
        for tester, judge in ((good, bad), (bad, good)):
            code, _ = self.checked("--tester-url", tester.base_url, "--tester-model", "t", "--judge-url", judge.base_url,
                                   "--judge-model", "j")
            self.assertEqual(code, 1)

    def test_without_a_model_it_names_the_options_that_configure_one(self):
        code, lines = self.checked()
        self.assertEqual((code, lines), (1, ["tester: no model is configured (--tester-url, --tester-model)",
                                             "judge: no model is configured (--judge-url, --judge-model)"]))

    def test_options_come_from_a_file_and_the_environment_as_those_of_serve(self):
        fake = self.model()
        with tempfile.TemporaryDirectory(prefix="parley-options-") as folder:
            file = pathlib.Path(folder) / "parley.yaml"
            file.write_text(f"judge-url: {fake.base_url}\n")
            code, [first, second] = self.checked("--config", file, PARLEY_JUDGE_MODEL="j")
        self.assertEqual(code, 0)
        self.assertIn("no model is configured", first)
        self.assertIn("judge: j at ", second)
        ended = command.parley("check-models", "--judge-model", "j")
        self.assertEqual((ended.returncode, ended.stderr), (2, "parley: judge-url and judge-model are needed together\n"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
