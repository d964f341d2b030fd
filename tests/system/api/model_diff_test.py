#!/usr/bin/env python3
"""Random sequences of operations that compare the server with the reference model (support/model.py): every answer, record, list
and outcome of runs. Many independent worlds run concurrently on separate connections. Now and then scoring is paused, or the
server is killed and restarted, after which everything must be as before. Idle records leave memory soon, so that most
operations use records that were just reloaded.

PARLEY_OPERATIONS (100000): operations in total; PARLEY_SEED repeats them. At the first difference, the sequence is shrunk and
printed with its seed, and the test ends."""
import json
import os
import random
import re
import time

from support import cases, model, wire, world, world_checks

OPERATIONS = int(os.environ.get("PARLEY_OPERATIONS", "100000"))
SEED = int(os.environ.get("PARLEY_SEED", random.randrange(10 ** 9)))
WORLDS = 24
STRETCH = 40           # operations of each world before scoring may be paused or the server restarted
PER_WORLD = 700        # operations of a world before a fresh world replaces it: old records would only slow the test down
RESTARTS = 0.15        # the probability that the server is killed after a stretch
SHRINK_S = 60


class Lane:
    """A world with its connection, its random numbers and its history."""

    def __init__(self, number, seed, address):
        self.number, self.seed = number, seed
        self.wire = wire.Wire(address, 60)
        self.renew()

    def renew(self):
        self.world = world.World(self.seed)
        self.rnd = random.Random(self.seed)
        self.history = []  # the steps so far: ("operate", name, seed), ("paused", value) or ("restart",)

    def stretch(self, is_paused):
        if not self.history:
            yield from self.world.setup()
            self.world.model.is_paused = is_paused
            self.history.append(("paused", is_paused))
        for name, seed in world.a_course(self.rnd, STRETCH):
            self.history.append(("operate", name, seed))
            yield from self.world.operate(name, seed)
        self.world.remember_claims()

    def switched(self, is_paused):
        self.history.append(("paused", is_paused))
        yield from self.world.paused(is_paused)


class Driver:
    """Plays the steps of many lanes against one server."""

    def __init__(self, running):
        self.server = running
        self.admin = None
        self.connect()

    def connect(self):
        running = self.server
        self.head = (f"Host: {running.address[0]}:{running.address[1]}\r\nAuthorization: Bearer {running.key}\r\n").encode()
        self.admin = running.client()

    def restart(self, lanes):
        """kill -9, and a restart on the same data."""
        self.admin.close()
        self.server.kill()
        self.server.start()
        self.connect()
        for lane in lanes:
            lane.wire.close()
            lane.wire = wire.Wire(self.server.address, 60)

    def encoded(self, request):
        method, path, body, headers = request
        data = b"" if body is None else json.dumps(body).encode()
        lines = f"{method} {path} HTTP/1.1\r\n".encode() + self.head
        if body is not None:
            lines += b"Content-Type: application/json\r\n"
        if method != "GET":
            lines += b"Content-Length: %d\r\n" % len(data)
        for name, value in (headers or {}).items():
            lines += f"{name}: {value}\r\n".encode()
        return lines + b"\r\n" + data

    def play(self, lanes_with_steps):
        """Plays all lanes concurrently, with one request of each in flight. Raises Found(lane, difference) for a difference."""
        going = [(lane, steps, None) for lane, steps in lanes_with_steps]
        while going:
            sent = []
            for lane, steps, answer in going:
                try:
                    request = steps.send(answer)
                except StopIteration:
                    continue
                except AssertionError as fault:
                    raise Found(lane, fault) from None
                lane.wire.send(self.encoded(request))
                sent.append((lane, steps))
            going = [(lane, steps, lane.wire.read()) for lane, steps in sent]

    def pause(self, is_paused):
        assert self.admin.put("/admin/scoring", {"paused": is_paused}).status == 200


class Found(Exception):
    def __init__(self, lane, fault):
        super().__init__(str(fault))
        self.lane, self.fault = lane, fault


def replayed(driver, seed, history):
    """Plays one history alone; returns (difference or None, the world)."""
    lane = Lane(0, seed, driver.server.address)
    driver.pause(False)

    def steps():
        yield from lane.world.setup()
        for what, *rest in history:
            if what == "operate":
                yield from lane.world.operate(*rest)
                lane.world.remember_claims()
            elif what == "restart":
                driver.restart([lane])
            else:
                driver.pause(rest[0])
                yield from lane.world.paused(rest[0])
    try:
        driver.play([(lane, steps())])
        return None, lane.world
    except Found as found:
        return found.fault, lane.world
    except (LookupError, TypeError, AttributeError):
        return None, lane.world  # a step that was removed is needed
    finally:
        lane.wire.close()


def shrunk(driver, seed, history):
    """Removes steps that the difference does not need, halves first; returns (history, difference, world) of the last try."""
    until = time.monotonic() + SHRINK_S
    fault, played = replayed(driver, seed, history)
    if fault is None:
        return history, None, None
    size = max(len(history) // 2, 1)
    while size and time.monotonic() < until:
        for begin in range(0, len(history), size):
            less = history[:begin] + history[begin + size:]
            other, other_played = replayed(driver, seed, less)
            if other is not None and kind_of(other) == kind_of(fault):
                history, fault, played = less, other, other_played
                break
            if time.monotonic() > until:
                break
        else:
            size //= 2
    return history, fault, played


def kind_of(fault):
    """The kind of a difference: its text without ids and values."""
    return "".join(re.findall(r"[a-z]+", str(fault).partition("\n")[0]))[:20]


class ModelDiff(cases.SystemTest):
    # this test compares behavior; loss of power has separate tests
    options = ("--fsync", "off", "--rest-after", "20ms")

    def test_random_courses_agree_with_the_model(self):
        print(f"seed {SEED}, {OPERATIONS} operations in {WORLDS} worlds at once", flush=True)
        begun, cpu = time.monotonic(), time.process_time()
        driver = Driver(self.server)
        lanes = [Lane(n, SEED * 1000 + n, self.server.address) for n in range(WORLDS)]
        switch, is_paused, done, requests, restarts, gone = random.Random(SEED), False, 0, 0, 0, []
        try:
            while done + sum(lane.world.count for lane in lanes) < OPERATIONS:
                driver.play([(lane, lane.stretch(is_paused)) for lane in lanes])
                wanted = not is_paused and switch.random() < 0.3
                if wanted != is_paused:
                    is_paused = wanted
                    driver.pause(is_paused)
                    driver.play([(lane, lane.switched(is_paused)) for lane in lanes])
                elif not is_paused and switch.random() < RESTARTS:
                    driver.restart(lanes)
                    restarts += 1
                    for lane in lanes:
                        lane.history.append(("restart",))
                for lane in lanes:
                    if lane.world.count > PER_WORLD and not is_paused:
                        done, requests = done + lane.world.count, requests + lane.world.requests
                        gone.append(lane.world.model)
                        lane.seed += WORLDS
                        lane.renew()
        except Found as found:
            self.report(driver, found)
        finally:
            driver.pause(False)
            driver.admin.close()
            type(self).http = self.server.client()
            for lane in lanes:
                lane.wire.close()
        models = gone + [lane.world.model for lane in lanes]
        done += sum(lane.world.count for lane in lanes)
        requests += sum(lane.world.requests for lane in lanes)
        scores = [result.score for one in models for result in one.results if result.verdicts is not None]
        print(f"{done} operations, {requests} requests, {time.monotonic() - begun:.1f} s, of which this process computed "
              f"{time.process_time() - cpu:.1f} s; {sum(len(one.results) for one in models)} results, {len(scores)} scored, "
              f"{len(set(scores))} different scores, {sum(len(one.runs) for one in models)} runs, {restarts} restarts")
        self.assertGreaterEqual(done, OPERATIONS)
        self.assertGreater(len(set(scores)), 20 if OPERATIONS >= 20000 else 0, "the courses tell too little")

    def report(self, driver, found):
        lane = found.lane
        print(f"world {lane.seed} differs after {len(lane.history)} operations: {found.fault}", flush=True)
        history, fault, played = shrunk(driver, lane.seed, list(lane.history))
        if fault is None:
            trace = "\n".join(map(str, lane.world.trace[-40:]))
            self.fail(f"seed {SEED}, world {lane.seed}: {found.fault}\nit did not happen again alone; the end of its trace:\n"
                      f"{trace}")
        shown = "\n".join(f"  {method} {path} {json.dumps(body)} -> {status}"
                          for method, path, body, status in played.trace[-60:])
        self.fail(f"seed {SEED}, world {lane.seed}, shrunk to {history}:\n{fault}\n{shown}")

    def test_the_comparison_notices_a_wrong_model(self):
        for name, wrong in (("half_up", lambda part, whole: part // whole), ("averages", lambda entries: dict.fromkeys(
                model.model_case.MEASURES))):
            right = getattr(model.model_case, name)
            setattr(model.model_case, name, wrong)
            driver, patience = Driver(self.server), world_checks.WITHIN_S
            world_checks.WITHIN_S = 0.5
            try:
                faults = [replayed(driver, seed, [("operate", *one) for one in world.a_course(random.Random(seed), 300)])[0]
                          for seed in range(3)]
            finally:
                setattr(model.model_case, name, right)
                world_checks.WITHIN_S = patience
                driver.admin.close()
            self.assertTrue(any(faults), f"a wrong {name} goes unnoticed")


if __name__ == "__main__":
    cases.main()
