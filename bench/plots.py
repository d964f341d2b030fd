#!/usr/bin/env python3
"""Draws the figures of RESULTS.md as SVG, so that tables and pictures cannot differ.

    bench/plots.py            writes bench/plots/lists.svg and bench/plots/ratios.svg
    bench/plots.py --check    fails if the files do not match RESULTS.md

If a figure was measured more than once, the newest value counts: the newest section is first."""
import argparse
import html
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
SHADES = ("#9ecae1", "#4292c6", "#084594")
WIDTH, LABELS, BAR, GAP = 900, 330, 9, 9


def rows():
    """(figure, wanted, measured) from all tables, each figure once."""
    seen = {}
    for line in (HERE / "RESULTS.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| ") else []
        if len(cells) >= 3:
            seen.setdefault(cells[0], (cells[0], cells[1], cells[2].replace("**", "")))
    return list(seen.values())


def drawn(title, scale, groups, line_at=None):
    """An SVG of horizontal bars. `groups`: (label, [(value, text, shade)]). `scale`: the value that fills the width."""
    room = WIDTH - LABELS - 150
    parts, top = [], 46
    for label, bars in groups:
        middle = top + len(bars) * BAR / 2 + 4
        parts.append(f'<text x="{LABELS - 8}" y="{middle:.1f}" text-anchor="end">{html.escape(label)}</text>')
        for value, text, shade in bars:
            length = min(value / scale, 1) * room
            parts.append(f'<rect x="{LABELS}" y="{top}" width="{length:.1f}" height="{BAR - 1}" fill="{shade}"/>')
            parts.append(f'<text x="{LABELS + length + 5:.1f}" y="{top + BAR - 1}" font-size="9">{html.escape(text)}</text>')
            top += BAR
        top += GAP
    if line_at is not None:
        x = LABELS + line_at / scale * room
        parts.append(f'<line x1="{x:.1f}" y1="36" x2="{x:.1f}" y2="{top}" stroke="#c00" stroke-dasharray="4 3"/>')
        parts.append(f'<text x="{x:.1f}" y="34" text-anchor="middle" fill="#c00">wanted</text>')
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top + 6}" font-family="sans-serif" font-size="11">\n'
            f'<rect width="100%" height="100%" fill="#fff"/>\n<text x="10" y="20" font-size="15">{html.escape(title)}</text>\n')
    return head + "\n".join(parts) + "\n</svg>\n"


def lists(found):
    """The plot of the time for page 1 and total, by the number of stored results."""
    groups = []
    for figure, _, measured in found:
        name = re.fullmatch(r"page 1 and total of (.*): the most, against .*", figure)
        if name is None:
            continue
        times = re.findall(r"(\d+[kM]?) ([\d,]+) us", measured)
        groups.append((name[1], [(float(us.replace(",", "")), f"{size}: {us} us", shade)
                                 for (size, us), shade in zip(times, SHADES)]))
    most = max(value for _, bars in groups for value, *_ in bars)
    return drawn("Page 1 and total of each list: 1,000, 100,000 and 1,000,000 stored results", most, groups)


def ratios(found):
    """The plot of measured over wanted, for figures whose goal is a minimum ratio. "The same" refers to the row before."""
    groups, before = [], ""
    for figure, wanted, measured in found:
        before = figure if not figure.startswith("the same") else before
        least = re.fullmatch(r">= ([\d.]+)", wanted)
        value = re.match(r"[\d.]+", measured)
        if least is None or value is None:
            continue
        label = figure if figure == before else f"{before.split(',')[0]}{figure.removeprefix('the same')}"
        share = float(value[0]) / float(least[1])
        groups.append((label if len(label) < 60 else label[:57] + "...",
                       [(share, f"{value[0]} of {least[1]}", SHADES[1 if share >= 1 else 0])]))
    return drawn("Ratios, measured over wanted", max(1.5, *(bars[0][0] for _, bars in groups)), groups, 1)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--check", action="store_true")
    is_check = options.parse_args().check
    found = rows()
    for name, plot in (("lists", lists), ("ratios", ratios)):
        file, text = HERE / "plots" / f"{name}.svg", plot(found)
        if not is_check:
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            sys.exit(f"plots: {file} is not what RESULTS.md says; run bench/plots.py")
    print("plots: fine" if is_check else "plots: written")


if __name__ == "__main__":
    main()
