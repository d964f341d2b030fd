"""A private parley server, for tests that must not depend on a shared one."""
from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Optional, Sequence

from .client import Client

START_S_MAX = 20.0
STOP_S_MAX = 15.0


class Server:
    """Runs `parley serve` on a free port of 127.0.0.1 with an empty data directory, which is removed afterwards.

        with Server() as server:
            client = server.client()
    """

    def __init__(self, binary: Optional[str] = None, options: Sequence[str] = ()) -> None:
        self.binary = binary or os.environ.get("PARLEY_BINARY") or shutil.which("parley") or ""
        self.options = list(options)
        self.url = ""
        self.key = secrets.token_hex(20)
        self._process: Optional[subprocess.Popen[str]] = None
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        self._log: list[str] = []

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.stop()

    def start(self) -> None:
        """Starts the server and waits until it is ready. Raises RuntimeError with the end of its log if it does not start."""
        if not self.binary:
            raise RuntimeError("the parley program was not found: put it on the PATH, or name it in PARLEY_BINARY")
        self._folder = tempfile.TemporaryDirectory(prefix="parley-")
        data = Path(self._folder.name) / "data"
        self._process = subprocess.Popen(
            [self.binary, "serve", "--data", str(data), "--listen", "127.0.0.1:0", *self.options],
            env={**os.environ, "PARLEY_BOOTSTRAP_KEY": self.key}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, errors="replace")
        listening = threading.Event()
        threading.Thread(target=self._read_log, args=(listening,), daemon=True).start()
        until = time.monotonic() + START_S_MAX
        while not listening.wait(0.05):
            if self._process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise RuntimeError("parley serve did not start:\n" + "".join(self._log[-20:]))

    def _read_log(self, listening: threading.Event) -> None:
        process = self._process
        if process is None or process.stderr is None:
            return
        for line in process.stderr:
            self._log = [*self._log[-199:], line]
            found = re.search(r"127\.0\.0\.1:([1-9]\d*)", line)
            if found and not self.url:
                self.url = f"http://127.0.0.1:{found[1]}"
                listening.set()

    def client(self) -> Client:
        return Client(self.url, self.key)

    def stop(self) -> None:
        """Stops the server and removes its data. A second call has no effect."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_S_MAX)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process is not None and self._process.stderr is not None:
            self._process.stderr.close()
        self._process = None
        if self._folder is not None:
            self._folder.cleanup()
        self._folder = None
