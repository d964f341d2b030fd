"""Operations during a kill or stop of the server (rows 10, 27, 36, 39, 47, 54; row 65 is each of them with SIGTERM): an effect
is complete or absent, and present if it was acknowledged. A round is one result; several rounds share one end of the server."""
import threading
import time

from support import server, wire
from support.cases import state_of
from support.racing import ROUNDS, RacingTest

AT_ONCE = 8
WITHIN_S = 0.004  # requests and the end of the server start within this time


class EndOfServer(RacingTest):
    """Uses a separate server, which is killed or stopped again and again."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.http.close()
        cls.server = server.Server("--log-level", "warn")
        cls.server.start()
        cls.http = cls.server.client()

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()
        super().tearDownClass()

    def ends(self):
        """How the server ends in each group of rounds: kill -9, or SIGTERM every third time."""
        return ["SIGTERM" if number % 3 == 2 else "kill" for number in range(max(3, ROUNDS // AT_ONCE))]

    def race_end(self, how, requests):
        """The answers to requests that start together with the end of the server; None for a request without an answer."""
        clients = [self.server.client(timeout_s=20) for _ in requests]
        for client in clients:
            self.ok(client.get("/healthz"))
        barrier, answers = threading.Barrier(len(requests) + 1), [None] * len(requests)

        def send(number, pause_s):
            barrier.wait()
            time.sleep(pause_s)
            try:
                answers[number] = clients[number].send(*requests[number])
            except (wire.Gone, OSError):
                pass
            except wire.Cut:
                self.assertEqual(how, "kill", "a drain cuts no answer (I66)")
        threads = [threading.Thread(target=send, args=(number, self.random.uniform(0, WITHIN_S)))
                   for number in range(len(requests))]
        for thread in threads:
            thread.start()
        barrier.wait()
        time.sleep(self.random.uniform(0, WITHIN_S))
        if how == "kill":
            self.server.kill()
        else:
            self.assertEqual(self.server.stop(), 0)
        for thread in threads:
            thread.join(30)
        for client in clients:
            client.close()
        self.restart()
        # 503: a stopping server refuses late requests
        return [None if answer is None or answer.status == 503 else answer for answer in answers]

    def restart(self):
        self.server.start()
        self.http.close()
        type(self).http = self.server.client()

    def in_states(self, letter, **body):
        return [self.in_state(letter, **body) for _ in range(AT_ONCE)]

    def test_10_65_next_message_and_the_end_of_the_server(self):
        for how in self.ends():
            made = self.in_states("P")
            answers = self.race_end(how, [self.operation("NM", one) for one in made])
            for one, answer in zip(made, answers):
                ids = self.ids_of(one)
                self.assertLessEqual(len(ids), 1)
                if answer is not None and self.ok(answer, 200)["ready"]:
                    self.assertEqual(ids, [answer.json()["message_id"]])
                again = self.turn(one)["message_id"]
                self.assertEqual(self.ids_of(one), ids or [again])
                self.assertEqual(self.ids_of(one), [again])

    def test_27_65_finish_and_the_end_of_the_server(self):
        for how in self.ends():
            made = self.in_states("W")
            answers = self.race_end(how, [self.operation("FI", one) for one in made])
            for one, answer in zip(made, answers):
                if answer is not None:
                    self.ok(answer, 202)
                after = self.finally_(one)
                self.assertIn(state_of(after), ("C",) if answer is not None else ("C", "W"))
                self.assertEqual(after["scoringEnqueuedAt"] is None, state_of(after) == "W")

    def test_36_39_65_the_verdict_and_the_end_of_the_server(self):
        """A verdict is complete, saved once, and belongs to the claim that was made before."""
        for how in self.ends():
            made = self.in_states("W")
            claims = [self.ok(self.finish(one), 202) and self.get_result(one)["scoringEnqueuedAt"] for one in made]
            self.race_end(how, [("GET", "/healthz")])
            for one, claim in zip(made, claims):
                after = self.settled(one)
                self.assertEqual((after["status"], after["score"], after["scoringEnqueuedAt"]), ("completed", 100, claim))
                self.assertEqual([row["status"] for row in after["assertionResults"]], ["passed"])

    def test_47_65_retry_and_the_end_of_the_server(self):
        for how in self.ends():
            pairs = [self.in_run("C") for _ in range(AT_ONCE)]
            answers = self.race_end(how, [self.operation("RT", made) for _, made in pairs])
            for (run, made), answer in zip(pairs, answers):
                rows = self.ok(self.http.get(f"/runs/{run['id']}/test-results?retired=all&sortOrder=asc"))["data"]
                if answer is not None:
                    self.assertEqual(rows[-1]["id"], self.ok(answer, 201)["id"])
                states = [(state_of(row), row["retiredBy"]) for row in rows]
                whole = [("X", rows[-1]["id"]), ("P", None)]
                self.assertIn(states, [whole] if answer is not None else [whole, [("C", None)]])
                self.assertEqual(self.get_run(run)["result"]["total"], 1)

    def test_54_65_cancel_run_and_the_end_of_the_server(self):
        for how in self.ends():
            pairs = []
            for _ in range(AT_ONCE):
                run, first = self.in_run("R", repetitions=4)
                pairs.append((run, [first, *[self.result(self.agent_, run=run["id"], test=self.test_["id"]) for _ in range(3)]]))
            answers = self.race_end(how, [self.operation("CR", made[0], run) for run, made in pairs])
            for (run, made), answer in zip(pairs, answers):
                states = [state_of(self.get_result(one)) for one in made]
                status = self.get_run(run)["status"]
                all_or_nothing = [("canceled", ["X"] * 4), ("running", ["R", "P", "P", "P"])]
                self.assertIn((status, states), all_or_nothing[:1] if answer is not None else all_or_nothing)
