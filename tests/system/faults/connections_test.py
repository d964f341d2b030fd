#!/usr/bin/env python3
"""Agents whose connections close without notice or send unsolicited bytes (D71, F18, ADR 12): raw sockets, and the real
binary."""
import gzip
import json
import time

from support import cases
from support.driven import Driven
from support.fakes import closing

TURNS = 15
MIB = 1 << 20


class Closing(Driven):
    def test_D71_an_agent_that_closes_after_each_answer_without_saying_so_loses_no_turn(self):
        for after_ms in (0, 0.5, 2, 10):
            with self.subTest(after_ms=after_ms), closing.ClosingAgent(after_ms / 1000) as fake:
                instruction = "\n".join(f"say: {number}" for number in range(TURNS))
                run = self.ended(self.launched(self.hosted(fake), instruction=instruction, repetitions=8))
                self.assertEqual((run["result"]["completed"], run["result"]["failed"]), (8, 0))
                for result in self.results_of(run):
                    self.assertEqual(self.words(result), [pair for number in range(TURNS) for pair in
                                                          (("tester", str(number)), ("chatbot", f"said {number}"))])
                self.assertEqual(len(fake.keys), 8 * TURNS, "one key a turn")
                self.assertEqual(set(fake.keys.values()), {1}, "what was answered was not asked again")

    def test_F18_a_fresh_connection_that_ends_without_an_answer_is_not_tried_again(self):
        with closing.ClosingAgent(is_silent=True) as fake:
            run = self.ended(self.launched(self.hosted(fake), instruction="say: one"))
            [result] = self.results_of(run)
        self.assertEqual((result["status"], result["endReason"]), ("failed", "agent_error"))
        self.assertEqual(result["metadata"]["error"]["code"], "broken")
        self.assertEqual(list(fake.keys.values()), [1])

    def test_D71_an_answer_is_accepted_in_any_spelling_of_its_framing(self):
        chunks = lambda body: b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        plain = lambda body: body
        rows = {"an empty member": (b"Transfer-Encoding: chunked,\r\n", chunks),
                "told twice": (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", chunks),
                "no transfer coding": (b"Transfer-Encoding: identity\r\n", plain),
                "no content coding": (b"Content-Encoding: none\r\n", plain)}
        for name, (lines, framed) in rows.items():
            def say(words, lines=lines, framed=framed):
                return b"HTTP/1.1 200 OK\r\n%s\r\n%s" % (lines, framed(json.dumps({"message": words}).encode()))
            with self.subTest(name), closing.ClosingAgent(say=say) as fake:
                [result] = self.results_of(self.ended(self.launched(self.hosted(fake), instruction="say: one")))
                self.assertEqual(self.words(result), [("tester", "one"), ("chatbot", "said one")])

    def test_D71_an_answer_ends_with_its_length_even_with_an_identity_transfer_coding(self):
        for coding in (b"identity", b""):
            def say(words, coding=coding):
                return closing.said(words).replace(b"Content-Type:", b"Transfer-Encoding: %s\r\nContent-Type:" % coding)
            with closing.TalkativeAgent(b"", say=say) as fake:
                agent = self.hosted(fake, timeoutMs=5_000)
                [result] = self.results_of(self.ended(self.launched(agent, instruction="say: one\nsay: two")))
            self.assertEqual(self.words(result)[1::2], [("chatbot", "said one"), ("chatbot", "said two")])

    def test_D71_a_packed_answer_that_is_cut_off_is_broken_and_asked_for_again(self):
        for less in (1, 8, 30):
            asked = iter((less, 0))

            def say(words, asked=asked):
                packed = gzip.compress(json.dumps({"message": words}).encode())
                packed = packed[:len(packed) - next(asked)]
                return b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s" % (len(packed), packed)
            with self.subTest(less), closing.ClosingAgent(say=say) as fake:
                agent = self.hosted(fake, retries=1)
                [result] = self.results_of(self.ended(self.launched(agent, instruction="say: one")))
                self.assertEqual(self.words(result), [("tester", "one"), ("chatbot", "said one")])
                self.assertEqual(list(fake.keys.values()), [2])

    def test_F19_a_packed_answer_is_bounded_as_it_unpacks(self):
        for bytes_, code in ((MIB, None), (MIB + 1, "too_large")):
            def say(words, bytes_=bytes_):
                plain = json.dumps({"message": words}).encode()
                packed = gzip.compress(plain[:-1] + b" " * (bytes_ - len(plain)) + b"}", 0)
                return b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s" % (len(packed), packed)
            with self.subTest(bytes_), closing.ClosingAgent(say=say) as fake:
                [result] = self.results_of(self.ended(self.launched(self.hosted(fake), instruction="say: one")))
                self.assertEqual(result["metadata"].get("error", {}).get("code"), code, result["metadata"])

    def test_D71_a_coding_that_was_not_requested_is_named(self):
        say = lambda words: closing.said(words).replace(b"Content-Type:", b"Content-Encoding: utf-8\r\nContent-Type:")
        with closing.ClosingAgent(say=say) as fake:
            [result] = self.results_of(self.ended(self.launched(self.hosted(fake), instruction="say: one")))
        error = result["metadata"]["error"]
        self.assertEqual((error["source"], error["code"]), ("agent", "broken"))
        self.assertIn("has the content coding utf-8, which is neither gzip nor identity", error["detail"])

    def test_D47a_an_unsolicited_answer_is_recorded_nowhere(self):
        """It is recorded neither in the conversation that received it nor in one with another agent of that host."""
        def extra(turn):
            return closing.said("what nobody asked for") if turn["message"] == "A1" else b""
        with closing.TalkativeAgent(extra) as fake:
            for instruction in ("say: A1", "say: B1\nsay: B2"):
                run = self.ended(self.launched(self.hosted(fake), instruction=instruction))
                [result] = self.results_of(run)
                turns = [line[len("say: "):] for line in instruction.split("\n")]
                self.assertEqual(self.words(result), [pair for turn in turns for pair in
                                                      (("tester", turn), ("chatbot", f"said {turn}"))])
                time.sleep(0.2)
            self.assertEqual(set(fake.keys.values()), {1})

    def test_D47a_the_408_of_an_idle_connection_and_a_late_line_end_fail_no_turn(self):
        gives_up = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        for extra, closes in ((gives_up, True), (b"\r\n", False)):
            with self.subTest(extra=extra), closing.TalkativeAgent(extra, closes=closes) as fake:
                run = self.ended(self.launched(self.hosted(fake), instruction="say: 0\nsay: 1\nsay: 2", repetitions=8))
                self.assertEqual((run["result"]["completed"], run["result"]["failed"]), (8, 0))
                for result in self.results_of(run):
                    self.assertEqual(self.words(result), [pair for number in range(3) for pair in
                                                          (("tester", str(number)), ("chatbot", f"said {number}"))])


if __name__ == "__main__":
    cases.main()
