"""The program as somebody types it, without what the environment of the tests says to it."""
import os
import subprocess
import tempfile

from . import server


def parley(*words, environment=None, **options):
    """The ended process, in an empty directory of its own; `environment` has the PARLEY_ variables that it is to see."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    with tempfile.TemporaryDirectory(prefix="parley-command-") as folder:
        return subprocess.run([server.binary(), *map(str, words)], capture_output=True, text=True, timeout=60, check=False,
                              env={**clean, **(environment or {})}, cwd=folder, **options)
