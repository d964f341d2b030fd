#!/usr/bin/env python3
"""The framer against llhttp (Node) and h11 (F30): requests that all of them accept have the same body and the same
end, and the server accepts no request that one of them refuses, except for the listed differences.

    PARLEY_ROUNDS=400 PARLEY_SEED=7410 framing_test.py       damaged copies of the requests in ROWS"""
import json
import os
import pathlib
import random
import re
import subprocess

from support import cases, wire
from support.cases import SystemTest

ROUNDS = int(os.environ.get("PARLEY_ROUNDS", "400"))
SEED = int(os.environ.get("PARLEY_SEED", "7410"))
HERE = pathlib.Path(__file__).resolve().parent
BODY = b'{"name":"abc"}'
MARK = b"GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"


def post(*lines, body=BODY, start=b"POST /folders/ HTTP/1.1", host=b"Host: h"):
    head = [start] + ([host] if host else []) + [b"@KEY@", b"Content-Type: application/json", *lines]
    return b"\r\n".join(head) + b"\r\n\r\n" + body


def chunked(*chunks, end=b"0\r\n\r\n", field=b"Transfer-Encoding: chunked"):
    return post(field, body=b"".join(chunks) + end)


LENGTH = b"Content-Length: 14"
ROWS = {
    "length": post(LENGTH), "length in lower case": post(b"content-length:14"), "length with blanks": post(b"Content-Length: \t14 "),
    "two equal lengths": post(LENGTH, LENGTH), "two lengths": post(LENGTH, b"Content-Length: 13"),
    "list of lengths": post(b"Content-Length: 14, 14"), "signed length": post(b"Content-Length: +14"),
    "negative length": post(b"Content-Length: -1"), "hexadecimal length": post(b"Content-Length: 0xe"),
    "blank before the colon": post(b"Content-Length : 14"), "empty length": post(b"Content-Length:"),
    "chunks": chunked(b"7\r\n" + BODY[:7] + b"\r\n", b"7\r\n" + BODY[7:] + b"\r\n"),
    "extension": chunked(b"e;a=b\r\n" + BODY + b"\r\n"), "quoted extension": chunked(b'e;a="b;c"\r\n' + BODY + b"\r\n"),
    "leading zeros": chunked(b"000e\r\n" + BODY + b"\r\n"), "upper case": chunked(b"E\r\n" + BODY + b"\r\n"),
    "trailer": chunked(b"e\r\n" + BODY + b"\r\n", end=b"0\r\nA: b\r\n\r\n"),
    "chunk too long": chunked(b"f\r\n" + BODY + b"\r\n"), "chunk too short": chunked(b"d\r\n" + BODY + b"\r\n"),
    "bare line feed in a chunk": chunked(b"e\n" + BODY + b"\n", end=b"0\n\n"), "signed chunk": chunked(b"+e\r\n" + BODY + b"\r\n"),
    "chunk of 2^64": chunked(b"1000000000000000e\r\n" + BODY + b"\r\n"), "blank chunk size": chunked(b" e\r\n" + BODY + b"\r\n"),
    "length and chunks": post(LENGTH, b"Transfer-Encoding: chunked", body=b"e\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "unknown coding": chunked(b"e\r\n" + BODY + b"\r\n", field=b"Transfer-Encoding: xchunked"),
    "coding twice": chunked(b"e\r\n" + BODY + b"\r\n", field=b"Transfer-Encoding: chunked, chunked"),
    "identity": chunked(b"e\r\n" + BODY + b"\r\n", field=b"Transfer-Encoding: identity"),
    "vertical tab": chunked(b"e\r\n" + BODY + b"\r\n", field=b"Transfer-Encoding: \x0bchunked"),
    "no host": post(LENGTH, host=None), "two hosts": post(LENGTH, b"Host: i"),
    "folded line": post(b"A: b\r\n c", LENGTH), "bare carriage return": post(b"A: b\rc", LENGTH), "NUL": post(b"A: \0", LENGTH),
    "no colon": post(b"A", LENGTH), "empty name": post(b": b", LENGTH), "blank in a name": post(b"A b: c", LENGTH),
    "HTTP/1.0": post(LENGTH, b"Connection: keep-alive", start=b"POST /folders/ HTTP/1.0"),
    "HTTP/2.0": post(LENGTH, start=b"POST /folders/ HTTP/2.0"), "HTTP/1.10": post(LENGTH, start=b"POST /folders/ HTTP/1.10"),
    "two blanks": post(LENGTH, start=b"POST  /folders/ HTTP/1.1"), "tab": post(LENGTH, start=b"POST\t/folders/ HTTP/1.1"),
    "lower case method": post(LENGTH, start=b"post /folders/ HTTP/1.1"), "empty line first": b"\r\n" + post(LENGTH),
}


class Peer:
    """Another parser, as a server process."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = ("127.0.0.1", int(self.process.stdout.readline()))

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def reading(address, request, key=b""):
    """The answers to the request and to MARK, which follows it and asks to close the connection."""
    line = wire.Wire(address, timeout_s=2)
    line.send(request.replace(b"@KEY@", b"Authorization: Bearer " + key) + MARK)
    answers = []
    try:
        while len(answers) < 4:
            answer = line.read()
            answers.append(answer)
            if answer.closes:
                break
    except (wire.Gone, wire.Cut, OSError, ValueError, IndexError):
        pass
    line.close()
    return answers


def bodies(answers):
    """The bodies that a peer read as requests; None if it refused one."""
    good = [answer.body for answer in answers if answer.status == 200]
    return good if len(good) == len(answers) else None


class Framing(SystemTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.peers = {"llhttp": Peer("node", str(HERE / "framing/llhttp.mjs")),
                     "h11": Peer("/usr/bin/python3", str(HERE / "framing/h11_server.py"))}
        for peer in cls.peers.values():
            cls.addClassCleanup(peer.close)

    def compare(self, request):
        """(whether our server accepts the request, the names of the peers that then read it differently)."""
        ours = reading(self.server.address, request, self.server.key.encode())
        taken = len(ours) == 2 and ours[0].status == 201 and ours[1].status == 200
        if not taken:
            return False, []
        name = json.loads(ours[0].body).get("name")
        others = []
        for peer, there in self.peers.items():
            answers = reading(there.address, request, self.server.key.encode())
            read = bodies(answers)
            # h11 closes the connection after every HTTP/1.0 request, as RFC 9112 section 9.3 allows, so it reads only one body.
            ends = peer == "h11" and request.split(b"\r\n", 1)[0].endswith(b" HTTP/1.0") and [one.closes for one in answers] == [True]
            try:
                same = (read is not None and read[1:] == ([] if ends else [b""])
                        and json.loads(read[0]).get("name", name) == name)
            except ValueError:
                same = False
            if not same:
                others.append(peer)
        return True, others

    # Requests that the server accepts and a peer refuses: an empty line before a request must be ignored (RFC 9112 section 2.2).
    LEGAL = {"empty line first": ["h11"]}

    def test_F30_each_request_is_read_alike_or_refused(self):
        taken = set()
        for name, request in ROWS.items():
            with self.subTest(row=name):
                is_taken, others = self.compare(request)
                self.assertEqual(others, self.LEGAL.get(name, []))
                if is_taken:
                    taken.add(name)
        self.assertLessEqual({"length", "chunks", "extension", "trailer", "leading zeros"}, taken)
        self.assertFalse(taken & {"two lengths", "length and chunks", "signed length", "blank before the colon", "coding twice",
                                  "vertical tab", "folded line", "bare line feed in a chunk", "chunk of 2^64", "NUL"})
        print(f"{len(taken)} of {len(ROWS)} rows are taken: {sorted(taken)}")

    def test_F30_damaged_requests_are_read_alike_or_refused(self):
        dice = random.Random(SEED)
        # Only llhttp parses the grammar of chunk extensions. For all parsers, an extension ends with its line, and no client
        # uses extensions.
        rows = [request for name, request in ROWS.items() if "extension" not in name and name not in self.LEGAL]
        taken = 0
        for number in range(ROUNDS):
            request = bytearray(dice.choice(rows if dice.random() < 0.3 else [ROWS["length"], ROWS["chunks"], ROWS["trailer"]]))
            begin = request.index(b"/json") + 5   # the framing fields and the body
            for _ in range(dice.randint(1, 2)):
                at = dice.randrange(begin, len(request))
                byte = dice.choice(b"\r\n :;,\t\0/?*0f-+\x7f\xff")
                if dice.random() < 0.5:
                    request[at] = byte
                else:
                    request.insert(at, byte)
            with self.subTest(round=number, seed=SEED, request=bytes(request)):
                is_taken, others = self.compare(bytes(request))
                taken += is_taken
                # A tab after a value is white space (RFC 9110 section 5.5), but llhttp keeps it in a transfer coding. Damage can
                # also start a chunk extension.
                is_known = b"chunked\t" in request or re.search(rb"\n[0-9a-f]+;", request)
                self.assertEqual(others, ["llhttp"] if others == ["llhttp"] and is_known else [])
        self.assertGreater(taken, ROUNDS // 100)
        print(f"seed {SEED}: {taken} of {ROUNDS} damaged requests are taken")

    def test_the_comparison_finds_a_parser_that_reads_on(self):
        # Two requests where the sender means one: the peers see both, as the victim of request smuggling would.
        read = bodies(reading(self.peers["llhttp"].address, post(LENGTH) + post(LENGTH), b"k"))
        self.assertEqual(read, [BODY, BODY, b""])


if __name__ == "__main__":
    cases.main()
