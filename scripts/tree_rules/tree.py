"""The tree as the rules see it: files, folders, rooms and includes."""
import dataclasses
import pathlib
import re

# A folder may include only folders of later rows, and no other folder of its own row.
LAYERS = [("app",), ("client",), ("http",), ("actors", "convert"), ("tester", "scoring", "outbound", "store"), ("model",)]
RANK = {folder: rank for rank, row in enumerate(LAYERS) for folder in row}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')
SKIPPED = {"build", ".git", "parley-data", "__pycache__", "node_modules"}
SUFFIXES = {".cpp", ".hpp", ".py", ".cmake", ".txt", ".sh", ".md", ".js", ".css", ".html", ".mjs", ".ts", ""}


@dataclasses.dataclass
class File:
    """A text file: its path inside the tree and its lines without line ends."""

    name: str
    lines: list

    @property
    def folder(self):
        return self.name.split("/")[0]

    @property
    def room(self):
        """The directory of the file: `actors/result`, or `actors` for a face at the top."""
        return self.name.rpartition("/")[0]

    @property
    def is_cpp(self):
        return self.name.endswith((".cpp", ".hpp"))

    @property
    def is_product(self):
        return self.is_cpp and self.folder in RANK

    def includes(self):
        """Yields (line number, path, whether the path is in quotes) for each #include."""
        for number, line in enumerate(self.lines, 1):
            found = INCLUDE.match(line)
            if found:
                yield number, found.group(1) or found.group(2), found.group(2) is not None


def read(root):
    """Reads every file that the rules apply to."""
    files = []
    for path in sorted(pathlib.Path(root).rglob("*")):
        inside = path.relative_to(root)
        if not path.is_file() or path.is_symlink() or SKIPPED & set(inside.parts) or path.suffix not in SUFFIXES:
            continue
        if path.suffix or inside.parts[0] == "scripts" or inside.as_posix() == ".ci/run":
            lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
            if lines and not lines[-1]:
                lines.pop()
            files.append(File(inside.as_posix(), lines))
    return files
