"""An HTTP server for fakes: asyncio in a thread, thousands of connections, hostile modes by path.

A subclass defines `async answer(request) -> Reply`. Every fake has `url`, `requests` (as received, the last REQUESTS_MAX),
`in_flight` and `in_flight_max`, both also by path in `lanes`, `connections`, and the modes of modes.py at `/hostile/MODE`.
A call is in flight until its answer is written or its client has left."""
import asyncio
import collections
import dataclasses
import json
import threading
import time

from . import modes

REQUESTS_MAX = 200_000
HEAD_BYTES_MAX = 256 * 1024
BACKLOG = 8192


@dataclasses.dataclass
class Request:
    method: str
    path: str
    headers: dict
    body: bytes
    at: float = dataclasses.field(default_factory=time.monotonic)

    def json(self):
        return json.loads(self.body)

    @property
    def key(self):
        return self.headers.get("idempotency-key")


@dataclasses.dataclass
class Reply:
    """`body`: bytes, text or any JSON value. `mode`: a hostile mode to act out instead."""
    body: object = b""
    status: int = 200
    headers: dict = dataclasses.field(default_factory=dict)
    mode: str = None

    def encoded(self):
        if isinstance(self.body, bytes):
            return self.body, "application/octet-stream"
        if isinstance(self.body, str):
            return self.body.encode(), "text/plain"
        return json.dumps(self.body).encode(), "application/json"


@dataclasses.dataclass
class Lane:
    """The calls in flight at one path: now, and the maximum."""
    now: int = 0
    most: int = 0


class Fake:
    """Use as a context manager, or with start() and stop()."""

    def __init__(self, latency=0.0, port=0):
        self.latency = latency  # seconds, or a callable that takes the request
        self.requests = collections.deque(maxlen=REQUESTS_MAX)
        self.in_flight = self.in_flight_max = self.connections = 0
        self.lanes = collections.defaultdict(Lane)
        self.port = port
        self._loop = self._server = self._thread = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    async def answer(self, request):
        raise NotImplementedError

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Listens; after a stop(), on the same port."""
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        if not started.wait(10) or self._server is None:
            raise RuntimeError("a fake does not start")
        return self

    def stop(self):
        """Closes the port and every connection."""
        if self._thread is None:
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._thread = None

    def wait(self, true, seconds=10):
        """Waits until true(self) holds; returns whether it did in time."""
        end = time.monotonic() + seconds
        while not true(self):
            if time.monotonic() > end:
                return False
            time.sleep(0.005)
        return True

    def _run(self, started):
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        try:
            self._server = self._loop.run_until_complete(asyncio.start_server(
                self._serve, "127.0.0.1", self.port, backlog=BACKLOG, limit=HEAD_BYTES_MAX, reuse_address=True))
            self.port = self._server.sockets[0].getsockname()[1]
            started.set()
            self._loop.run_forever()
        finally:
            started.set()
            self._end()

    def _end(self):
        if self._server:
            self._server.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()
        self._server = None
        self.in_flight = 0
        self.lanes.clear()

    async def _serve(self, reader, writer):
        self.connections += 1
        try:
            while True:
                request = await self._read(reader)
                if request is None:
                    return
                if not await self._reply(request, reader, writer):
                    return
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, asyncio.CancelledError):
            pass  # the client left, or the fake is stopped
        finally:
            writer.close()

    async def _read(self, reader):
        head = await reader.readuntil(b"\r\n\r\n")
        line, *rows = head.decode("latin-1").split("\r\n")[:-2]
        method, path, _ = line.split(" ", 2)
        headers = {}
        for row in rows:
            name, _, value = row.partition(":")
            headers[name.lower()] = value.strip()
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        return Request(method, path, headers, body)

    async def _reply(self, request, reader, writer):
        """Sends the reply; returns False if the connection is over."""
        reply = await self._think(request, reader, writer)
        if reply is None:
            return False
        # The call is no longer in flight before the client sees the answer, so an immediate next call is not counted twice.
        body, content_type = reply.encoded()
        headers = {"Content-Type": content_type, **reply.headers, "Content-Length": str(len(body))}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {reply.status} Said\r\n{lines}\r\n".encode("latin-1") + body)
        await writer.drain()
        return True

    async def _think(self, request, reader, writer):
        """The reply, or None once a hostile mode has been acted out."""
        self.requests.append(request)
        self.in_flight += 1
        self.in_flight_max = max(self.in_flight_max, self.in_flight)
        lane = self.lanes[request.path]
        lane.now += 1
        lane.most = max(lane.most, lane.now)
        try:
            latency = self.latency(request) if callable(self.latency) else self.latency
            if latency:
                await self._pause(latency, reader)
            mode = modes.of_path(request.path)
            reply = Reply(mode=mode) if mode else await self.answer(request)
            if not reply.mode:
                return reply
            await modes.act(reply.mode, request, reader, writer)
            return None
        finally:
            self.in_flight -= 1
            lane.now -= 1

    @staticmethod
    async def _pause(seconds, reader):
        """Sleeps, or raises ConnectionResetError if the client leaves or sends more before the answer."""
        left = asyncio.ensure_future(reader.read(1))
        done, _ = await asyncio.wait({left}, timeout=seconds)
        if done:
            raise ConnectionResetError(left.exception() or "the client left")
        left.cancel()
        await asyncio.wait({left})
