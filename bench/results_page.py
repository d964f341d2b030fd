"""Writes a section of RESULTS.md for what run.py measured, and has the plots drawn anew. A part of run.py."""
import datetime
import os
import pathlib
import platform
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def machine():
    model = [line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    return f"{os.cpu_count()} x {model[0] if model else platform.machine()}, Linux {platform.release()}"


def write(bench, command):
    """A new section, the newest first."""
    file = HERE / "RESULTS.md"
    title = ("# Results\n\nWritten by `bench/run.py`; medians of the rounds, newest first. Drawn by `bench/plots.py`:\n"
             "[lists](plots/lists.svg), [ratios](plots/ratios.svg).\n")
    old = file.read_text().split(title, 1)[-1] if file.exists() else ""
    held = {True: "yes", False: "**no**", None: ""}
    lines = [f"\n## {datetime.date.today().isoformat()}: `{command}`\n", f"{machine()}. Server with `--log-level warn`.\n",
             "| figure | wanted | measured | held |", "|---|---|---|---|"]
    lines += [f"| {figure} | {wanted} | {measured} | {held[good]} |" for figure, wanted, measured, good in bench.rows]
    lines += [""] + [f"- {note}" for note in bench.notes] + [""] + bench.printed
    file.write_text(title + "\n".join(lines) + "\n" + old)
    subprocess.run([sys.executable, HERE / "plots.py"], check=True)
