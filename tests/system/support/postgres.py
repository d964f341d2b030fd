"""A separate real PostgreSQL in a temporary directory, on a free port."""
import glob
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from .server import HOST, free_port


def folder_of_programs():
    """The folder of the PostgreSQL programs. Skips the test if PostgreSQL is not installed."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    if not found:
        raise unittest.SkipTest("PostgreSQL is not installed")
    return pathlib.Path(found[-1]).parent


class Postgres:
    """`settings`: lines of postgresql.conf. `standby_of`: the primary that this server follows as synchronous standby."""

    def __init__(self, *settings, host=HOST, within=(), port=None, standby_of=None):
        self.programs = folder_of_programs()
        self.host, self.within = host, list(within)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="parley-postgres-"))
        self.folder.chmod(0o755)
        self.data = self.folder / "data"
        self.port = port or free_port()
        self.url = f"postgresql://parley@{host}:{self.port}/parley"
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        if standby_of:
            self.follow(standby_of)
        else:
            self.make(settings)

    def make(self, settings):
        self.run("initdb", "--auth=trust", "--username=postgres", "--no-sync", "-D", str(self.data))
        options = [f"port = {self.port}", f"listen_addresses = '{self.host}'", "unix_socket_directories = ''",
                   "shared_buffers = 64MB", "max_connections = 60", *settings]
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as file:
            file.write("\n".join(options) + "\n")
        with open(self.data / "pg_hba.conf", "a", encoding="utf-8") as file:
            file.write(f"host all,replication all {self.host}/24 trust\n")
        self.start()
        self.sql("CREATE ROLE parley LOGIN; ", "postgres")
        self.sql("CREATE DATABASE parley OWNER parley", "postgres")

    def follow(self, primary):
        source = f"host={primary.host} port={primary.port} user=postgres application_name=standby"
        self.run("pg_basebackup", "--checkpoint=fast", "--no-sync", "-X", "stream", "-R", "-d", source, "-D", str(self.data))
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as file:
            file.write(f"port = {self.port}\nlisten_addresses = '{self.host}'\n")
        self.start()
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        primary.sql("SELECT pg_reload_conf()")
        until = time.monotonic() + 20
        while primary.sql("SELECT sync_state FROM pg_stat_replication") != "sync":
            if time.monotonic() > until:
                raise RuntimeError("the standby is not synchronous")
            time.sleep(0.05)

    def promote(self):
        self.run("pg_ctl", "-D", str(self.data), "-w", "promote")

    def run(self, program, *arguments):
        """Runs a program as the user postgres, because PostgreSQL refuses to run as root."""
        command = [str(self.programs / program), *arguments]
        if os.geteuid() == 0:
            command = [*self.within, "runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/", timeout=60, check=False)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stdout}{done.stderr}")
        return done.stdout

    def sql(self, text, database="parley", user="postgres"):
        return self.run("psql", "-X", "-A", "-t", "-h", self.host, "-p", str(self.port), "-U", user, "-d", database, "-c", text).strip()

    def start(self):
        self.run("pg_ctl", "-D", str(self.data), "-l", str(self.folder / "log"), "-w", "start")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-D", str(self.data), "-m", mode, "-w", "stop")

    def remove(self):
        try:
            self.stop()
        except RuntimeError:
            pass
        shutil.rmtree(self.folder, ignore_errors=True)
