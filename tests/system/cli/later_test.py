#!/usr/bin/env python3
"""Commands on an earlier run: fields of --json, id prefixes, `tail`, `chat`, and faults that only the server can find."""
import csv
import io
import json
import re
import sys
import unittest
from contextlib import closing
from xml.etree import ElementTree

from project import ECHO, ProjectTest, suite, test_of
from support import server as servers

SHOP = "  shop: {demo: true}\n"
GREETS = test_of("Greets", ["Hello", "bye"], "{icontains: order}")
FAILS = test_of("Finds order 7", ["Where is order 7?", "bye"], "{contains: on its way}")


class Fields(ProjectTest):
    def setUp(self):
        super().setUp()
        self.write("parley.yaml", suite(SHOP, GREETS + FAILS, "repeat: 2\n"))
        self.run_to_report(code=1)

    def fields(self, *words):
        return json.loads(self.parley(*words).stdout)

    def test_results_have_the_names_of_the_report(self):
        rows = self.fields("results", "last", "--json=test,name,scenario,state,repetition,persona,turns")
        self.assertEqual(sorted((each["test"], each["state"], each["repetition"]) for each in rows),
                         [("finds-order-7", "failed", 1), ("finds-order-7", "failed", 2), ("greets", "passed", 1), ("greets", "passed", 2)])
        self.assertEqual({(each["scenario"], each["persona"], each["turns"]) for each in rows}, {("coffee", None, 2)})
        failed = self.fields("results", "last", "--filter", "state=failed", "--json=name")
        self.assertEqual(failed, [{"name": "Finds order 7"}] * 2)

    def test_a_run_and_a_result_are_shown_by_field(self):
        self.assertIn("decision\n", self.parley("show", "last", "--json").stdout)
        shown = self.fields("show", "last", "--json=decision,exit,counts")
        self.assertEqual((shown["decision"], shown["exit"], shown["counts"]["failed"]), ("red", 1, 2))
        self.assertEqual(self.parley("show", "last", "--json=nothing").returncode, 2)
        one = self.fields("results", "last", "--json=id,test")[0]
        self.assertEqual(self.fields("show", one["id"], "--json=id,test"), one)

    def test_a_comparison_is_shown_by_field(self):
        self.run_to_report(code=1)
        self.assertEqual(self.parley("compare", "last~1", "last", "--json").stdout.split(), ["tests", "playedLess"])
        compared = self.fields("compare", "last~1", "last", "--json=tests")
        self.assertEqual({each["change"] for each in compared["tests"]}, {"unchanged"})

    def test_a_comparison_of_two_results_is_shown_by_field(self):
        ids = {each["name"]: each["id"] for each in self.fields("results", "last", "--json=id,name")}
        pair = [ids["Greets"], ids["Finds order 7"]]
        self.assertEqual(self.parley("compare", *pair, "--json").stdout.split(), ["results", "same", "sharedEntries", "divergence"])
        compared = self.fields("compare", *pair, "--json=results,same,sharedEntries,divergence")
        self.assertEqual([(each["id"], each["test"], each["state"]) for each in compared["results"]],
                         [(pair[0], "greets", "passed"), (pair[1], "finds-order-7", "failed")])
        self.assertEqual((compared["same"], compared["sharedEntries"]), (False, 0))
        self.assertEqual([(each["role"], each["turn"], each["text"]) for each in compared["divergence"]],
                         [("tester", 0, "Hello"), ("tester", 0, "Where is order 7?")])
        same = self.fields("compare", pair[0], pair[0], "--json=same,sharedEntries,divergence")
        self.assertEqual(same, {"same": True, "sharedEntries": 4, "divergence": None})
        self.assertEqual(self.parley("compare", *pair, "--json=nothing").returncode, 2)

    def test_tail_numbers_repetitions_and_names_tests(self):
        lines = [json.loads(line) for line in self.parley("tail", "last", "-o", "jsonl").stdout.splitlines()]
        self.assertEqual(sorted((each["test"], each["repetition"]) for each in lines),
                         [("finds-order-7", 1), ("finds-order-7", 2), ("greets", 1), ("greets", 2)])

    def test_the_command_of_a_failure_names_one_result(self):
        self.run_to_report(code=1)
        named = re.search(r"parley show (\S+)", self.parley("show", "last").stdout)[1]
        shown = self.parley("show", named)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("Where is order 7?", shown.stdout)

    def test_names_of_the_local_data_are_completed(self):
        last = self.fields("show", "last", "--json=runs")["runs"][0]["id"]
        names = self.parley("__complete", "show", "").stdout.split()
        self.assertLessEqual({"last", last, "greets", "finds-order-7"}, set(names))
        self.assertEqual(self.parley("__complete", "run", "--agent", "s").stdout, "shop\n")


class Stored(ProjectTest):
    """A later export of a run has the same data as the report of the run."""

    def setUp(self):
        super().setUp()
        rows = "  - {name: Any order, script: \"say: {{number}}\", data: {file: orders.csv}, must: [{contains: \"{{number}}\"}]}\n"
        variant = GREETS + "    fields: {city: Wien, size: s}\n    variants: [{name: in Oslo, fields: {city: Oslo}}]\n"
        self.write("orders.csv", "number\n1\n2\n")
        self.write("parley.yaml", suite(SHOP, variant + FAILS + rows, "repeat: 2\n"))

    def test_an_export_of_a_run_has_what_its_report_had(self):
        report, _ = self.run_to_report(code=1)
        stored = json.loads(self.parley("export", "last", "-f", "json").stdout)
        of = lambda report: sorted(report["results"], key=lambda result: result["id"])
        self.assertEqual(of(stored), of(report))
        for key in ("v", "type", "parley", "project", "exit", "decision", "reasons", "usd", "costs", "counts", "runs"):
            self.assertEqual(stored[key], report[key], key)
        self.assertEqual({each["test"] for each in report["results"]}, {"greets", "finds-order-7", "any-order--1", "any-order--2"})
        variant, _ = (each for each in stored["results"] if each["variant"])
        self.assertEqual((variant["test"], variant["name"], variant["variant"], variant["fields"], variant["file"]),
                         ("greets", "Greets", "in Oslo", {"city": "Oslo", "size": "s"}, "parley.yaml"))
        self.assertGreater(variant["line"], 0)
        self.assertGreater(stored["seconds"], 0)
        self.assertLessEqual(stored["seconds"], report["seconds"] + 1)
        lines = [json.loads(line) for line in self.parley("export", "last", "-f", "jsonl").stdout.splitlines()]
        results = [{key: each[key] for key in each if key != "v"} for each in lines if each["type"] == "result"]
        self.assertEqual(of({"results": results}), of(report))
        cases = ElementTree.fromstring(self.parley("export", "last", "-f", "junit").stdout).iter("testcase")
        self.assertEqual(sorted((each.get("file"), int(each.get("line"))) for each in cases),
                         sorted((each["file"], each["line"]) for each in report["results"]))
        [head, *rows] = csv.reader(io.StringIO(self.parley("export", "last", "-f", "csv").stdout))
        self.assertEqual(sorted(row[head.index("line")] for row in rows), sorted(str(each["line"]) for each in report["results"]))

    def test_a_place_that_the_server_does_not_know_is_left_out(self):
        with servers.Server() as server:
            self.environment.update(PARLEY_URL=f"http://127.0.0.1:{server.address[1]}", PARLEY_KEY=server.key)
            report, _ = self.run_to_report("--apply", code=1)
            with closing(server.client()) as client:
                self.assertEqual(client.patch(f"/runs/{report['runs'][0]['id']}", {"metadata": {"project": "coffee"}}).status, 200)
            stored = json.loads(self.parley("export", "last", "-f", "json").stdout)
            self.assertEqual([each for each in stored["results"] if "file" in each or "line" in each], [])
            [head, *rows] = csv.reader(io.StringIO(self.parley("export", "last", "-f", "csv").stdout))
            self.assertEqual({row[head.index("line")] for row in rows}, {""})

    def test_variants_and_rows_are_compared_with_those_of_the_baseline(self):
        self.write("parley.yaml", (self.folder / "parley.yaml").read_text().replace(FAILS, ""))
        first, _ = self.run_to_report("--min-pass-rate", "0", code=0)
        report, _ = self.run_to_report("--min-pass-rate", "0", "--baseline", first["runs"][0]["id"], code=0)
        self.assertEqual(report["reasons"], [])
        compared = self.parley("compare", "last~1", "last").stdout
        self.assertIn("4 tests compared, 4 unchanged", compared)


class Matrix(ProjectTest):
    def test_show_last_shows_every_run_of_the_last_command(self):
        self.write("parley.yaml", suite(SHOP + "  other: {demo: true}\n", GREETS + FAILS))
        report, ended = self.run_to_report(code=1)
        shown = self.parley("show", "last").stdout
        self.assertIn("2 of 4 decided passed, 50 %", shown)
        self.assertIn([line for line in shown.splitlines() if "decided passed" in line][0], ended.stdout)
        for name in ("Greets · shop", "Greets · other", "Finds order 7 · shop", "Finds order 7 · other"):
            self.assertIn(name, shown)
        document = json.loads(self.parley("show", "last", "--json=runs,counts,decision,exit").stdout)
        self.assertEqual([each["id"] for each in document["runs"]], [each["id"] for each in report["runs"]])
        self.assertEqual((document["counts"], document["decision"], document["exit"]), (report["counts"], "red", 1))
        self.assertIn("1 of 2 decided passed", self.parley("show", report["runs"][0]["id"]).stdout)
        self.run_to_report("--agent", "other", code=1)
        self.assertIn("1 of 2 decided passed", self.parley("show", "last").stdout)

    def test_last_means_every_run_of_the_last_command(self):
        self.write("parley.yaml", suite(SHOP + "  other: {demo: true}\n", GREETS + FAILS))
        report, _ = self.run_to_report(code=1)
        runs = {each["id"] for each in report["runs"]}
        self.run_to_report("-g", "Greets", code=0)
        for words in (("results", "last~1"), ("export", "last~1", "-f", "json")):
            rows = json.loads(self.parley(*words, *(["--json=run"] if words[0] == "results" else [])).stdout)
            rows = rows if words[0] == "results" else rows["results"]
            self.assertEqual(({each["run"] for each in rows}, len(rows)), (runs, 4), words)
        repeated = json.loads(self.parley("results", "last~1", "--json=repetition").stdout)
        self.assertEqual({each["repetition"] for each in repeated}, {1})
        self.assertIn("2 of 4 decided passed", self.parley("gate", "last~1").stdout)
        self.assertEqual(self.parley("gate").returncode, 0)
        self.assertIn("2 tests compared", self.parley("compare", "last", "last").stdout)
        self.assertIn("there is no run \"last~2\"", self.parley("show", "last~2").stderr)
        self.assertIn("first attempts: 2 of 4 passed, 50 %", self.parley("retry", "last~1", "--verdicts").stdout)


class Ends(ProjectTest):
    def test_a_command_that_exits_is_named_with_its_code_each_time(self):
        self.write("bot.py", "import sys\nsys.stdin.readline()\nraise KeyError('order')\n")
        agent = f"  bot: {{exec: [{sys.executable}, bot.py]}}\n"
        self.write("parley.yaml", suite(agent, test_of("Breaks", ["Hello"], "{contains: x}"), "repeat: 12\n"))
        report, _ = self.run_to_report(code=3)
        self.assertEqual({each["fault"]["detail"] for each in report["results"]}, {"exited 1 in turn 0: KeyError: 'order'"})

    def test_a_command_that_closes_its_output_and_lives_on_is_not_waited_for(self):
        self.write("bot.py", "import os, sys, time\nsys.stdin.readline()\nos.close(1)\ntime.sleep(60)\n")
        agent = f"  bot: {{exec: [{sys.executable}, bot.py]}}\n"
        self.write("parley.yaml", suite(agent, test_of("Closes", ["Hello"], "{contains: x}")))
        report, _ = self.run_to_report(code=3)
        self.assertEqual(report["results"][0]["fault"]["detail"], "closed its output in turn 0")
        self.assertLess(report["seconds"], 15)


class Chat(ProjectTest):
    def test_only_what_the_chatbot_took_is_saved(self):
        self.write("parley.yaml", suite(SHOP, GREETS))
        self.run_to_report(code=0)
        talk = 'Hello\nI want to buy\n/act nothing {}\n/act confirm_order {"quantity": 1}\n/save saved.yaml\n/end\n'
        ended = self.parley("chat", "shop", stdin=talk)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        saved = (self.folder / "saved.yaml").read_text()
        self.assertIn("      say: I want to buy\n      invoke: confirm_order {\"quantity\": 1}\n", saved)
        self.assertNotIn("nothing", saved)
        self.assertEqual(self.parley("validate", "saved.yaml").returncode, 0)

    def test_an_agent_that_is_a_command_answers(self):
        self.write("bot.py", ECHO)
        self.write("parley.yaml", suite(f"  bot: {{exec: [{sys.executable}, bot.py]}}\n", test_of("Echoes", ["Hello"], "{contains: x}")))
        for _ in range(2):
            ended = self.parley("chat", "bot", stdin="Hello\nand again\n/end\n")
            self.assertEqual((ended.returncode, ended.stdout), (0, "bot: You said: Hello\nbot: You said: and again\n"), ended.stderr)
        self.assertEqual(len(json.loads(self.parley("ls", "agents", "--json=name").stdout)), 1)
        self.write("bot.py", "import sys\nsys.exit(7)\n")
        self.assertIn("exited 7 in turn 0", self.parley("chat", "bot", stdin="Hello\n").stderr)

    def test_an_agent_of_the_suite_is_there_before_any_run(self):
        self.write("parley.yaml", suite(SHOP, GREETS))
        checked = json.loads(self.parley("agent", "check", "shop", "--json").stdout)
        self.assertTrue(checked["ok"])
        self.assertFalse((self.folder / ".parley/data").exists(), "a check stores nothing")
        for words in (["agent", "check", "shp"], ["chat", "shp"]):
            refused = self.parley(*words)
            self.assertEqual(refused.returncode, 2)
            self.assertIn('no suite here has the agent "shp"; did you mean "shop"?', refused.stderr)
        chat = self.parley("chat", "shop", stdin="Hello\n")
        self.assertIn("shop: Hello", chat.stdout, chat.stderr)
        self.write("parley.yaml", suite(SHOP, GREETS, "bogus: 1\n"))
        (self.folder / ".parley").rename(self.folder / "old")
        self.assertIn("unknown key", self.parley("chat", "shop", stdin="Hello\n").stderr)

    def test_a_probe_finds_a_command_by_its_name(self):
        self.write("bot.py", ECHO)
        self.write("parley.yaml", suite(f"  bot: {{exec: [{sys.executable}, bot.py]}}\n", test_of("Echoes", ["Hello"], "{contains: x}")))
        shown = self.parley("agent", "check", "bot")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("You said: Hello", shown.stdout)
        probe = json.loads(self.parley("agent", "check", "bot", "--json").stdout)
        self.assertEqual((probe["ok"], probe["sent"]["message"], probe["read"][0]["content"]), (True, "Hello", "You said: Hello"))
        self.write("bot.py", "import sys\nsys.exit(7)\n")
        broken = self.parley("agent", "check", "bot", "--json")
        self.assertEqual((broken.returncode, json.loads(broken.stdout)["fault"]["code"]), (3, "exit"))
        refused = self.parley("agent", "check", "--http", "http://127.0.0.1:1/")
        self.assertEqual(refused.returncode, 3, refused.stdout)


class Refusals(ProjectTest):
    def test_a_fault_that_the_server_finds_is_shown_in_the_file(self):
        text = "  - name: Of last week\n    from-log: chat-7\n    must: [{no-loop: {}}]\n"
        path = self.write("parley.yaml", suite(SHOP, text))
        line = path.read_text().split("\n").index("  - name: Of last week") + 1
        ended = self.parley("run")
        self.assertEqual(ended.returncode, 2)
        self.assertRegex(ended.stderr, rf"^parley\.yaml:{line}:\d+: error: there is no conversation log")
        self.assertIn(f"{line} |   - name: Of last week\n", ended.stderr)
        self.assertIn("1 error in 1 file. Nothing was played.", ended.stderr)


class Lines(ProjectTest):
    def test_text_that_several_assertions_quote_is_shown_once(self):
        must = "{contains: nothing}, {contains: \"never\"}"
        self.write("parley.yaml", suite(SHOP, test_of("Quotes", ["Hello"], must)))
        for reporter in ("line", "pretty"):
            with self.subTest(reporter=reporter):
                shown = self.parley("run", "--reporter", reporter, COLUMNS="120").stdout
                self.assertEqual(shown.count("must \"contains\""), 2, shown)
                self.assertEqual(shown.count("turn 0  shop"), 1, shown)


class Baselines(ProjectTest):
    def setUp(self):
        super().setUp()
        self.write("parley.yaml", suite(SHOP, GREETS))

    def runs(self):
        return [each["id"] for each in json.loads(self.parley("ls", "runs", "--json=id").stdout)]

    def test_the_last_run_is_the_one_before_this(self):
        self.run_to_report(code=0)
        report, _ = self.run_to_report("--baseline", "last", code=0)
        self.assertEqual((report["decision"], report["reasons"]), ("green", []))

    def test_a_run_of_a_part_is_not_the_last_green_one(self):
        fails = test_of("Changes", ["Hello"], "{icontains: order}")
        self.write("parley.yaml", suite(SHOP, GREETS + fails, "repeat: 8\n"))
        self.run_to_report(code=0)
        self.run_to_report("-g", "Greets", code=0)
        self.write("parley.yaml", suite(SHOP, GREETS + fails.replace("icontains: order", "contains: never"), "repeat: 8\n"))
        gate = ("--baseline", "last-green", "--min-pass-rate", "0")
        report, _ = self.run_to_report(*gate, code=1)
        self.assertRegex(report["reasons"][0], "^against last-green [0-9a-f-]{13}: 1 regressed$")
        report, _ = self.run_to_report(*gate, "-g", "Greets", code=0)
        self.assertEqual([each["part"] for each in report["runs"]], ["selection"])
        self.assertEqual(report["reasons"], [])
        self.assertEqual(self.parley("gate", "last", *gate).returncode, 0)
        report, _ = self.run_to_report(*gate, "-g", "Greets", "--repeat", "2", code=3)
        self.assertRegex(report["reasons"][0], "1 played less often$")

    def test_a_filter_can_name_scenario_and_test(self):
        self.write("parley.yaml", suite(SHOP, GREETS + FAILS))
        for words, tests in (("coffee/greets", ["greets"]), ("coffee/*order", ["finds-order-7"]), ("path=coffee/Greets", ["greets"]),
                             ("-coffee/greets", ["finds-order-7"]), ("coffee/", ["greets", "finds-order-7"])):
            with self.subTest(words=words):
                listed = json.loads(self.parley("run", "--list", "--json", "--filter", words).stdout)
                self.assertEqual([each["test"] for each in listed], tests)
        self.assertEqual(self.parley("run", "--list", "--filter", "other/greets").returncode, 2)

    def test_a_filter_that_leaves_nothing_out_is_the_whole(self):
        report, _ = self.run_to_report("-g", "Greets", "--shard", "1/1", code=0)
        self.assertNotIn("part", report["runs"][0])
        _, ended = self.run_to_report("--baseline", "last-green", "--until-decided", code=0)
        self.assertNotIn("baseline", ended.stderr)
        shown = json.loads(self.parley("gate", "--baseline", "last-green", "--explain", "--json").stdout)
        self.assertTrue([each for each in shown["rules"] if each["sentence"].startswith("against last-green")], shown)

    def test_a_shard_is_the_baseline_of_the_same_shard(self):
        self.write("parley.yaml", suite(SHOP, "".join(test_of(f"Test {n}", ["Hello"], "{icontains: order}") for n in range(8))))
        for part in ("1/2", "2/2"):
            report, _ = self.run_to_report("--shard", part, code=0)
            self.assertEqual([each["part"] for each in report["runs"]], [f"shard {part}"])
        against = lambda: [each["sentence"] for each in json.loads(
            self.parley("gate", "--baseline", "last-green", "--json").stdout)["rules"] if each["sentence"].startswith("against")]
        self.assertEqual(against(), [])
        self.run_to_report("--shard", "1/2", code=0)
        first = self.runs()[2]
        self.assertEqual(against(), [f"against last-green {first[:13]}: no test regressed"])
        self.run_to_report("--shard", "1/3", code=0)
        self.assertEqual(against(), [])

    def test_the_gate_uses_the_rules_that_the_run_was_played_with(self):
        self.write("parley.yaml", suite(SHOP, GREETS + FAILS, "gate: {min-pass-rate: 0.5}\n"))
        report, _ = self.run_to_report(code=0)
        self.assertEqual(self.parley("gate").returncode, 0)
        self.assertEqual(self.parley("gate", "--min-pass-rate", "0.9").returncode, 1)
        self.assertEqual(self.parley("gate", "--no-gate").returncode, 1)
        self.assertEqual(json.loads(self.parley("show", "last", "--json=decision").stdout)["decision"], "green")
        self.run_to_report("--per-test", "1/1", code=1)
        ended = self.parley("gate", "--min-pass-rate", "0")
        self.assertRegex(ended.stdout, r"(?m)^  red: Finds order 7 · shop is 0/1, below 1/1$")
        self.assertRegex(ended.stdout, r"(?m)^    Finds order 7 · shop is 0/1, below 1/1: .*\([0-9a-f-]{36}\)$")

    def test_an_open_rule_names_the_command_that_may_decide_it(self):
        self.write("bot.py", "import sys\nsys.exit(1)\n")
        self.write("parley.yaml", suite(f"  bot: {{exec: [{sys.executable}, bot.py]}}\n", GREETS))
        report, _ = self.run_to_report(code=3)
        run = report["runs"][0]["id"]
        self.assertIn(f"\n    to decide: parley retry {run} --verdicts\n", self.parley("gate").stdout)
        [open_rule] = [each for each in json.loads(self.parley("gate", "--json").stdout)["rules"] if not each["holds"]]
        self.assertEqual(open_rule["command"], f"parley retry {run} --verdicts")
        self.write("run.jsonl", self.parley("export", "last", "-f", "jsonl").stdout)
        self.assertNotIn("to decide", self.parley("gate", "run.jsonl").stdout)

    def test_an_empty_selection_that_is_allowed_has_reports(self):
        report, ended = self.run_to_report("-g", "nothing", "--allow-empty", "--reporter", "junit:r.xml", "--reporter", "html:r.html",
                                           "--reporter", "jsonl:r.jsonl", "--reporter", "md:r.md", "--reporter", "csv:r.csv", code=0)
        self.assertEqual((report["results"], report["runs"], report["exit"], report["decision"], report["project"]),
                         ([], [], 0, "green", "coffee"))
        self.assertEqual(ElementTree.parse(self.folder / "r.xml").getroot().get("tests"), "0")
        lines = [json.loads(line) for line in (self.folder / "r.jsonl").read_text().splitlines()]
        self.assertEqual([(each["type"], each["counts"]["cases"]) for each in lines], [("report", 0)])
        for name in ("r.html", "r.md", "r.csv"):
            self.assertTrue((self.folder / name).read_text(), name)
        self.assertIn("nothing was played", ended.stderr)
        self.assertEqual(self.runs(), [])
        self.assertEqual(self.parley("run", "-g", "nothing", "--allow-empty", "--list", "--json").stdout, "[]\n")
        self.assertEqual(self.parley("report", "r.jsonl").returncode, 3)
        self.assertEqual(self.parley("run", "-g", "nothing").returncode, 2)

    def test_a_shard_without_tests_joins_the_others(self):
        for part in (1, 2, 3):
            self.parley("run", "--allow-empty", "--shard", f"{part}/3", "--reporter", f"jsonl:s{part}.jsonl")
        ended = self.parley("report", "s1.jsonl", "s2.jsonl", "s3.jsonl", "--reporter", "json:whole.json")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertEqual(len(json.loads((self.folder / "whole.json").read_text())["results"]), 1)
        empty = next(f"s{part}.jsonl" for part in (1, 2, 3) if '"cases":0' in (self.folder / f"s{part}.jsonl").read_text())
        self.assertEqual(self.parley("run", "--baseline", f"@{empty}").returncode, 2)

    def test_a_baseline_that_does_not_exist_plays_nothing(self):
        self.run_to_report(code=0)
        for name in ("nothing", "last~7", "@missing.jsonl", "baseline", "01a215c9-2581-7000-9631-ef86d5c4b7dc"):
            with self.subTest(name=name):
                ended = self.parley("run", "--baseline", name)
                self.assertEqual(ended.returncode, 2, ended.stdout)
                self.assertTrue(ended.stderr.startswith("parley run: baseline: "), ended.stderr)
        self.assertEqual(len(self.runs()), 1)

    def test_the_chosen_baseline_has_a_name(self):
        with servers.Server() as server:
            self.environment.update(PARLEY_URL=f"http://127.0.0.1:{server.address[1]}", PARLEY_KEY=server.key)
            for _ in range(2):
                self.run_to_report("--apply", code=0)
            first = self.runs()[-1]
            [scenario] = json.loads(self.parley("ls", "scenarios", "--json=id").stdout)
            [agent] = json.loads(self.parley("ls", "agents", "--json=id").stdout)
            with closing(server.client()) as client:
                answer = client.patch(f"/scenarios/{scenario['id']}", {"baselines": {agent["id"]: first}})
            self.assertEqual(answer.status, 200, answer)
            shown = json.loads(self.parley("show", "baseline", "--json=runs").stdout)
            self.assertEqual([each["id"] for each in shown["runs"]], [first])


if __name__ == "__main__":
    unittest.main()
