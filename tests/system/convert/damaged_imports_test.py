"""Damaged third-party files: each file is truncated and has bytes swapped, in every format. The program then either converts the
file or reports a fault with its place, writes all or nothing, and never crashes, hangs or reads outside the folder."""
import os
import pathlib
import random
import re
import struct
import sys
import tempfile
import zlib

import imports

CUTS = 20
PLACE = re.compile(r"^[^\n]+?(:\d+:\d+)?: (error|note): .+")
SEED = 20261125


def damaged(content, chance):
    """Yields CUTS truncations and CUTS swaps of two bytes, a NUL byte, and UTF-16."""
    for number in range(CUTS):
        yield f"cut {number}", content[:len(content) * number // CUTS]
        swapped = bytearray(content)
        if len(swapped) > 1:
            a, b = chance.randrange(len(swapped)), chance.randrange(len(swapped))
            swapped[a], swapped[b] = swapped[b], swapped[a]
        yield f"swap {number}", bytes(swapped)
    yield "NUL", content[:10] + b"\0" + content[10:]
    yield "UTF-16", content.decode("utf-8", "replace").encode("utf-16")


def fault_of(kind, path, out, what):
    """The fault of one conversion, or None. It must exit with 0 and files, or with 2, a message and no files."""
    ended = imports.convert(kind, [str(path)], out)
    made = [name for name in os.listdir(out) if not name.startswith(".")]
    if ended.returncode == 0 and made:
        return None
    if ended.returncode != 2 or made:
        return f"{what}: exit {ended.returncode}, files {made}: {ended.stderr[-300:]}"
    if not PLACE.match(ended.stderr) or not ended.stderr.endswith("Nothing was written.\n"):
        return f"{what}: {ended.stderr[-300:]}"
    return None


def check_damage(failures):
    chance = random.Random(SEED)
    for unit, kind, paths in imports.units():
        source = pathlib.Path(paths[0])
        if source.is_dir():
            source = sorted(source.glob("*.convo.*"))[0]
        content = source.read_bytes()
        variants = list(damaged(content, chance))
        chosen = variants if len(content) < 4096 else variants[::4] + variants[-2:]
        for what, bytes_ in chosen:
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, source.name)
                path.write_bytes(bytes_)
                out = pathlib.Path(folder, "out")
                out.mkdir()
                fault = fault_of(kind, path, out, f"{unit['unit']}, {what}")
                if fault:
                    failures.append(fault)


def zip_of(name, content, size=None):
    """A ZIP archive with one deflated member, whose stated size may be wrong."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    size = len(content) if size is None else size
    common = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0, zlib.crc32(content), len(packed), size, len(name), 0)
    local = b"PK\3\4" + common + name + packed
    entry = b"PK\1\2" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    return local + entry + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0)


def hostile(folder):
    """Yields (format, file, content) that must be refused with exit code 2."""
    yield "inspect", "bomb.eval", zip_of(b"samples/1.json", b"[" * 300_000_000)
    yield "inspect", "liar.eval", zip_of(b"samples/1.json", b"[" * 1_000_000, size=10)
    yield "inspect", "upwards.eval", zip_of(b"../samples/1.json", b"{}")
    yield "inspect", "short.eval", zip_of(b"samples/1.json", b"{}")[:40]
    laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))
    yield "promptfoo", "laughs.yaml", (laughs + "tests: *a11\n").encode()
    yield "promptfoo", "twice.yaml", b"prompts: [a]\nprompts: [b]\n"
    yield "promptfoo", "deep.yaml", b"tests: " + b"[" * 100 + b"]" * 100
    yield "promptfoo", "upwards.yaml", b'prompts: ["{{q}}"]\ntests: file://../../etc/passwd\n'
    yield "promptfoo", "link.yaml", b'prompts: ["{{q}}"]\ntests: file://link.csv\n'
    yield "openai-jsonl", "deep.jsonl", b"[" * 5000 + b"]" * 5000
    yield "openai-jsonl", "twice.jsonl", b'{"messages": [], "messages": []}\n'
    yield "openai-jsonl", "empty.jsonl", b""
    yield "openai-jsonl", "long.jsonl", b'{"messages": [{"role": "user", "content": "' + b"x" * 2_000_000 + b'"}]}\n'
    yield "table", "wide.csv", b"question,answer\na,b,c,d\n"
    yield "table", "open.csv", b'question,answer\n"a,b\n'
    yield "botium", "circle.convo.txt", b"x\n\n#me\nhi\nINCLUDE nothing\n"
    yield "sharegpt", "other.json", b'{"eval_set_id": "x", "eval_cases": []}'
    os.symlink("/etc/passwd", folder / "link.csv")


def check_hostile(failures):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        out = folder / "out"
        out.mkdir()
        for kind, file, content in hostile(folder):
            (folder / file).write_bytes(content)
            ended = imports.convert(kind, [str(folder / file)], out)
            if ended.returncode != 2 or os.listdir(out) or not PLACE.match(ended.stderr):
                failures.append(f"{file}: exit {ended.returncode}, files {os.listdir(out)}: {ended.stdout[:200]}{ended.stderr[:300]}")
            if len(ended.stderr) > 20_000:
                failures.append(f"{file}: {len(ended.stderr)} bytes of faults")
        os.mkfifo(folder / "pipe.jsonl")
        ended = imports.convert("openai-jsonl", [str(folder / "pipe.jsonl")], out)
        if ended.returncode != 2:
            failures.append(f"pipe: exit {ended.returncode}")


def main():
    failures = []
    check_hostile(failures)
    imports.need_folder() if not failures else None
    check_damage(failures)
    for failure in failures:
        print(failure)
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
