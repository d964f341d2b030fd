#!/usr/bin/env python3
"""The tarball of scripts/package in a root that has only glibc, the run-time libraries of the compiler, and bash."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import cases, server as servers

OF_THE_MACHINE = re.compile(r"ld-linux|lib(c|m|dl|pthread|rt|resolv|gcc_s|stdc\+\+|tinfo)\.")


def libraries(program):
    """The paths that ldd prints for the libraries of the machine and the loader."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return [path for path in re.findall(r"(/\S+)", said) if OF_THE_MACHINE.search(path)]


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def copy(self, path):
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)

    def inside(self, script):
        user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        # The loader reads /proc to find the folder of the program.
        apart = ["unshare", *user, "--mount", "--pid", "--fork", f"--mount-proc={self.root}/proc"]
        devices = f"mount --rbind /dev {self.root}/dev && exec /usr/sbin/chroot {self.root} /bin/bash -c \"$0\""
        return subprocess.run([*apart, "/bin/sh", "-c", devices, script], capture_output=True, text=True, check=False, timeout=60,
                              env={"HOME": "/home", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})

    def test_the_tarball_runs_where_nothing_is_installed(self):
        program = servers.binary()
        subprocess.run([servers.ROOT / "scripts/package", "--tarball", program], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "PARLEY_PACKAGES": str(self.root / "packages")})
        tarball, = (self.root / "packages").glob("*.tar.gz")
        subprocess.run(["tar", "-xzf", tarball, "-C", self.root], check=True)
        for path in {"/bin/bash", *libraries("/bin/bash"), *libraries(program)}:
            self.copy(path)
        for folder in ("home", "tmp", "etc", "proc", "dev"):
            (self.root / folder).mkdir()
        unpacked = tarball.name.removesuffix(".tar.gz")
        done = self.inside(f"cd /home && /{unpacked}/bin/parley init && /{unpacked}/bin/parley run")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("1 of 2 decided passed", done.stdout)


if __name__ == "__main__":
    cases.main()
