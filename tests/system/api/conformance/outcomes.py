"""The state of a result as a letter, and filters of lists by the outcome of results (D98, D103)."""
import urllib.parse

from support.cases import SystemTest

MINOR = {"type": "contains", "severity": "MINOR", "config": {"value": "please"}}
BLOCKER = {"type": "contains", "severity": "BLOCKER", "config": {"value": "fine"}}
OPEN = {"type": "criteria", "severity": "BLOCKER", "criteria": "is polite"}


class Outcomes(SystemTest):
    def setUp(self):
        self.scenario_, self.agent_ = self.scenario(), self.agent()
        self.run_ = self.a_run(self.scenario_, self.agent_)

    def made(self, assertions=(), reply="fine", **body):
        """A scored result of the run."""
        test = self.a_test(self.scenario_, "say: one", list(assertions))
        result = self.result(self.agent_, run=self.run_["id"], test=test["id"], **body)
        self.converse(result, (reply,))
        return self.settled(result)

    def ids(self, path=None, **query):
        path = path or f"/runs/{self.run_['id']}/test-results"
        page = self.ok(self.http.get(f"{path}?{urllib.parse.urlencode(query)}"), 200)
        self.assertEqual(page["total"], len(page["data"]))
        return [row["id"] for row in page["data"]]

    def all_states(self):
        """{letter: id of a result in that state} for each state that needs no model."""
        test = self.a_test(self.scenario_, "say: one")
        pending = [self.result(self.agent_, run=self.run_["id"], test=test["id"]) for _ in range(4)]
        self.turn(pending[1])
        self.ok(self.patch_result(pending[2], status="failed"))
        self.ok(self.patch_result(pending[3], status="canceled"))
        manual = self.result(self.agent_, run=self.run_["id"], test=test["id"], completionMode="manual")
        self.converse(manual)
        made = {"p": self.made([BLOCKER]), "q": self.made([BLOCKER, MINOR]), "f": self.made([BLOCKER], "bad"),
                "u": self.made([OPEN]), "w": pending[0], "r": pending[1], "c": pending[2], "k": pending[3], "h": manual}
        return {letter: result["id"] for letter, result in made.items()}

    def test_D103_each_result_shows_its_state_and_lists_filter_by_it(self):
        made = self.all_states()
        for letter, result in made.items():
            with self.subTest(state=letter):
                self.assertEqual(self.get_result(result)["state"], letter)
                self.assertEqual(self.ids(state=letter), [result])
                self.assertEqual(self.ids("/test-results/", run=self.run_["id"], state=letter, output="minimal"), [result])
        both = sorted([made["f"], made["u"]], reverse=True)
        for letters in ("fu", "f,u", "u,f"):
            self.assertEqual(self.ids(state=letters), both)
        self.assertEqual(self.ids(state="fu", status="failed"), [])
        self.assertEqual(self.ids(state="fc", sortBy="state", sortOrder="asc"), [made["c"], made["f"]])
        page = self.ok(self.http.get(f"/runs/{self.run_['id']}/test-results?state=pqfu&limit=3&page=2"))
        self.assertEqual((len(page["data"]), page["total"]), (1, 4))

    def test_D103_lists_filter_by_overallPassed(self):
        made = self.all_states()
        self.assertEqual(set(self.ids(overallPassed="false")), {made["f"], made["u"], made["c"]})
        self.assertEqual(set(self.ids(overallPassed="true")), set(made.values()) - {made["f"], made["u"], made["c"]})
        self.assertEqual(self.ids(overallPassed="false", state="u"), [made["u"]])

    def test_D103_wrong_filters_are_named(self):
        for query, parameter in (("state=x", "state"), ("state=", "state"), ("state=passed!", "state"), ("state=-", "state"),
                                 ("overallPassed=no", "overallPassed"), ("retired=maybe", "retired")):
            for path in ("/test-results/", f"/runs/{self.run_['id']}/test-results"):
                with self.subTest(query=query, path=path):
                    self.problem(self.http.get(f"{path}?{query}"), 400, parameter=parameter)

    def test_D103_results_that_a_retry_replaced_are_listed_on_request(self):
        first = self.made([BLOCKER], "bad")
        other = self.made([BLOCKER])
        clone = self.ok(self.retry(first), 201)
        path = f"/runs/{self.run_['id']}/test-results"
        for where in ({"path": path}, {"path": "/test-results/", "agent": self.agent_["id"]},
                      {"path": "/test-results/", "run": self.run_["id"], "sortBy": "score"}):
            with self.subTest(where=where):
                self.assertEqual(set(self.ids(**where)), {clone["id"], other["id"]})
                self.assertEqual(self.ids(retired="true", **where), [first["id"]])
                self.assertEqual(set(self.ids(retired="all", **where)), {clone["id"], other["id"], first["id"]})
        self.assertEqual(self.ids("/test-results/", test=first["test"]["id"]), [clone["id"]])
        self.assertEqual(self.ids(status="canceled"), [])
        self.assertEqual(self.ids(status="canceled", retired="all"), [first["id"]])
        self.assertEqual(self.ids(state="k", retired="true"), [first["id"]])
        page = self.ok(self.http.get(f"{path}?retired=all&limit=2&page=2"))
        self.assertEqual((len(page["data"]), page["total"]), (1, 3))

    def test_D98_a_failed_result_has_not_passed(self):
        for assertions in ([], [BLOCKER], [MINOR]):
            test = self.a_test(self.scenario_, "say: one", assertions)
            result = self.result(self.agent_, run=self.run_["id"], test=test["id"])
            self.assertTrue(result["overallPassed"])
            shown = self.ok(self.patch_result(result, status="failed"))
            self.assertEqual((shown["status"], shown["overallPassed"], shown["score"]), ("failed", False, 0))
            self.ok(self.retry(result), 201)
            self.assertEqual([self.get_result(result)[key] for key in ("status", "overallPassed")], ["canceled", False])
        passed = self.made([BLOCKER])
        self.ok(self.patch_result(passed, status="canceled"))
        self.assertTrue(self.get_result(passed)["overallPassed"])
