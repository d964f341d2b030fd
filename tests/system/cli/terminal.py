"""A terminal for tests: runs the program on a pseudo-terminal and returns what a person would finally see."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time


def run_on_terminal(words, columns, cwd, environment, keys=b"", timeout=60):
    """(exit code, everything that was written to the terminal)."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen(words, cwd=cwd, env=environment, stdin=follower, stdout=follower, stderr=follower, start_new_session=True)
    os.close(follower)
    written = b""
    if keys:
        os.write(leader, keys)
    until = time.monotonic() + timeout
    while time.monotonic() < until:
        ready, _, _ = select.select([leader], [], [], 0.2)
        if not ready:
            continue
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        written += piece
    os.close(leader)
    return process.wait(timeout=20), written


def screen_of(written):
    """The final lines of the screen. Interprets the few escape sequences that the program uses; any other is an error."""
    lines, row, column, at = [""], 0, 0, 0
    text = written.decode()
    while at < len(text):
        found = re.match(r"\x1b\[(\d*)([A-Za-z])", text[at:])
        if found:
            count, kind = int(found[1] or 0), found[2]
            if kind == "A":
                row = max(0, row - count)
            elif kind == "J":
                lines[row] = lines[row][:column]
                del lines[row + 1:]
            elif kind == "K":
                lines[row] = lines[row][:column]
            elif kind != "m":
                raise AssertionError(f"unexpected sequence {found[0]!r}")
            at += found.end()
            continue
        character = text[at]
        at += 1
        if character == "\x1b":
            raise AssertionError("a bare escape character")
        if character == "\r":
            column = 0
        elif character == "\n":
            row, column = row + 1, 0
            if row == len(lines):
                lines.append("")
        else:
            lines[row] = lines[row][:column].ljust(column) + character + lines[row][column + 1:]
            column += 1
    return [line.rstrip() for line in lines if line.strip()]


def without_figures(lines):
    """The lines as text, with placeholders for ids, times and versions, which differ from run to run."""
    text = "\n".join(lines)
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}(-[0-9a-f]{1,4})*(-[0-9a-f]+)*", "ID", text)
    text = re.sub(r"\b\d+(\.\d+)? (ms|s)\b", "TIME", text)
    text = re.sub(r"parley \d+\.\d+\.\d+", "parley VERSION", text)
    return text + "\n"
