#!/usr/bin/env python3
"""The systemd unit (contrib/parley.service) against the program's system calls: its system-call filter is applied to a server
as systemd does, and no call of the server is refused."""
import ctypes
import pathlib
import platform
import re
import shutil
import struct
import subprocess

from support import cases, server as servers

NUMBERS = pathlib.Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
REFUSED = 0x00050001   # SECCOMP_RET_ERRNO with EPERM, as the unit has it
KILLED = 0x80000000    # SECCOMP_RET_KILL_PROCESS: no refusal may go unnoticed
ALLOWED = 0x7fff0000


def calls_of(word):
    """The calls that a word names: a single call, or a group such as @resources, including nested groups."""
    if not word.startswith("@"):
        return {word}
    said = subprocess.run(["systemd-analyze", "syscall-filter", word], capture_output=True, text=True, check=True).stdout
    words = [line.strip() for line in said.splitlines()[1:] if line.strip() and not line.strip().startswith("#")]
    return set().union(*(calls_of(each) for each in words))


def allowed_calls():
    """The allowed calls. By systemd.exec(5), the first line sets the default, and later lines remove and add calls in order."""
    allowed = None
    for taken, words in re.findall(r"^SystemCallFilter=(~?)(.*)$", (servers.ROOT / "contrib/parley.service").read_text(), re.M):
        calls = set().union(*map(calls_of, words.split()))
        if allowed is None:
            assert not taken, "the first line allows"
            allowed = calls
        else:
            allowed = allowed - calls if taken else allowed | calls
    return allowed


def filtered(refused, verdict):
    """A function for the child process before exec: it installs a filter with `verdict` for each of these calls (seccomp(2))."""
    numbers = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)", NUMBERS.read_text())}
    code = struct.pack("HBBI", 0x20, 0, 0, 0)   # load the number of the call
    for number in sorted(numbers[name] for name in refused(set(numbers))):
        code += struct.pack("HBBI", 0x15, 0, 1, number) + struct.pack("HBBI", 0x06, 0, 0, verdict)
    code += struct.pack("HBBI", 0x06, 0, 0, ALLOWED)
    held = ctypes.create_string_buffer(code)
    program = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)

    def lay():
        if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.c_char_p(program)):
            raise OSError(ctypes.get_errno(), "no filter", str(held))
    return lay


class Filtered(cases.OwnServerTest):
    @classmethod
    def setUpClass(cls):
        if platform.machine() != "x86_64" or not NUMBERS.exists() or not shutil.which("systemd-analyze"):
            cases.skip("systemd-analyze, or the numbers of system calls, are not here")

    def niceness(self):
        """The nice value of each thread of the server."""
        folder = pathlib.Path(f"/proc/{self.server.process.pid}/task")
        return [int((task / "stat").read_text().rpartition(")")[2].split()[16]) for task in folder.iterdir()]

    def begin(self, refused, verdict):
        self.server = servers.Server("--audit", "on")
        self.addCleanup(self.server.remove)
        self.server.preparation = filtered(refused, verdict)
        self.server.start()
        self.http = self.server.client()
        self.addCleanup(self.http.close)

    def work(self):
        """Does some of everything: writes, a run that is canceled as a whole, a check with an outbound call."""
        scenario, agent = self.scenario(), self.agent(type="DEMO")
        self.a_test(scenario)
        run = self.a_run(scenario, self.agent(), generateResults=True)
        self.ok(self.http.post(f"/runs/{run['id']}/cancel"), 200)
        self.ok(self.http.post(f"/agents/{agent['id']}/check"), 200)

    def test_the_unit_allows_every_call_that_the_program_makes(self):
        allowed = allowed_calls()
        self.assertTrue("setpriority" in allowed)
        self.assertFalse("setuid" in allowed)
        self.begin(lambda all_calls: all_calls - allowed, KILLED)
        self.work()
        self.assertIn(10, self.niceness())
        log = self.server.told()
        self.assertEqual(self.server.stop(), 0)
        self.assertNotIn("the system refuses it", log)

    def test_a_refused_precedence_is_reported_once(self):
        self.begin(lambda all_calls: {"setpriority"}, REFUSED)
        self.work()
        self.work()
        log = self.server.told()
        self.assertEqual(log.count("cannot raise the priority of canceling a run"), 1, log)
        self.assertIn("cannot lower the priority of long work", log)


if __name__ == "__main__":
    cases.main()
