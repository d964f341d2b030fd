"""Separate hosts on one machine: one network namespace each, on one bridge. A cut loses packets, like a broken network."""
import itertools
import os
import subprocess
import unittest

NOWHERE = "02:00:00:00:00:99"   # a MAC address that no interface has


def ip(*words):
    done = subprocess.run(["ip", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


class Lan:
    """Hosts with these `names`, which the test can reach. Skips the test if it may not create namespaces."""

    def __init__(self, *names):
        if os.geteuid() != 0:
            raise unittest.SkipTest("network namespaces need root")
        self.mark = os.getpid() % 10_000
        self.net = f"10.{100 + os.getpid() % 100}.{os.getpid() // 100 % 250}"
        self.names = names
        self.cuts = set()
        try:
            self.make()
        except (OSError, RuntimeError) as fault:
            self.remove()
            raise unittest.SkipTest(f"no network namespaces here: {fault}") from None

    def make(self):
        ip("link", "add", f"pb{self.mark}", "type", "bridge")
        ip("link", "set", f"pb{self.mark}", "up")
        ip("addr", "add", f"{self.net}.254/24", "dev", f"pb{self.mark}")
        for number, name in enumerate(self.names):
            space = self.space(name)
            ip("netns", "add", space)
            ip("link", "add", f"pv{self.mark}.{number}", "type", "veth", "peer", "name", "eth0", "netns", space)
            ip("link", "set", f"pv{self.mark}.{number}", "master", f"pb{self.mark}", "up")
            ip("-n", space, "addr", "add", f"{self.address(name)}/24", "dev", "eth0")
            ip("-n", space, "link", "set", "eth0", "up")
            ip("-n", space, "link", "set", "lo", "up")

    def space(self, name):
        return f"parley{self.mark}-{name}"

    def address(self, name):
        return f"{self.net}.{self.names.index(name) + 1}"

    def within(self, name):
        """The command prefix that runs a command on this host."""
        return ["ip", "netns", "exec", self.space(name)]

    def cut(self, one, other):
        """From now on, packets from `one` to `other` are lost."""
        ip("-n", self.space(one), "neigh", "replace", self.address(other), "lladdr", NOWHERE, "dev", "eth0", "nud", "permanent")
        self.cuts.add((one, other))

    def part(self, ones, others):
        """Cuts both directions between the two groups of hosts."""
        for one, other in itertools.product(ones, others):
            self.cut(one, other)
            self.cut(other, one)

    def heal(self):
        for one, other in self.cuts:
            ip("-n", self.space(one), "neigh", "del", self.address(other), "dev", "eth0")
        self.cuts = set()

    def remove(self):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", self.space(name)], capture_output=True, check=False)
        subprocess.run(["ip", "link", "del", f"pb{self.mark}"], capture_output=True, check=False)
