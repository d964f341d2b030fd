"""A thousand open event streams (ADR 41): their memory, and whether other clients wait longer while events flow.
Part of run.py."""
import multiprocessing
import selectors
import socket
import sys
import threading
import time

import waits

STREAMS_MAX = 1_000  # the limit of the server
NOTICED_S = 1.5      # at the limit, the server checks once a second whether clients have left
MEBIBYTES_MAX = 20


class Sizes:
    def __init__(self, smoke):
        self.streams = 20 if smoke else STREAMS_MAX
        self.pairs = 1 if smoke else 5
        self.stored = 50 if smoke else 1_000
        self.seconds = 0.1 if smoke else 2
        self.connections = 4 if smoke else 16
        self.ends_per_second = 20
        self.rise_ms_max = None if smoke else 2


def listen(address, request, count, pipe):
    """Runs as a separate process: opens the streams, reads everything, and counts the events."""
    waits.raise_descriptors()
    ready = selectors.DefaultSelector()
    for _ in range(count):
        one = socket.create_connection(address)
        one.sendall(request)
        one.setblocking(False)
        ready.register(one, selectors.EVENT_READ)
    opened, events, closed = set(), 0, 0
    while not pipe.poll():
        for key, _ in ready.select(0.1):
            data = key.fileobj.recv(262144)
            events += data.count(b"\nevent: ")
            if key.fd not in opened and b"event: hello" in data:
                opened.add(key.fd)
                if len(opened) == count:
                    pipe.send("open")
            if not data:
                closed += 1
                ready.unregister(key.fileobj)
    pipe.send((events, closed))


class Streams:
    def __init__(self, bench, sizes):
        self.bench, self.sizes = bench, sizes
        self.server = bench.server("--rest-after", "24h")
        self.http = self.server.client(timeout_s=60)
        self.links, self.stored, _ = bench.seed(self.server, "stored-streams", sizes.stored, 3, "yes")
        self.watched = bench.prepared(self.http, "say: hello", repetitions=1)

    def close(self):
        self.http.close()
        self.server.remove()

    def end_results(self, stop):
        """Begins and ends results of the watched run at a steady rate, so that every stream has events."""
        client = self.server.client()
        while not stop.wait(1 / self.sizes.ends_per_second):
            made = client.post("/test-results/", {key: self.watched[key] for key in ("agent", "run", "test")})
            if made.status != 201 or client.post(f"/test-results/{made.json()['id']}/finish").status != 200:
                sys.exit(f"bench: a result of the watched run: {made}")
        client.close()

    def with_streams(self, act, flows):
        """Calls `act` while the streams are open; returns its value, the number of events, and that of closed streams."""
        path = f"/events?topics=runs,run:{self.watched['run']}"
        request = self.http.encoded("GET", path, None, {"Accept": "text/event-stream"})
        pipe, theirs = multiprocessing.Pipe()
        listener = multiprocessing.Process(target=listen, args=(self.server.address, request, self.sizes.streams, theirs), daemon=True)
        listener.start()
        if not pipe.poll(60) or pipe.recv() != "open":
            sys.exit("bench: the streams were not opened")
        stop = threading.Event()
        ending = threading.Thread(target=self.end_results, args=(stop,))
        if flows:
            ending.start()
        try:
            found = act()
        finally:
            stop.set()
            if flows:
                ending.join()
        pipe.send("stop")
        events, closed = pipe.recv()
        listener.join()
        if closed:
            sys.exit(f"bench: {closed} streams were closed")
        if 2 * self.sizes.streams > STREAMS_MAX:
            time.sleep(NOTICED_S)
        return found, events


def settled(server):
    time.sleep(1)
    return server.memory()


def measure(bench, smoke):
    sizes = Sizes(smoke)
    waits.raise_descriptors()
    world = Streams(bench, sizes)
    try:
        waits.p99_of_others(world)  # from here on, connections and buffers exist
        before = settled(world.server)
        used, _ = world.with_streams(lambda: settled(world.server), flows=False)
        mebibytes = (used - before) / (1 << 20)
        name = f"{sizes.streams:,} open event streams"
        bench.row(f"{name}: memory", f"< {MEBIBYTES_MAX} MiB", f"{mebibytes:.1f} MiB", None if smoke else mebibytes < MEBIBYTES_MAX)
        rises(bench, sizes, world)
    finally:
        world.close()


def rises(bench, sizes, world):
    events = 0

    def together():
        nonlocal events
        found, more = world.with_streams(lambda: waits.p99_of_others(world), flows=True)
        events += more
        return found
    waits.report_rises(bench, sizes, "the same, with events", *waits.in_turns(sizes.pairs, lambda: waits.p99_of_others(world), together))
    bench.row("the same: events received", "reported", f"{events:,}")
    if events == 0:
        sys.exit("bench: no event arrived")
