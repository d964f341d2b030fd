"""The TypeScript client: types from the server's OpenAPI document, a strict build, and the example projects as users run them."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import cases, command, server as servers  # noqa: E402

PACKAGE = servers.ROOT / "contrib/typescript"
MODULES = PACKAGE / "node_modules"


class TypeScriptClient(unittest.TestCase):
    """Builds a copy of the package, so that the source folder stays unchanged."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="parley-typescript-")
        cls.copy = pathlib.Path(cls.folder.name) / "package"
        shutil.copytree(PACKAGE, cls.copy, ignore=shutil.ignore_patterns("node_modules", "dist", "api.d.ts"))
        os.symlink(MODULES, cls.copy / "node_modules")
        server = servers.Server()
        server.start()
        document = pathlib.Path(cls.folder.name) / "openapi.json"
        client = server.client()
        document.write_bytes(client.get("/openapi.json").body)
        client.close()
        server.stop()
        server.remove()
        for step in (["npm", "run", "-s", "generate"], ["npm", "run", "-s", "build"]):
            done = cls.command(*step, PARLEY_OPENAPI=str(document))
            if done.returncode:
                raise AssertionError(f"{step}:\n{done.stdout}{done.stderr}")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def command(cls, *words, **environment):
        variables = {**command.clean_environment(), "PARLEY_BINARY": servers.binary(), "NO_COLOR": "1", **environment}
        return subprocess.run(words, cwd=cls.copy, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False, timeout=120)

    def check_example(self, done):
        text = done.stdout + done.stderr
        self.assertEqual(done.returncode, 1, text)
        self.assertIn("knows the price of a latte", text)
        self.assertIn("failed BLOCKER names a price", text)
        self.assertIn("Sorry, I only know coffee.", text)
        return text

    def test_node_test(self):
        text = self.check_example(self.command("sh", "-c", "node --test example/*.test.mjs"))
        self.assertRegex(text, r"pass 1\b")
        self.assertRegex(text, r"fail 1\b")

    def test_vitest(self):
        cache = pathlib.Path(self.folder.name) / "cache"
        # The default reporter names a passed test only if it was slow.
        done = self.command("node", "node_modules/vitest/vitest.mjs", "run", "--config", "example/vitest.config.mjs",
                            "--reporter=verbose", PARLEY_VITEST_CACHE=str(cache))
        text = self.check_example(done)
        self.assertIn("1 failed | 1 passed", text)

    def test_a_blocker_without_a_verdict_is_undecided(self):
        judged = {"type": "criteria", "severity": "BLOCKER", "criteria": "The chatbot is polite."}
        passing, failing = ({"type": "contains", "severity": "BLOCKER", "config": {"value": value}} for value in ("order", "4.50"))
        with servers.Server() as server:
            client = server.client()
            shop = client.post("/agents/", {"name": "shop", "type": "DEMO"}).json()["id"]
            for assertions, state in (([judged], "undecided"), ([judged, passing], "undecided"), ([failing], "failed"), ([passing], "passed")):
                begun = client.post("/test-results/", {"agent": shop, "testInstruction": "say: Where is my order?", "assertionResults": assertions})
                result = client.send("GET", f"/test-results/{begun.json()['id']}", headers={"Prefer": "wait=30"}).body
                script = "import {outcomeOf} from './dist/outcome.js'; console.log(outcomeOf(JSON.parse(process.argv[1])).state)"
                done = self.command("node", "--input-type=module", "-e", script, result.decode())
                self.assertEqual(done.stdout.strip(), state, done.stderr + done.stdout)
            client.close()

    def test_types_refuse_a_wrong_body(self):
        wrong = self.copy / "src" / "wrong.ts"
        wrong.write_text('import {Client} from "./client.js";\n'
                         'await new Client().createTest("id", {name: "n", assertions: [{severity: "FATAL"}]});\n', encoding="utf-8")
        try:
            done = self.command("npx", "--no-install", "tsc", "-p", ".", "--noEmit")
        finally:
            wrong.unlink()
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn("FATAL", done.stdout)


if __name__ == "__main__":
    if shutil.which("node") is None or not (MODULES / "vitest").is_dir():
        cases.skip("the npm packages of contrib/typescript are not installed")
    unittest.main()
