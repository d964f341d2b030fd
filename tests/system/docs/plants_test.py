#!/usr/bin/env python3
"""The planted bugs (tests/plants, tests/proof/planted-bugs.md): each fits exactly one place in the current sources, was
detected by two rigs or by the test of the rule that it breaks, and the page says so. If a place changes, its plant must too."""
import dataclasses
import importlib.util
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def script():
    spec = importlib.util.spec_from_file_location("planting", ROOT / "scripts/plants.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Plants(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.planting = script()
        cls.known = cls.planting.known_tests()

    def test_every_plant_fits_its_place_and_was_noticed(self):
        self.assertEqual(self.planting.check(), [])

    def test_all_plants_fit_one_tree(self):
        armed = self.planting.armed_texts()
        self.assertEqual(sum(text.count('planted("') for text in armed.values()),
                         sum(edit[2].count("PLANT") for plant in self.planting.PLANTS for edit in plant.edits))

    def test_the_product_carries_none(self):
        for folder in ("model", "store", "outbound", "scoring", "tester", "actors", "http", "app"):
            for path in (ROOT / folder).rglob("*.?pp"):
                self.assertNotIn("planted(", path.read_text(), path)

    def test_the_check_notices_what_is_wrong(self):
        good = self.planting.PLANTS[0]
        file, old, armed = good.edits[0]
        for change, fault in (({"edits": ((file, old + " moved", armed),)}, "appears 0 times"),
                              ({"edits": ((file, old, armed.replace("PLANT", "true")),)}, "cannot be switched on"),
                              ({"tests": good.tests[:1]}, "fewer than 2 rigs"),
                              ({"tests": (*good.tests, "crash_test.test_0")}, "there is no test"),
                              ({"name": self.planting.PLANTS[1].name}, "is duplicated")):
            plants = [dataclasses.replace(good, **change), *self.planting.PLANTS[1:]]
            with self.subTest(fault=fault):
                self.assertIn(fault, "; ".join(self.planting.faults_of(plants, self.known)))
        of_rule = next(plant for plant in self.planting.PLANTS if plant.name == "R2.1")
        plants = [dataclasses.replace(of_rule, tests=good.tests) if plant is of_rule else plant for plant in self.planting.PLANTS]
        self.assertIn("is not a test of the rule", "; ".join(self.planting.faults_of(plants, self.known)))
        unseen = {"plants": {good.name: {test: False for test in good.tests}}}
        self.assertIn("noticed by fewer than 2", "; ".join(self.planting.faults_of_seen([good], unseen)))


if __name__ == "__main__":
    unittest.main()
