#!/usr/bin/env python3
"""Agents that are commands: four languages in three modes, and commands that misbehave. No process is left over."""
import json
import os
import shutil
import subprocess
import sys
import time
import unittest

from project import ECHO, ProjectTest, suite, test_of

BASH = r'''while read -r line; do
  message=$(printf %s "$line" | sed 's/.*"message":"\([^"]*\)".*/\1/')
  printf '{"message":"You said: %s"}\n' "$message"
done
'''
NODE = r'''const lines = require("readline").createInterface({input: process.stdin});
lines.on("line", line => console.log(JSON.stringify({message: "You said: " + JSON.parse(line).message})));
'''
C = r'''#include <stdio.h>
#include <string.h>
int main(void) {
  static char line[65536];
  while (fgets(line, sizeof line, stdin)) {
    char* begin = strstr(line, "\"message\":\"");
    if (!begin) return 1;
    begin += strlen("\"message\":\"");
    *strchr(begin, '"') = 0;
    printf("{\"message\":\"You said: %s\"}\n", begin);
    fflush(stdout);
  }
}
'''
# A child process that keeps standard output open after the command has ended.
HOLDS = '''import json, subprocess, sys
turn = json.loads(sys.stdin.readline())
subprocess.Popen(["sleep", "300"])
print(json.dumps({"message": "You said: " + turn["message"]}), flush=True)
'''
FAULTY = {
    "hangs": ("import time\ntime.sleep(300)\n", "timeout"),
    "ignores SIGTERM": ("import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(300)\n", "timeout"),
    "crashes": ("import os, sys\nsys.stdin.readline()\nos.kill(os.getpid(), 11)\n", "exit"),
    "prints garbage": ("import sys\nprint('\\x00\\xff{', flush=True)\nsys.stdin.read()\n", "not_json"),
    "uses another key": ("import sys\nfor line in sys.stdin:\n    print('{\"msg\": \"hi\"}', flush=True)\n", "empty_answer"),
    "closes its output": ("import os, sys, time\nsys.stdin.readline()\nos.close(1)\ntime.sleep(300)\n", None),
    "does not exist": (None, None),
}


class Commands(ProjectTest):
    def tearDown(self):
        left = [each for each in os.listdir("/proc") if each.isdigit() and self.is_of_this_test(each)]
        self.assertEqual(left, [])

    def is_of_this_test(self, process):
        try:
            return os.readlink(f"/proc/{process}/cwd") == str(self.folder)
        except OSError:
            return False

    def played(self, command, mode, tests=2, **settings):
        more = "".join(f", {key}: {value}" for key, value in settings.items())
        cases = "".join(test_of(f"Echoes {n}", ["Hello", f"Again {n}"], f"{{contains: \"You said: Again {n}\"}}") for n in range(tests))
        self.write("parley.yaml", suite(f"  bot: {{exec: {json.dumps(command)}, mode: {mode}{more}}}\n", cases))
        return self.run_to_report()[0]["results"]

    def commands(self):
        self.write("echo.py", ECHO)
        self.write("echo.sh", BASH)
        self.write("echo.js", NODE)
        self.write("echo.c", C)
        found = {"python": [sys.executable, "echo.py"], "bash": ["bash", "echo.sh"]}
        if shutil.which("node"):
            found["node"] = ["node", "echo.js"]
        if shutil.which("cc"):
            subprocess.run(["cc", "-o", str(self.folder / "echo"), str(self.folder / "echo.c")], check=True)
            found["c"] = ["./echo"]
        return found

    def test_every_language_holds_conversations_in_every_mode(self):
        for language, command in self.commands().items():
            for mode in ("session", "turn", "{pool: 2}"):
                with self.subTest(language=language, mode=mode):
                    states = [each["state"] for each in self.played(command, mode)]
                    self.assertEqual(states, ["passed", "passed"])

    def test_a_command_that_misbehaves_is_a_fault_of_the_agent(self):
        for what, (text, code) in FAULTY.items():
            with self.subTest(what=what):
                if text is not None:
                    self.write("bot.py", text)
                command = [sys.executable, "bot.py"] if text is not None else ["./no-such-program"]
                [result] = self.played(command, "session", tests=1, timeout="2s")
                self.assertEqual((result["state"], result["fault"]["source"]), ("fault", "agent"), result)
                if code is not None:
                    self.assertEqual(result["fault"]["code"], code)

    def test_what_a_process_prints_in_mode_turn_is_its_whole_answer(self):
        for text, outcome in (("", "empty_answer"), ('{"message": "You said: Again 0"', "not_json"),
                              ('{"message": "You said: Again 0"}\n{"message": "b"}', "not_json"), ("You said: Again 0", None)):
            with self.subTest(text=text):
                self.write("bot.py", f"import sys\nsys.stdin.read()\nprint({text!r})\n")
                [result] = self.played([sys.executable, "bot.py"], "turn", tests=1)
                self.assertEqual((result["state"], (result["fault"] or {}).get("code")), ("fault", outcome) if outcome else ("passed", None))

    def test_a_line_that_no_turn_asked_for_is_not_the_answer_to_the_next(self):
        for mode in ("session", "{pool: 1}"):
            with self.subTest(mode=mode):
                self.write("bot.py", "import json, sys\nfor line in sys.stdin:\n    turn = json.loads(line)\n"
                                     "    for text in (turn['message'], 'You said: Again 0'):\n        print(json.dumps({'message': text}), flush=True)\n")
                [result] = self.played([sys.executable, "bot.py"], mode, tests=1)
                self.assertEqual((result["state"], result["fault"]["code"]), ("fault", "not_json"))

    def test_a_greeting_leaves_a_run_of_one_turn_undecided(self):
        # The pause makes the answer come after the last turn; without it, it may be found in the turn.
        self.write("bot.py", "import json, sys, time\nprint(json.dumps({'message': 'You said: Hello'}), flush=True)\n"
                             "for line in sys.stdin:\n    time.sleep(0.3)\n    print(json.dumps({'message': 'I do not know'}), flush=True)\n")
        self.write("parley.yaml", suite(f"  bot: {{exec: {json.dumps([sys.executable, 'bot.py'])}}}\n",
                                        test_of("Greets", ["Hello"], "{contains: \"You said: Hello\"}")))
        ended = self.parley("run")
        self.assertEqual(ended.returncode, 3, ended.stdout + ended.stderr)
        self.assertIn("printed more than one line for a turn in 1 conversation", ended.stdout + ended.stderr)

    def test_text_that_a_program_prints_when_its_input_ends_is_no_answer(self):
        self.write("echo.py", ECHO + "print('goodbye')\n")
        self.assertEqual([each["state"] for each in self.played([sys.executable, "echo.py"], "session")], ["passed", "passed"])

    def test_a_folder_that_does_not_exist_is_named(self):
        [result] = self.played([sys.executable, "echo.py"], "session", tests=1, cwd="nowhere")
        self.assertIn("there is no folder", result["fault"]["detail"])
        self.assertIn("nowhere", result["fault"]["detail"])

    def test_arguments_of_a_call_outside_its_metadata_are_a_fault(self):
        self.write("bot.py", "import json, sys\nfor line in sys.stdin:\n"
                             "    print(json.dumps({'message': 'a', 'tools': [{'name': 'book', 'arguments': {'n': 2}}]}), flush=True)\n")
        [result] = self.played([sys.executable, "bot.py"], "session", tests=1)
        self.assertEqual(result["fault"]["code"], "wrong_shape")
        self.assertIn("tools[0].metadata.arguments", result["fault"]["detail"])

    def test_a_line_of_one_mebibyte_is_read(self):
        self.write("bot.py", "import json, sys\nfor line in sys.stdin:\n    turn = json.loads(line)\n"
                             "    print(json.dumps({'message': 'You said: ' + turn['message'] + ' ' * 900000 + 'x' * 1000}), flush=True)\n")
        [result] = self.played([sys.executable, "bot.py"], "session", tests=1)
        self.assertIn(result["state"], ("passed", "fault"), result)

    def test_a_child_that_holds_standard_output_delays_nothing(self):
        self.write("bot.py", HOLDS)
        begun = time.monotonic()
        self.played([sys.executable, "bot.py"], "turn", tests=1)
        self.assertLess(time.monotonic() - begun, 40)


if __name__ == "__main__":
    unittest.main()
