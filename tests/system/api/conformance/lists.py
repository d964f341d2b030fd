"""List endpoints: envelope, paging, order, filters, lean rows (D6, D24)."""
import urllib.parse

from support.cases import SystemTest, unique


class Lists(SystemTest):
    def rows(self, path, **query):
        answer = self.http.get(path + ("?" + urllib.parse.urlencode(query) if query else ""))
        return self.ok(answer, 200)

    def ids(self, path, **query):
        return [row["id"] for row in self.rows(path, **query)["data"]]

    def test_every_list_has_the_envelope(self):
        scenario, agent = self.scenario(), self.agent()
        run = self.a_run(scenario, agent)
        for path in ("/scenarios/", "/tests/", "/agents/", "/runs/", "/test-results/",
                     f"/scenarios/{scenario['id']}/tests", f"/runs/{run['id']}/test-results"):
            with self.subTest(path=path):
                page = self.rows(path)
                self.assertEqual(set(page), {"data", "total", "page", "limit"})
                self.assertEqual((page["page"], page["limit"]), (1, 50))
                self.assertIsInstance(page["data"], list)
                self.assertGreaterEqual(page["total"], len(page["data"]))

    def test_I53_a_total_follows_immediately(self):
        scenario, agent = self.scenario(), self.agent()
        made = {"/agents/": self.agent, "/runs/": lambda: self.a_run(scenario, agent), "/tests/": lambda: self.a_test(scenario),
                "/test-results/": lambda: self.result(agent), f"/scenarios/{scenario['id']}/tests": lambda: self.a_test(scenario)}
        for path, make in made.items():
            for query in ({}, {"sortBy": "updatedAt"}):
                with self.subTest(path=path, query=query):
                    totals = [self.rows(path, limit=1, **query)["total"]]
                    for _ in range(2):
                        make()
                        page = self.rows(path, limit=1000, **query)
                        totals.append(page["total"])
                        self.assertEqual(len(page["data"]), min(page["total"], 1000))
                    self.assertEqual(totals, [totals[0], totals[0] + 1, totals[0] + 2])
        tests = f"/scenarios/{scenario['id']}/tests"
        before = self.rows(tests)["total"]
        self.ok(self.http.patch(f"/tests/{self.rows(tests)['data'][0]['id']}", {"isArchived": True}), 200)
        self.assertEqual((self.rows(tests)["total"], self.rows(tests, archived="true")["total"]), (before - 1, 1))

    def test_D6_page_and_limit_outside_their_range_are_400(self):
        for path in ("/scenarios/", "/runs/", "/test-results/"):
            for query in ("limit=0", "limit=1001", "limit=-1", "limit=x", "limit=1.5", "limit=", "limit=1e2",
                          "limit=%2B1", "limit=0x10", "limit=99999999999999999999", "page=0", "page=-1", "page=1.5",
                          "page=", "page=abc", "page=18446744073709551616"):
                with self.subTest(path=path, query=query):
                    self.problem(self.http.get(f"{path}?{query}"), 400, parameter=query.split("=")[0])

    def test_D6_limits_at_the_edge_are_taken(self):
        for limit in (1, 1000):
            page = self.rows("/scenarios/", limit=limit)
            self.assertEqual(page["limit"], limit)

    def test_D6_a_page_beyond_the_end_is_empty_with_the_total(self):
        scenario = self.scenario()
        self.a_test(scenario)
        page = self.rows(f"/scenarios/{scenario['id']}/tests", page=4000, limit=1000)
        self.assertEqual((page["data"], page["total"], page["page"]), ([], 1, 4000))

    def test_D6_invalid_keywords_in_a_query_are_400(self):
        for query, parameter in (("sortBy=nonsense", "sortBy"), ("sortBy=fields", "sortBy"), ("sortBy=", "sortBy"),
                                 ("sortOrder=up", "sortOrder"), ("archived=maybe", "archived"),
                                 ("output=tiny", "output")):
            path = "/runs/" if parameter == "output" else "/scenarios/"
            with self.subTest(query=query):
                self.problem(self.http.get(f"{path}?{query}"), 400, parameter=parameter)

    def test_D3_all_faults_of_a_query_are_reported_at_once(self):
        for path in ("/scenarios/", "/runs/", "/test-results/", "/api-keys/"):
            document = self.problem(self.http.get(f"{path}?page=0&limit=x&sortBy=nonsense"), 400)
            self.assertEqual(sorted(fault["parameter"] for fault in document["errors"]), ["limit", "page", "sortBy"])

    def test_I54_the_pages_together_hold_each_item_once_in_order(self):
        scenario = self.scenario()
        names = ["b", "a", "c", "a", "b", "a", "c"]
        made = [self.create("/tests/", scenario=scenario["id"], name=name) for name in names]
        path = f"/scenarios/{scenario['id']}/tests"
        for field in ("createdAt", "name", "id", "updatedAt", "isEnabled"):
            for order in ("asc", "desc"):
                with self.subTest(field=field, order=order):
                    seen = []
                    for page in range(1, 5):
                        seen += self.rows(path, sortBy=field, sortOrder=order, limit=2, page=page)["data"]
                    self.assertEqual(len(seen), 7)
                    # ties are ordered by id, in the same direction
                    expected = sorted(made, key=lambda row: (row[field], row["id"]), reverse=order == "desc")
                    self.assertEqual([row["id"] for row in seen], [row["id"] for row in expected])

    def test_D6_the_default_order_is_the_newest_first(self):
        scenario = self.scenario()
        made = [self.a_test(scenario)["id"] for _ in range(4)]
        self.assertEqual(self.ids(f"/scenarios/{scenario['id']}/tests"), made[::-1])

    def test_D6_link_names_first_previous_next_and_last(self):
        scenario = self.scenario()
        for _ in range(5):
            self.a_test(scenario)
        path = f"/scenarios/{scenario['id']}/tests"
        link = self.http.get(f"{path}?limit=2&page=2&sortBy=name").headers["link"]
        for relation, page in (("first", 1), ("prev", 1), ("next", 3), ("last", 3)):
            targets = [part for part in link.split(",") if f'rel="{relation}"' in part]
            self.assertEqual(len(targets), 1, link)
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(targets[0].split(">")[0].split("<")[1]).query)
            self.assertEqual((query["page"], query["limit"], query["sortBy"]), ([str(page)], ["2"], ["name"]), link)
        self.assertNotIn('rel="next"', self.http.get(f"{path}?limit=2&page=3").headers["link"])
        self.assertNotIn('rel="prev"', self.http.get(f"{path}?limit=2").headers["link"])

    def test_D6_archived_lists_only_archived_items(self):
        scenario = self.scenario()
        kept, gone = self.a_test(scenario)["id"], self.a_test(scenario)["id"]
        self.ok(self.http.patch(f"/tests/{gone}", {"isArchived": True}))
        path = f"/scenarios/{scenario['id']}/tests"
        self.assertEqual(self.ids(path), [kept])
        self.assertEqual(self.ids(path, archived="false"), [kept])
        self.assertEqual(self.ids(path, archived="true"), [gone])
        self.assertEqual(self.rows(path, archived="true")["total"], 1)
        self.assertIn(gone, self.ids("/tests/", scenario=scenario["id"], archived="true"))
        agent = self.agent()
        run = self.a_run(scenario, agent)
        self.ok(self.patch_run(run, isArchived=True))
        self.assertEqual(self.ids("/runs/", agent=agent["id"]), [])
        self.assertEqual(self.ids("/runs/", agent=agent["id"], archived="true"), [run["id"]])

    def test_disabled_tests_and_variants_are_listed(self):
        scenario = self.scenario()
        parent = self.a_test(scenario, isEnabled=False)
        variant = self.a_test(scenario, parentTest=parent["id"])
        self.assertEqual(set(self.ids(f"/scenarios/{scenario['id']}/tests")), {parent["id"], variant["id"]})
        self.assertEqual(self.ids("/tests/", parentTest=parent["id"]), [variant["id"]])

    def test_B3_runs_are_filtered(self):
        scenario, other = self.scenario(), self.scenario()
        agent, second = self.agent(), self.agent()
        one = self.a_run(scenario, agent)
        two = self.a_run(scenario, second, "new")
        three = self.a_run(other, agent, "new")
        self.assertEqual(self.ids("/runs/", scenario=scenario["id"]), [two["id"], one["id"]])
        self.assertEqual(self.ids("/runs/", agent=agent["id"]), [three["id"], one["id"]])
        self.assertEqual(self.ids("/runs/", agent=agent["id"], status="new"), [three["id"]])
        self.assertEqual(self.ids("/runs/", agent=agent["id"], scenario=scenario["id"]), [one["id"]])
        self.assertEqual(self.ids("/runs/", runGroup=two["runGroup"]["id"]), [two["id"]])
        mine = self.ids("/runs/", createdBy=one["createdBy"]["id"], agent=agent["id"])
        self.assertEqual(mine, [three["id"], one["id"]])
        self.assertEqual(self.ids("/runs/", scheduled="true", agent=agent["id"]), [])
        self.assertEqual(self.ids("/runs/", scheduled="false", agent=agent["id"]), [three["id"], one["id"]])
        self.problem(self.http.get("/runs/?scheduled=perhaps"), 400, parameter="scheduled")
        self.problem(self.http.get("/runs/?status=nonsense"), 400, parameter="status")

    def test_B11_results_are_filtered(self):
        scenario, agent = self.scenario(), self.agent()
        test, other = self.a_test(scenario), self.a_test(scenario)
        run = self.a_run(scenario, agent)
        one = self.result(agent, run=run["id"], test=test["id"])["id"]
        two = self.result(agent, run=run["id"], test=other["id"])["id"]
        alone = self.result(agent)["id"]
        self.assertEqual(self.ids("/test-results/", run=run["id"]), [two, one])
        self.assertEqual(self.ids(f"/runs/{run['id']}/test-results"), [two, one])
        self.assertEqual(self.ids("/test-results/", test=test["id"]), [one])
        self.assertEqual(self.ids("/test-results/", agent=agent["id"]), [alone, two, one])
        self.ok(self.patch_result(two, status="canceled"))
        self.assertEqual(self.ids("/test-results/", agent=agent["id"], status="canceled"), [two])
        self.assertEqual(self.ids("/test-results/", agent=agent["id"], status="pending"), [alone, one])
        self.assertEqual(self.rows("/test-results/", agent=agent["id"], limit=1)["total"], 3)

    def test_agents_are_filtered_by_type_and_owner(self):
        made = self.agent(type="LOCAL")
        self.assertIn(made["id"], self.ids("/agents/", type="LOCAL", limit=1000))
        self.assertNotIn(made["id"], self.ids("/agents/", type="EXTERNAL", limit=1000))
        self.assertIn(made["id"], self.ids("/agents/", owner=made["owner"]["id"], limit=1000))

    def test_tests_are_filtered_by_scenario(self):
        scenario = self.scenario()
        made = self.a_test(scenario)
        self.assertEqual(self.ids("/tests/", scenario=scenario["id"]), [made["id"]])

    def test_D24_minimal_rows_leave_the_heavy_fields_out(self):
        agent = self.agent(metadata={"a": 1}, config={"b": 2})
        row = [row for row in self.rows("/agents/", output="minimal", limit=1000)["data"] if row["id"] == agent["id"]][0]
        for field in ("config", "metadata", "secrets"):
            self.assertNotIn(field, row)
        self.assertEqual(row["name"], agent["name"])
        scenario = self.scenario()
        test = self.a_test(scenario)
        run = self.a_run(scenario, agent)
        self.result(agent, run=run["id"], test=test["id"], metadata={"a": 1})
        row = self.rows("/runs/", agent=agent["id"], output="minimal")["data"][0]
        self.assertNotIn("testConfigs", row)
        self.assertEqual(set(row["result"]), {"score", "passRate", "total"})
        self.assertEqual(row["scenario"]["name"], scenario["name"])
        row = self.rows(f"/runs/{run['id']}/test-results", output="minimal")["data"][0]
        for field in ("conversation", "assertionResults", "claims", "review", "metadata", "externalLinks"):
            self.assertNotIn(field, row)
        self.assertEqual((row["test"]["name"], row["status"]), (test["name"], "pending"))
        row = self.rows(f"/runs/{run['id']}/test-results", output="full")["data"][0]
        self.assertIn("conversation", row)

    def test_a_row_of_a_list_equals_the_record(self):
        agent = self.agent()
        scenario = self.scenario()
        test = self.a_test(scenario, assertions=[{"type": "contains", "config": {"value": "fine"}}])
        run = self.a_run(scenario, agent)
        result = self.result(agent, run=run["id"], test=test["id"])
        self.converse(result)
        self.settled(result)
        self.run_becomes(run, "completed")
        self.assertEqual(self.rows("/runs/", agent=agent["id"])["data"], [self.get_run(run)])
        self.assertEqual(self.rows("/test-results/", run=run["id"])["data"], [self.get_result(result)])
        del test["warnings"]  # only in the answer for a single test (D97)
        self.assertEqual(self.rows(f"/scenarios/{scenario['id']}/tests")["data"], [test])

    def test_D21_an_unfiled_scenario_is_listed_for_its_creator(self):
        name = unique("mine")
        made = self.scenario(name=name)
        self.assertEqual([row["id"] for row in self.rows("/scenarios/", name=name)["data"]], [made["id"]])
