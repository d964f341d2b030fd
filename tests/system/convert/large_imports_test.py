#!/usr/bin/env python3
"""Large files of chat messages: 50 MB are converted within 200 MB of memory, one very long conversation is read in linear time,
and 10,000 lines are stored through the batch endpoint. The rate is printed; the test fails only below a rate that every machine
should reach."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

import imports
from support import cases

MEGABYTES_MAX = 200
CALLS = 100_000
PROCESSOR_SECONDS_MAX = 20
LINES = 10_000
LINES_PER_SECOND_MIN = 1_000


def chat(number, words):
    said = [{"role": "user" if turn % 2 == 0 else "assistant", "content": f"{number} {turn} " + words} for turn in range(4)]
    return json.dumps({"id": f"chat-{number}", "messages": said}) + "\n"


class LargeImports(cases.OwnServerTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, lines, words):
        path = self.folder / name
        with open(path, "w", encoding="utf-8") as file:
            for number in range(lines):
                file.write(chat(number, words))
        return path

    def test_50_megabytes_fit_into_bounded_memory(self):
        path = self.write("large.jsonl", LINES, "word " * 250)
        self.assertGreater(path.stat().st_size, 50_000_000)
        out = self.folder / "out"
        out.mkdir()
        process = subprocess.Popen([*imports.PROGRAM, "--from", "openai-jsonl", str(path), "-o", str(out)],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = process.stdout.read()
        process.stdout.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assertIn(f"{LINES} logs", said)
        print(f"50 MB: {used.ru_maxrss // 1024} MB of memory")
        self.assertLessEqual(used.ru_maxrss // 1024, MEGABYTES_MAX)

    def test_one_long_conversation_is_read_in_linear_time(self):
        """Each file takes 30 seconds or more if every message is compared with all earlier ones. All exceed the limits of a log."""
        calls = [{"role": "assistant", "tool_calls": [{"id": f"c{n}", "function": {"name": "f", "arguments": "{}"}}]}
                 for n in range(CALLS)]
        results = [{"role": "tool", "tool_call_id": f"c{n}", "content": "r"} for n in reversed(range(CALLS))]
        texts = [{"role": "assistant", "content": [{"type": "tool_use", "id": f"c{n}", "name": "f", "input": {}},
                                                   {"type": "text", "text": "t"}]} for n in range(CALLS)]
        instructions = [{"role": "system", "content": f"rule {n}"} for n in range(CALLS)]
        for name, messages in {"results": calls + results, "texts": texts, "instructions": instructions}.items():
            with self.subTest(name):
                path = self.folder / f"{name}.jsonl"
                path.write_text(json.dumps({"messages": [{"role": "user", "content": "Q"}, *messages]}) + "\n", encoding="utf-8")
                before = os.times()
                done = imports.convert("openai-jsonl", [str(path)], self.folder / "out", timeout=600)
                after = os.times()
                self.assertIn("limited to", done.stderr)
                seconds = after.children_user - before.children_user
                print(f"{name}: {seconds:.1f} s of processor time")
                self.assertLess(seconds, PROCESSOR_SECONDS_MAX)

    def test_lines_are_stored_by_the_thousand(self):
        self.own_server()
        path = self.write("chats.jsonl", LINES, "word " * 10)
        host, port = self.server.address
        begun = time.monotonic()
        done = subprocess.run([*imports.PROGRAM[:-1], "import", "--from", "openai-jsonl", str(path)], capture_output=True, text=True,
                              check=False, timeout=120, env={**os.environ, "HOME": str(self.folder),
                                                             "PARLEY_URL": f"http://{host}:{port}", "PARLEY_KEY": self.server.key})
        seconds = time.monotonic() - begun
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(re.search(rf"stored: {LINES} new", done.stdout), done.stdout)
        print(f"{LINES / seconds:.0f} lines a second")
        self.assertGreater(LINES / seconds, LINES_PER_SECOND_MIN)


if __name__ == "__main__":
    cases.main()
