#!/usr/bin/env python3
"""Loss of power at every instant (I2, I3, I5; F4): the system calls of the server on its directory are recorded. Images that a
disk could hold are opened with the recovery of the store, a few also with the real binary, and compared with the acknowledged
writes.

    PARLEY_IMAGES=3000 PARLEY_SEED=... power_test.py      PARLEY_RESULTS: number of conversations

The rig proves that it can fail: without a sync in the trace, or with a server that does not sync, it must find losses."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import threading

from support import cases, ledger, server
from support.cases import SystemTest

IMAGES = int(os.environ.get("PARLEY_IMAGES", "3000"))
RESULTS = int(os.environ.get("PARLEY_RESULTS", "12"))
SEED = int(os.environ.get("PARLEY_SEED", random.randrange(10 ** 9)))
TOOLS = pathlib.Path(os.environ.get("PARLEY_POWER_TOOLS", server.ROOT / "build/release/tests/power"))
STAGE = pathlib.Path("/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp")
WRITERS = 2
STARTED = 5


class Notes:
    """The acknowledged facts, each with the length of the trace when the answer arrived."""

    def __init__(self, trace):
        self.trace, self.lock, self.facts = trace, threading.Lock(), []

    def note(self, record, needle, path=None, shown=None):
        """From now on, the record contains `needle`; if `path` is given, GET of it shows `shown` (default: `needle`)."""
        with self.lock:
            self.facts.append((self.trace.stat().st_size, record, needle, path, shown or needle))

    def write(self, file):
        lines = sorted(self.facts, key=lambda fact: fact[0])
        file.write_text("".join(f"{position}\t{record}\t{needle}\n" for position, record, needle, *_ in lines))


class Noting:
    """A client that notes the facts in its answers."""

    def __init__(self, client, notes):
        self.client, self.notes = client, notes

    def close(self):
        self.client.close()

    def send(self, method, path, body=None, headers=None):
        answer = self.client.send(method, path, body, headers)
        if answer.status // 100 == 2 and answer.body:
            self.learn(method, path.strip("/").split("/"), body or {}, answer.json())
        return answer

    def learn(self, method, parts, body, answer):
        kind, record = parts[0], parts[1] if len(parts) > 1 else answer.get("id")
        where, last = f"/{kind}/{record}", parts[-1] if len(parts) > 2 else ""
        note = lambda needle, shown=None: self.notes.note(record, needle, where, shown)
        if method == "POST" and len(parts) == 1:
            name = body.get("name") or (body.get("metadata") or {}).get("mark")
            if name:
                note(name)
        elif last == "next-message" and answer.get("message_id"):
            note(answer["message_id"])
        elif last == "conversation":
            note(answer["entry"]["id"])
            note(body.get("content") or body.get("name"))
        elif method == "PATCH" and "metadata" in body:
            note(f'"late":{json.dumps(body["metadata"]["late"])}')
        elif last == "finish":
            note('"claimed":', '"scoringEnqueuedAt":"')
        elif method == "PATCH" and body.get("status") == "canceled" or last == "cancel":
            note('"status":"canceled"')
        elif last == "retry":
            clone = answer["id"] if "id" in answer else answer["testResult"]["id"]
            note(f'"retiredBy":"{clone}"', '"status":"canceled"')
            self.notes.note(clone, record, f"/test-results/{clone}")


class Recorder(ledger.Writer):
    """A writer that ends after some results and sometimes retries one of them."""

    def work(self):
        for number in range(RESULTS // WRITERS):
            self.one_result()
            if self.random.random() < 0.3:
                self.call("POST", f"/test-results/{self.records[-1].id}/retry", None, (200, 201, 400))
        self.client.close()


class Recording:
    """A recorded server: clients work with it, it is killed and restarted, and clients work with it again."""

    def __init__(self, *options):
        self.server = server.Server(*options)
        self.folder = self.server.folder
        self.trace, self.facts_file = self.folder / "trace", self.folder / "facts"
        self.trace.touch()
        self.notes = Notes(self.trace)
        self.server.environment = {"LD_PRELOAD": str(TOOLS / "libpower_recorder.so"),
                                   "PARLEY_POWER_DIRECTORY": str(self.server.data),
                                   "PARLEY_POWER_TRACE": str(self.trace)}
        self.random = random.Random(SEED)

    def record(self):
        self.server.data.mkdir(mode=0o700)
        self.server.start()
        self.load()
        self.server.kill()   # no client is writing, so that the trace is complete
        self.server.start()
        self.load()
        code = self.server.stop()
        assert code == 0, self.server.log_tail()
        self.server.environment = {}
        self.notes.write(self.facts_file)

    def load(self):
        client = Noting(self.server.client(), self.notes)
        make = lambda path, **body: client.send("POST", path, body).json()
        mark = lambda word: f"{word} {self.random.random()}"
        agent = make("/agents/", name=mark("agent"), type="EXTERNAL")
        scenario = make("/scenarios/", name=mark("scenario"))
        runs = [make("/runs/", scenario=scenario["id"], agent=agent["id"], status="running") for _ in range(WRITERS)]
        writers = [Recorder(Noting(self.server.client(), self.notes), agent["id"], run["id"], f"w{n}",
                            self.random.random()) for n, run in enumerate(runs)]
        threads = [threading.Thread(target=writer.work) for writer in writers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(writer.acknowledged for writer in writers)
        client.close()   # on a busy machine the connection has been idle for too long
        client.send("POST", f"/runs/{runs[0]['id']}/cancel")
        client.close()

    def examine(self, images, seed, *options):
        """The report of the examiner. Raises RuntimeError if it exits with 2."""
        stage = STAGE / f"parley-power-{os.getpid()}"
        done = subprocess.run(
            [str(TOOLS / "power_examine"), "--trace", str(self.trace), "--facts", str(self.facts_file), "--stage", str(stage),
             "--data", str(self.server.data), "--images", str(images), "--seed", str(seed), *map(str, options)],
            capture_output=True, text=True, check=False)
        if done.returncode == 2:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)


class PowerTest(SystemTest):
    @classmethod
    def setUpClass(cls):
        cls.recording = Recording()
        cls.recording.record()

    @classmethod
    def tearDownClass(cls):
        cls.recording.server.remove()

    def test_F4_no_image_of_a_disk_lacks_or_tears_what_was_acknowledged(self):
        kept = self.recording.folder / "kept"
        report = self.recording.examine(IMAGES, SEED, "--keep-every", max(1, IMAGES // STARTED), "--keep-in", kept)
        print(f"seed {SEED}, {report}")
        self.assertEqual((report["refused"], report["torn"], report["lost"]), (0, 0, 0), report["faults"])
        self.assertGreaterEqual(report["images"], IMAGES)
        self.assertGreater(report["facts"], 10 * RESULTS)
        for image in sorted(kept.glob("*.position")):
            with self.subTest(image=image.stem, seed=SEED):
                self.start_on(kept / image.stem, int(image.read_text()))

    def start_on(self, image, position):
        """Starts the real binary on an image and checks that it shows every fact acknowledged before `position`."""
        with server.Server() as one:
            one.stop()
            shutil.rmtree(one.data)
            shutil.copytree(image, one.data)
            for file in one.data.iterdir():
                file.chmod(0o600)   # an image has no file modes
            one.data.chmod(0o700)
            one.start()
            http = one.client()
            shown = {}
            for when, record, _, path, needle in self.recording.notes.facts:
                if when > position or path is None:
                    continue
                if path not in shown:
                    shown[path] = self.ok(http.get(path), 200) and http.get(path).body.decode()
                self.assertIn(needle, shown[path], record)
            http.close()

    def test_the_rig_finds_each_sync_that_is_left_out(self):
        for sync in ("sync", "meta", "directory"):
            with self.subTest(without=sync):
                report = self.recording.examine(300, SEED, "--without", sync)
                print(f"without {sync}: {report}")
                self.assertGreater(report["refused"] + report["torn"] + report["lost"], 0)

    def test_the_rig_finds_a_server_that_syncs_nothing(self):
        recording = Recording("--fsync", "off")
        try:
            recording.record()
            report = recording.examine(300, SEED)
        finally:
            recording.server.remove()
        print(f"a server with --fsync off: {report}")
        self.assertGreater(report["refused"] + report["torn"] + report["lost"], 0)


if __name__ == "__main__":
    cases.main()
