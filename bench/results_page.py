"""Writes the results of run.py into RESULTS.md and redraws the plots. Used by run.py."""
import datetime
import os
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TITLE = """# Results

Written by `bench/run.py`: the newest complete run and, above it, a newer partial run if there is one. Figures are
medians of the rounds. Older results are in the history of this file. `bench/plots.py` draws [lists](plots/lists.svg) and
[ratios](plots/ratios.svg) from the newest measurement of each figure.
"""


def machine():
    model = [line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    return f"{os.cpu_count()} x {model[0] if model else platform.machine()}, Linux {platform.release()}"


def write(bench, command):
    """A complete run replaces the page. A partial run (--only) replaces an older partial run and keeps the complete one."""
    file = HERE / "RESULTS.md"
    sections = re.findall(r"^## .*?(?=^## |\Z)", file.read_text(), re.M | re.S) if file.exists() else []
    kept = [each for each in sections if "--only" not in each.partition("\n")[0]] if "--only" in command else []
    held = {True: "yes", False: "**no**", None: ""}
    lines = [f"\n## {datetime.date.today().isoformat()}: `{command}`\n", f"{machine()}. Server with `--log-level warn`.\n",
             "| figure | wanted | measured | held |", "|---|---|---|---|"]
    lines += [f"| {figure} | {wanted} | {measured} | {held[good]} |" for figure, wanted, measured, good in bench.rows]
    lines += [""] + [f"- {note}" for note in bench.notes] + [""] + bench.printed
    file.write_text(TITLE + "\n".join(lines) + "\n" + "".join("\n" + each for each in kept))
    subprocess.run([sys.executable, HERE / "plots.py"], check=True)
