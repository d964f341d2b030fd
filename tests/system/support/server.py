"""The real binary as a process on a free port with its own data directory."""
import contextlib
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from . import wire

ROOT = pathlib.Path(__file__).resolve().parents[3]
KEY = "parley_systests_" + "k" * 43
HOST = "127.0.0.1"


def binary():
    path = pathlib.Path(os.environ.get("PARLEY_BINARY", ROOT / "build/release/parley"))
    if not path.exists():
        sys.exit(f"there is no {path}; build it, or name it in PARLEY_BINARY")
    return str(path)


def clean_environment():
    """The environment without the PARLEY_ variables of the tests."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}


def free_port():
    """A port below those that the kernel gives to outgoing connections (32768 and above), so that none of
    them takes it before the server listens or while it restarts."""
    while True:
        port = random.SystemRandom().randrange(20000, 32768)   # tests seed the global generator
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind((HOST, port))
            return port


class Server:
    """Start it with `start`, end it with `stop` (SIGTERM) or `kill` (SIGKILL), and start it again on the same data."""

    def __init__(self, *options, key=KEY):
        self.options, self.key = list(options), key
        self.environment = {}
        self.preparation = None   # called in the child process before exec
        self.host, self.within = HOST, []   # where it listens, and the command prefix to start it there
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="parley-system-"))
        self.data = self.folder / "data"
        self.log = self.folder / "server.log"
        self.process = None
        self.port = None   # None: each start uses a free port
        self.address = None

    def launch(self):
        """Starts the process without waiting until it is ready."""
        self.address = (self.host, self.port or free_port())
        environment = {**clean_environment(), "PARLEY_BOOTSTRAP_KEY": self.key, **self.environment}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.within, binary(), "serve", "--data", str(self.data), "--listen", f"{self.host}:{self.address[1]}", *self.options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, start_new_session=True,
                preexec_fn=self.preparation)

    def start(self, timeout_s=20):
        """Starts the process; returns the seconds until /readyz answers 200."""
        begun = time.monotonic()
        self.launch()
        while time.monotonic() < begun + timeout_s:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}:\n{self.log_tail()}")
            try:
                client = wire.Client(self.address, timeout_s=5)
                answer = client.get("/readyz")
                client.close()
                if answer.status == 200:
                    return time.monotonic() - begun
            except (OSError, wire.Gone, wire.Cut):
                pass
            time.sleep(0.005)
        raise RuntimeError(f"the server was not ready within {timeout_s} s:\n{self.log_tail()}")

    def client(self, timeout_s=30, key=None):
        return wire.Client(self.address, key or self.key, timeout_s)

    def is_alive(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """kill -9, like a crash."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def stop(self, timeout_s=15):
        """Sends SIGTERM; returns the exit code."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.terminate()
            try:
                self.process.wait(timeout_s)
            except subprocess.TimeoutExpired:
                self.kill()
                raise RuntimeError(f"no exit within {timeout_s} s of SIGTERM:\n{self.log_tail()}") from None
        return self.process.returncode

    def restart(self):
        self.stop()
        return self.start()

    def remove(self):
        """Kills the process if it is alive, and removes its data."""
        if self.is_alive():
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def log_tail(self, bytes_max=4000):
        return self.log.read_bytes()[-bytes_max:].decode(errors="replace") if self.log.exists() else ""

    def told(self):
        """The log with everything before this call: sends a request and waits until its line is logged.
        Needs a server that serves and logs requests."""
        mark = f"mark-{time.monotonic_ns()}"
        client = self.client()
        client.get("/version", {"X-Request-Id": mark})
        client.close()
        until = time.monotonic() + 10
        while mark not in (text := self.log.read_text()):
            if time.monotonic() > until:
                raise RuntimeError(f"the log does not go on:\n{self.log_tail()}")
            time.sleep(0.002)
        return text

    def memory(self):
        """Bytes of anonymous memory of the process."""
        total = 0
        for line in pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Anonymous:"):
                total += int(line.split()[1]) * 1024
        return total

    def cpu_s(self):
        """Seconds of CPU that the process has used, in user mode and in the kernel."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.remove()
