"""The program as a user runs it, without the variables of the tests' environment."""
import subprocess
import tempfile

from .server import binary, clean_environment


def parley(*words, environment=None, **options):
    """The ended process, in an empty directory of its own; `environment` has the PARLEY_ variables that it is to see."""
    with tempfile.TemporaryDirectory(prefix="parley-command-") as folder:
        return subprocess.run([binary(), *map(str, words)], capture_output=True, text=True, timeout=60, check=False,
                              env={**clean_environment(), **(environment or {})}, cwd=folder, **options)
