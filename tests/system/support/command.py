"""The program as a user runs it, without the variables of the tests' environment."""
import subprocess
import tempfile

from .server import binary, clean_environment


def parley(*words, environment=None, **options):
    """Runs parley in an empty directory with the PARLEY_ variables of `environment`; returns the ended process."""
    with tempfile.TemporaryDirectory(prefix="parley-command-") as folder:
        return subprocess.run([binary(), *map(str, words)], capture_output=True, text=True, timeout=60, check=False,
                              env={**clean_environment(), **(environment or {})}, cwd=folder, **options)
