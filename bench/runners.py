"""Heartbeats of local runners (D73). Part of run.py."""
import statistics


def measure(bench, smoke):
    """Measures runners without work, and runners that renew a hundred leases per heartbeat, which is a durable write."""
    runners, leases = (4, 5) if smoke else (64, 100)
    server = bench.server()
    try:
        for name, prepare in (("without work", None), (f"that hold {leases} leases each", lease_work)):
            client = server.client(timeout_s=120)
            if prepare:
                prepare(bench, client, runners, leases)
            client.close()
            figures = [bench.load("heartbeat", server.address, server.key, connections=runners, status=200)
                       for _ in range(bench.sizes.rounds)]
            bench.row(f"heartbeats of {runners} runners {name}", "reported",
                      f"{statistics.median(one['rate'] for one in figures):,.0f}/s, p99 "
                      f"{statistics.median(one['p99_ms'] for one in figures):.1f} ms")
        client = server.client()
        held = client.get("/test-results/?status=pending&limit=1&output=minimal").json()["total"]
        agents = client.get("/agents/?type=LOCAL&limit=1&output=minimal").json()["total"]
        client.close()
        assert (held, agents) == (runners * leases, runners), (held, agents)
    finally:
        server.remove()


def lease_work(bench, client, runners, leases):
    """Gives each runner that the load generator plays as many results as a runner may hold."""
    scenario = client.post("/scenarios/", {"name": "bench scenario"}).json()["id"]
    client.post("/tests/", {"scenario": scenario, "name": "bench test", "instruction": "say: hello"})
    for number in range(runners):
        name = f"bench runner {number}"
        beat = {"name": name, "unique_identifier": name}
        agent = client.post("/agents/local", beat).json()["agent_id"]
        answer = client.post("/runs/", {"scenario": scenario, "agent": agent, "status": "pending", "repetitions": leases})
        assert answer.status == 201, answer
        offered = client.post("/agents/local", beat).json()
        assert len(offered["test_result_ids"]) == leases, offered
