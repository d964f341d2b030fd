#!/usr/bin/env python3
"""Drives the results of a LOCAL agent, or the results that --results names, against a chatbot on this machine.

    PARLEY_KEY=... local_runner.py --url http://127.0.0.1:7410 --name "my bot" --chatbot 'python3 bot.py'
    PARLEY_KEY=... local_runner.py --url http://127.0.0.1:7410 --results '["0198..."]' --chatbot http://127.0.0.1:8000/turn

The chatbot receives each turn as an HTTP agent does (docs/agents.md) and answers in the same format. A command is started for
each turn, reads the turn from standard input, and may answer in plain text. `"end": true` ends the conversation.
On SIGTERM the runner finishes the conversations in progress; the remaining results wait for its next start. A second SIGTERM,
or a closed terminal (SIGHUP), ends the runner and the running chatbots immediately. Needs only Python 3.9.

Exit status: 0 every result of --results was driven (without --results: SIGTERM ended the runner), 1 a result was not driven or
the server refuses this runner, 2 wrong usage. Verdicts matter only with --verdicts, which waits for them: the status is then also
1 if a result did not pass, an assertion that counts was not decided, or there was no result.
"""
import argparse
import concurrent.futures
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

stopping = threading.Event()
chatbots = set()  # running commands, each the leader of its process group
starting = threading.Lock()  # held while a command starts, so that no command is missed when all are killed


class Refused(Exception):
    """The server answered 4xx, or cannot be reached while this runner is stopping."""


def api(method, path, body=None, until=float("inf"), **headers):
    """The JSON of the answer. Retries with one Idempotency-Key while the server is unreachable or busy, until `until`."""
    headers = {"Authorization": f"Bearer {options.key}", "Content-Type": "application/json",
               "Idempotency-Key": str(uuid.uuid4()), **headers}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(options.url.rstrip("/") + path, data, headers, method=method)
    wait_s = 0.5
    while True:
        try:
            with urllib.request.urlopen(request, timeout=90) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as fault:
            why = f"{method} {path}: {fault.code} {fault.read().decode(errors='replace')}"
            if fault.code < 500 and fault.code != 429 and "still in progress" not in why:
                raise Refused(why) from None
        except (OSError, ValueError) as fault:
            why = f"{method} {path}: {fault}"
        if time.monotonic() >= until or stopping.wait(wait_s):
            raise Refused(why)
        print(f"asking again: {why}", file=sys.stderr, flush=True)
        wait_s = min(2 * wait_s, 10)


def kill(chatbot):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(chatbot, signal.SIGKILL)


def output_of(command, asked):
    """The output of the command. A command that takes too long is killed together with every process that it started."""
    with starting:
        process = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   start_new_session=True)
        chatbots.add(process.pid)
    with process:
        try:
            text, _ = process.communicate(asked, options.timeout)
        except BaseException:
            kill(process.pid)
            raise
        finally:
            chatbots.discard(process.pid)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return text


def ask_chatbot(turn):
    """The answer of the chatbot. Any exception raised here fails the result."""
    asked = json.dumps(turn).encode()
    if options.chatbot.startswith(("http://", "https://")):
        request = urllib.request.Request(options.chatbot, asked, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=options.timeout) as answer:
            return json.load(answer)
    text = output_of(options.chatbot, asked).decode()
    with contextlib.suppress(ValueError):
        answer = json.loads(text)
        if isinstance(answer, dict):
            return answer
    return {"message": text.strip()}


def rows_of(answer, field):
    rows = answer.get(field) or []
    if not isinstance(rows, list) or not all(isinstance(row, dict) and isinstance(row.get("name"), str) for row in rows):
        raise ValueError(f"the chatbot's {field} must be a list of objects with a name: {json.dumps(rows)[:200]}")
    return rows


def metadata_of(row):
    metadata = row.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise ValueError(f"the chatbot's metadata must be an object: {json.dumps(metadata)[:200]}")
    return metadata


def entries_of(answer, response_ms):
    """The entries of an answer, in chronological order: tools, events, the message."""
    for tool in rows_of(answer, "tools"):
        yield {"type": "tool", "name": tool["name"], "metadata": metadata_of(tool)}
    for event in rows_of(answer, "events"):
        kind = "public-event" if event.get("public") else "internal-event"
        yield {"type": kind, "name": event["name"], "metadata": metadata_of(event)}
    yield {"type": "message", "content": answer.get("message") or "",
           "metadata": {"responseTime": response_ms, **metadata_of(answer)}, **({"end": True} if answer.get("end") else {})}


def drive(path):
    """The client loop of one result; continues after its last recorded entry."""
    result = api("GET", path)
    while True:
        turn = api("POST", f"{path}/next-message", Prefer="wait=30")
        if turn["end_chat"]:
            return
        if not turn["ready"]:
            continue
        before = [entry for entry in result["conversation"]
                  if entry["id"] != turn["message_id"] and entry["type"] != "internal-event"]
        said = {key: turn[key] for key in ("message", "action") if turn[key] is not None}
        number = sum(entry["role"] == "tester" and not entry.get("history") for entry in before)
        begun = time.monotonic()
        try:
            answer = ask_chatbot({"testResultId": result["id"], "turn": number, **said, "conversation": before,
                                  "metadata": result["metadata"]})
            for entry in entries_of(answer, round(1000 * (time.monotonic() - begun))):
                result = api("POST", f"{path}/conversation", entry)
        except Exception as fault:
            error = {"source": "agent", "code": "runner_error", "detail": str(fault)[:2000]}
            with contextlib.suppress(Refused):  # the result may have been canceled in the meantime
                api("PATCH", path, {"status": "failed", "error": error})
            raise


def verdict_by(until, path):
    """The verdict of a result, by the rules of the gate, once it has ended or at `until` (time.monotonic)."""
    while True:
        wait_s = max(0, min(options.judged.WAIT_S_MAX, int(until - time.monotonic())))
        result = api("GET", path, until=until, Prefer=f"wait={wait_s}")
        if result["status"] in options.judged.TERMINAL or wait_s == 0 or stopping.wait(1):
            return options.judged.verdict_of(result, options.allow_open_assertions)


def passed_and_told(result_id, until):
    try:
        verdict = verdict_by(until, f"/test-results/{result_id}")
    except Refused as fault:
        print(f"not passed {result_id}: {fault}", file=sys.stderr, flush=True)
        return False
    if verdict.kind == "passed":
        note = f" (--allow-open-assertions lets pass: {options.judged.one_line(verdict.open)})" if verdict.open else ""
        print(f"passed {result_id}{note}", flush=True)
        return True
    words = options.judged.one_line(verdict.words)
    print(f"not passed {result_id}: {verdict.kind}: {verdict.cause}: {words}", file=sys.stderr, flush=True)
    return False


def drive_and_tell(result_id):
    if stopping.is_set():
        return False
    try:
        drive(f"/test-results/{result_id}")
        print(f"driven {result_id}", flush=True)
        return True
    except Exception as fault:
        print(f"not driven {result_id}: {fault}", file=sys.stderr, flush=True)
        return False


def serve(pool):
    """Sends heartbeats until SIGTERM. Each one renews the leases of this runner and receives waiting results."""
    beat = {"name": options.name, "unique_identifier": options.id or options.name}
    work = api("POST", "/agents/local", beat)
    print(f"agent {work['agent_id']}", flush=True)
    # Results that were offered to an earlier process of this runner and not started are not offered again while this one calls.
    path = f"/test-results/?agent={work['agent_id']}&status=pending&limit=1000&sortOrder=asc&output=minimal"
    offered = [result["id"] for result in api("GET", path)["data"]]
    taken = {}
    while True:
        taken = {each: future for each, future in taken.items() if not future.done()}
        for each in offered + work.get("test_result_ids", []):
            if each not in taken:
                taken[each] = pool.submit(drive_and_tell, each)
        if stopping.wait(options.every):
            return
        offered, work = [], api("POST", "/agents/local", beat)


def main():
    with concurrent.futures.ThreadPoolExecutor(options.parallel) as pool:
        if options.results is not None:
            if not options.results:
                print("--results has no result: nothing is driven", file=sys.stderr, flush=True)
                return 0 if options.verdicts is None else 1
            good = list(pool.map(drive_and_tell, options.results))
            if options.verdicts is not None:
                until = time.monotonic() + options.verdicts
                good += [passed_and_told(each, until) for each in options.results]
            return 0 if all(good) else 1
        try:
            serve(pool)
        except Refused as fault:
            if not stopping.is_set():
                stopping.set()
                sys.exit(str(fault))
        return 0


def stop(number, _):
    """The first signal stops new work; a second signal ends the runner and the running chatbots immediately."""
    signal.signal(signal.SIGTERM, stop_at_once)
    signal.signal(signal.SIGINT, stop_at_once)
    stopping.set()


def stop_at_once(number, _):
    starting.acquire()  # never released, so no command starts from here on
    for each in list(chatbots):
        kill(each)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def result_ids(text):
    """Argparse reports a ValueError as a usage error."""
    ids = json.loads(text)
    if not isinstance(ids, list) or not all(isinstance(each, str) for each in ids):
        raise ValueError
    return ids


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="URL of the parley server")
    parser.add_argument("--chatbot", required=True, help="a shell command or a URL that answers one turn")
    parser.add_argument("--name", default="local runner", help="name of the agent")
    parser.add_argument("--id", help="identifies the runner across restarts; run one process for each id (default: the name)")
    parser.add_argument("--results", type=result_ids, help="JSON array of result ids to drive instead of registering an agent")
    parser.add_argument("--verdicts", type=int, metavar="SECONDS", help="once the results are driven, wait at most SECONDS for "
                        "their verdicts, and exit with 1 unless all passed; needs parley_verdicts.py in the same folder")
    parser.add_argument("--allow-open-assertions", action="store_true",
                        help="with --verdicts, accept undecided assertions: no judge, or no answer from it")
    parser.add_argument("--parallel", type=int, default=8, help="concurrent conversations (8)")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one answer of the chatbot (120)")
    parser.add_argument("--every", type=float, default=5, help="seconds between heartbeats (5)")
    parsed = parser.parse_args()
    if parsed.verdicts is not None:
        try:
            import parley_verdicts as judged
        except ImportError:
            judged = None
        parsed.judged = judged if parsed.results is not None else None
        if parsed.judged is None:
            parser.error("--verdicts needs --results, and parley_verdicts.py in the same folder")
    parsed.key = os.environ.get("PARLEY_KEY", "").strip()
    if not re.fullmatch("[!-~]+", parsed.key):  # an HTTP library would show an invalid key in its error
        parser.error("PARLEY_KEY must hold an API key")
    return parsed


if __name__ == "__main__":
    options = parsed()
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # ignored under nohup
        signal.signal(signal.SIGHUP, stop_at_once)
    sys.exit(main())
