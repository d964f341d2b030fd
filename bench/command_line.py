#!/usr/bin/env python3
"""Measures the command line: the overhead of `parley run` beyond the conversations, how fast suites are validated, and the
memory of a large run. Every command runs on the same machine as its chatbot.

    bench/command_line.py                          all sizes
    bench/command_line.py --promptfoo PROGRAM      also runs the same tests with promptfoo, alternating with parley
    bench/command_line.py --smoke                  a tiny size; only the outcome is checked"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/system"))
from support import command, server as servers  # noqa: E402  (the path above)

STARTED_MS, VALIDATED_MS, MEMORY_MIB = 150, 300, 300
LATENCY_MS = 20
AT_ONCE = 4   # promptfoo's default

SCRIPTED = "  - name: Test {0}\n    tags: [smoke]\n    script: |\n      say: Question {0}\n      say: Thank you.\n    must:\n      - contains: \"{1}\"\n"
SINGLE = "  - name: Test {0}\n    script: |\n      say: Question {0}\n    must:\n      - contains: \"I said it\"\n"


def suite(count, agent="demo: true", test=SCRIPTED, word="a"):
    return f"version: 1\nproject: bench\nagents:\n  bot: {{{agent}}}\ntests:\n" + "".join(test.format(number, word) for number in range(count))


class Project:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="parley-bench-")
        self.path = pathlib.Path(self.folder.name)
        self.environment = {**command.clean_environment(), "HOME": str(self.path), "NO_COLOR": "1", "PROMPTFOO_DISABLE_TELEMETRY": "1",
                            "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_CONFIG_DIR": str(self.path / "promptfoo")}

    def write(self, name, text):
        (self.path / name).write_text(text, encoding="utf-8")

    def command(self, *words, codes=(0,)):
        """(wall-clock seconds, CPU seconds, peak memory in MiB, standard output)."""
        begun = time.monotonic()
        with open(self.path / "stdout", "wb+") as out, open(self.path / "stderr", "wb+") as errors:
            process = subprocess.Popen([str(word) for word in words], cwd=self.path, env=self.environment, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=errors)
            _, status, used = os.wait4(process.pid, 0)
            took = time.monotonic() - begun
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0), errors.seek(0)
            text = out.read().decode()
            assert process.returncode in codes, (words, process.returncode, text[-2000:], errors.read()[-2000:])
        return took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, text

    def parley(self, *words, **options):
        return self.command(servers.binary(), *words, **options)


def report(name, wanted, measured, holds):
    print(f"{name}: {measured} (wanted {wanted}){'' if holds else ': NOT HELD'}", flush=True)
    return holds


def start_of_a_run(project, rounds):
    """Milliseconds that `parley run` with one test takes in addition to its conversation."""
    project.write("parley.yaml", suite(1))
    beyond = []
    for _ in range(rounds):
        took, _, _, text = project.parley("run", "--reporter", "json")
        ended = json.loads(text)
        assert ended["counts"]["passed"] == 1, ended
        beyond.append(took * 1000 - sum(row["seconds"] for row in ended["results"]) * 1000)
    median = statistics.median(beyond)
    return report("one DEMO test, beyond its conversation", f"<= {STARTED_MS} ms", f"{median:.0f} ms", median <= STARTED_MS)


def validation(project, count, rounds):
    project.write("parley.yaml", suite(count))
    took = statistics.median(project.parley("validate")[0] for _ in range(rounds)) * 1000
    return report(f"validate {count} tests", f"<= {VALIDATED_MS} ms", f"{took:.0f} ms", took <= VALIDATED_MS)


def memory(project, count):
    project.write("parley.yaml", suite(count // 100))
    took, cpu, most, text = project.parley("run", "--repeat", 100, "--reporter", "json")
    assert json.loads(text)["counts"]["passed"] == count
    return report(f"{count} cases in one run", f"<= {MEMORY_MIB} MiB", f"{most:.0f} MiB, {took:.1f} s, {cpu:.1f} s CPU", most <= MEMORY_MIB)


class Chatbot:
    def __enter__(self):
        program = pathlib.Path(servers.binary()).parent / "bench/parley_agent"
        self.process = subprocess.Popen([program, str(LATENCY_MS)], stdout=subprocess.PIPE, text=True)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}/turn"
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def promptfoo_config(url, count):
    return json.dumps({
        "prompts": ["{{question}}"],
        "providers": [{"id": url, "config": {"method": "POST", "headers": {"Content-Type": "application/json"},
                                             "body": {"message": "{{prompt}}"}, "transformResponse": "json.message"}}],
        "tests": [{"vars": {"question": f"Question {number}"}, "assert": [{"type": "contains", "value": "I said it"}]}
                  for number in range(count)]})


def against_promptfoo(project, program, count, rounds):
    """The same single-turn tests of the same chatbot, alternating; both programs run `AT_ONCE` tests at a time."""
    with Chatbot() as bot:
        project.write("parley.yaml", suite(count, f"http: '{bot.url}'", SINGLE))
        project.write("promptfooconfig.json", promptfoo_config(bot.url, count))
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(project.parley("run", "--concurrency", AT_ONCE))
            if program:
                theirs.append(project.command(program, "eval", "-c", "promptfooconfig.json", "--no-cache", "--no-table", "--no-write",
                                              "-j", str(AT_ONCE), "-o", "out.json"))
                stats = json.loads((project.path / "out.json").read_text())["results"]["stats"]
                assert stats["successes"] == count, stats
    ideal = count * LATENCY_MS / AT_ONCE / 1000
    for name, rows in (("parley", ours), ("promptfoo", theirs)):
        if rows:
            took, cpu, most = (statistics.median(row[column] for row in rows) for column in range(3))
            print(f"{name}: {count} tests of a chatbot that takes {LATENCY_MS} ms, {AT_ONCE} at once: {took:.2f} s (the chatbot alone "
                  f"{ideal:.2f} s), {cpu:.2f} s CPU, {most:.0f} MiB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--promptfoo", metavar="PROGRAM")
    options = parser.parse_args()
    small = options.smoke
    project = Project()
    held = [start_of_a_run(project, 1 if small else 9), validation(project, 50 if small else 1_000, 1 if small else 9),
            memory(project, 200 if small else 10_000)]
    against_promptfoo(project, options.promptfoo, 20 if small else 200, 1 if small else 5)
    return 0 if small or all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
