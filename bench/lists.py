"""The lists of results and runs (D6): page 1 and `total` must cost about the same with a thousand results and with
a million. Servers of all sizes run side by side and are measured alternately, so that other work on the machine
affects all of them equally. Part of run.py."""
import statistics
import sys

RATIO_MAX = 1.5


class Sizes:
    def __init__(self, smoke):
        self.results = (100, 200) if smoke else (1_000, 100_000, 1_000_000)
        self.rounds = 1 if smoke else 5
        self.seconds = 0.5
        self.requests = 20 if smoke else 0  # 0: until the time is up
        self.connections = 4
        self.is_judged = not smoke


class World:
    """A server with `size` results, a tenth as many runs, and for each filter a share of records that grows with both."""

    def __init__(self, bench, count):
        self.bench, self.count, self.runs = bench, count, count // 10
        self.few = count // 50
        # only reads are measured, so clients need not wait for the disk while the server is filled
        self.server = bench.server("--rest-after", "1s", "--fsync", "off")
        self.http = self.server.client(timeout_s=120)

    def create(self, path, **body):
        answer = self.http.post(path, body)
        if answer.status != 201:
            sys.exit(f"bench: {path}: {answer}")
        return answer.json()["id"]

    def seed(self):
        """Every other result belongs to one large run; status and order of creation are the same for all sizes."""
        made = {"agent": self.create("/agents/", name="bench agent", type="EXTERNAL"),
                "scenario": self.create("/scenarios/", name="bench scenario"),
                "personality": self.create("/personalities/", name="bench personality"),
                "runGroup": self.create("/run-groups/", name="bench group")}
        test = self.create("/tests/", scenario=made["scenario"], name="bench test", instruction="say: nothing")
        self.large = self.create("/runs/", **made, status="running")
        running = self.make_runs(made, "running")
        self.make_runs(made, "new")
        shares = self.bench.folder / f"runs{self.count}"
        shares.write_text("".join(f"{self.large}\n{run}\n" for run in running.read_text().split()))
        for count, turns, end in ((self.few, 1, "yes"), (self.few, 1, "no"), (self.count - 2 * self.few, 0, "no")):
            figures = self.load("seed", agent=made["agent"], test=test, ids=shares, count=count, turns=turns, end=end,
                                wait_scored="no", entry_bytes=200, connections=128)
            if figures["finished"] != count:
                sys.exit(f"bench: {figures['finished']} of {count} results were made")
        self.http.close()  # the server closes connections that are idle for long
        self.bench.until(lambda: self.total("/test-results/?status=completed") == self.few)
        user = self.http.get(f"/runs/{self.large}").json()["createdBy"]["id"]
        self.lists = self.paths(made, test, user)

    def make_runs(self, links, status):
        body = "{" + "".join(f'"{name}":"{value}",' for name, value in links.items()) + f'"status":"{status}"' + "}"
        made = self.bench.folder / f"{status}{self.count}"
        self.load("raw", method="POST", path="/runs/", body=body, status=201, count=self.runs // 2, ids_out=made,
                  connections=64)
        return made

    def paths(self, made, test, user):
        """(path, total) of each list."""
        count, large = self.count, self.count // 2
        agent, group = made["agent"], made["runGroup"]
        runs, results = "/runs/?", "/test-results/?"
        return {"results": (results, count), "results, minimal": (results + "output=minimal", count),
                "results by run": (f"{results}run={self.large}", large), "results by test": (f"{results}test={test}", count),
                "results by agent": (f"{results}agent={agent}", count),
                "results by status": (f"{results}status=pending", count - 2 * self.few),
                "results of a run": (f"/runs/{self.large}/test-results?", large),
                "runs": (runs, self.runs + 1), "runs, minimal": (runs + "output=minimal", self.runs + 1),
                "runs by agent": (f"{runs}agent={agent}", self.runs + 1),
                "runs by personality": (f"{runs}personality={made['personality']}", self.runs + 1),
                "runs by createdBy": (f"{runs}createdBy={user}", self.runs + 1),
                "runs by runGroup": (f"{runs}runGroup={group}", self.runs + 1),
                "runs by scenario": (f"{runs}scenario={made['scenario']}", self.runs + 1),
                "runs by status": (f"{runs}status=new", self.runs // 2),
                "runs by scheduled": (f"{runs}scheduled=false", self.runs + 1)}

    def load(self, mode, **options):
        return self.bench.load(mode, self.server.address, self.server.key, **options)

    def total(self, path):
        return self.http.get(path + "&limit=1&output=minimal").json()["total"]

    def page_us(self, path, sizes):
        """Microseconds for one page of a list, with all connections busy."""
        figures = self.load("raw", path=path, status=200, seconds=sizes.seconds, warmup=sizes.seconds / 5,
                            connections=sizes.connections, count=sizes.requests)
        return 1e6 / figures["rate"]


def short(count):
    return f"{count // 1_000_000}M" if count >= 1_000_000 else f"{count // 1_000}k" if count >= 1_000 else str(count)


def measure(bench, smoke):
    sizes = Sizes(smoke)
    worlds = [World(bench, count) for count in sizes.results]
    try:
        for world in worlds:
            world.seed()
            check(world)
        for name in worlds[0].lists:
            times = {world.count: [] for world in worlds}
            for _ in range(sizes.rounds):
                for world in worlds:
                    times[world.count].append(world.page_us(world.lists[name][0], sizes))
            medians = {count: statistics.median(rows) for count, rows in times.items()}
            first = medians[sizes.results[0]]
            most = max(medians.values()) / first
            shown = ", ".join(f"{short(count)} {median:,.0f} us" for count, median in medians.items())
            bench.row(f"page 1 and total of {name}: the most, against {short(sizes.results[0])}", f"<= {RATIO_MAX}",
                      f"{most:.2f} ({shown})", most <= RATIO_MAX if sizes.is_judged else None)
        for world in worlds:
            other_pages(bench, world)
            ready_time(bench, world)
    finally:
        for world in worlds:
            world.http.close()
            world.server.remove()


def check(world):
    """Checks that each list has the right total and a full page, newest first."""
    for name, (path, total) in world.lists.items():
        shown = world.http.get(path + "&limit=10").json()
        ids = [row["id"] for row in shown["data"]]
        if shown["total"] != total or len(ids) != min(10, total) or ids != sorted(ids, reverse=True):
            sys.exit(f"bench: {name}: total {shown['total']}, wanted {total}: {ids}")


def ready_time(bench, world):
    """Time until the server is ready. Nearly all results are still pending, and a start checks unfinished results."""
    world.server.stop()
    taken = world.server.start()
    bench.row(f"ready with {short(world.count)} stored results, {short(world.count - world.few)} of them not over", "< 1 s",
              f"{taken:.3f} s", taken < 1)


def other_pages(bench, world):
    """Figures without a goal, from one request each."""
    world.http.close()  # idle since the lists were checked
    pages = world.count // 50
    asked = {"page in the middle": f"page={pages // 2}", "last page": f"page={pages}",
             "sorted by updatedAt": "sortBy=updatedAt", "two filters": f"run={world.large}&status=completed"}
    found = []
    for name, query in asked.items():
        answers = [bench.timed(lambda query=query: world.http.get(f"/test-results/?{query}")) for _ in range(3)]
        taken, answer = min(answers, key=lambda pair: pair[0])
        if answer.status != 200 and not (answer.status == 400 and "sortBy" in query and world.count > 200_000):
            sys.exit(f"bench: {query}: {answer}")
        found.append(f"{name} {taken * 1000:.1f} ms" + ("" if answer.status == 200 else f" ({answer.status})"))
    bench.row(f"other pages of {short(world.count)} results", "reported", ", ".join(found))
