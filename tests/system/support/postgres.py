"""A real PostgreSQL of its own, in a temporary directory, on a free port."""
import glob
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from .server import HOST, free_port


def folder_of_programs():
    """Skips the test where PostgreSQL is not installed."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    if not found:
        raise unittest.SkipTest("PostgreSQL is not installed")
    return pathlib.Path(found[-1]).parent


class Postgres:
    def __init__(self, *settings):
        self.programs = folder_of_programs()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="parley-postgres-"))
        self.folder.chmod(0o755)
        self.data = self.folder / "data"
        self.port = free_port()
        self.url = f"postgresql://parley@{HOST}:{self.port}/parley"
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        self.run("initdb", "--auth=trust", "--username=postgres", "--no-sync", "-D", str(self.data))
        options = [f"port = {self.port}", f"listen_addresses = '{HOST}'", "unix_socket_directories = ''",
                   "shared_buffers = 64MB", "max_connections = 60", *settings]
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as file:
            file.write("\n".join(options) + "\n")
        self.start()
        self.sql("CREATE ROLE parley LOGIN; ", "postgres")
        self.sql("CREATE DATABASE parley OWNER parley", "postgres")

    def run(self, program, *arguments):
        """As the user postgres: the server refuses to run as root."""
        command = [str(self.programs / program), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/", timeout=60, check=False)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stdout}{done.stderr}")
        return done.stdout

    def sql(self, text, database="parley", user="postgres"):
        return self.run("psql", "-X", "-A", "-t", "-h", HOST, "-p", str(self.port), "-U", user, "-d", database, "-c", text).strip()

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
