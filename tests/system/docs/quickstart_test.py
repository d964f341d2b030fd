#!/usr/bin/env python3
"""scripts/quickstart in a new clone, from the start of the server to the scored demo. The installation of packages and the build are
replaced: the program is built already."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
import urllib.request

from support.server import HOST, ROOT, binary, clean_environment, free_port


class Quickstart(unittest.TestCase):
    def setUp(self):
        self.clone = pathlib.Path(tempfile.mkdtemp(prefix="parley-quickstart-"))
        self.addCleanup(shutil.rmtree, self.clone)
        for folder in ("scripts", "build/release", "replaced"):
            (self.clone / folder).mkdir(parents=True)
        for name in ("quickstart", "demo.py"):
            shutil.copy(ROOT / "scripts" / name, self.clone / "scripts")
        for name in ("scripts/setup", "replaced/cmake"):
            (self.clone / name).write_text("#!/bin/sh\n")
            (self.clone / name).chmod(0o755)
        (self.clone / "build/release/parley").symlink_to(binary())
        self.port = free_port()

    def quickstart(self, *options, umask=0o022):
        """The output of a run with exit code 0."""
        path = f"{self.clone / 'replaced'}:{os.environ['PATH']}"
        done = subprocess.run([self.clone / "scripts/quickstart", "--port", str(self.port), *options], cwd="/", text=True,
                              env={**clean_environment(), "PATH": path}, umask=umask, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_a_new_clone_plays_the_demo_and_so_does_the_next_call(self):
        for _ in range(2):
            printed = self.quickstart()
            self.assertIn("The server has been stopped.", printed)
            self.assertIn("demo: every outcome is the expected one", printed)
        self.assertTrue((self.clone / "parley-data/admin.key").exists())

    def test_keep_leaves_a_server_whose_link_signs_in(self):
        printed = self.quickstart("--keep")
        server = int(re.search(r"process (\d+)", printed)[1])
        self.addCleanup(os.kill, server, signal.SIGKILL)
        self.assertRegex(printed, rf"http://127\.0\.0\.1:{self.port}/ui/signin#code=\w+")
        with urllib.request.urlopen(f"http://{HOST}:{self.port}/readyz", timeout=5) as answer:
            self.assertEqual(answer.status, 200)

    def test_a_umask_that_lets_the_group_write_does_no_harm(self):
        self.quickstart(umask=0o002)

    def test_the_data_may_be_elsewhere(self):
        self.quickstart("--data", f"{self.clone}/elsewhere/")
        self.assertTrue((self.clone / "elsewhere/data.mdb").exists())


if __name__ == "__main__":
    unittest.main()
