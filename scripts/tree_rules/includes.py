"""Rules of includes: layers between folders, order between rooms, faces, and who may use which library."""
import re

from tree_rules.tree import RANK

# The rooms of each folder, users first: a room may include itself and rooms of later rows. "." is the top of the folder.
# store/ is one knot by design (store/README.md): its rooms group files for readers and are not layers.
ROOMS = {
    "client": [("playing", "help"), ("commands",), ("verbs",), ("run",), ("exec", "mcp", "screen", "storing"), ("gate",), ("report",), ("remote",), ("suite",), ("files",)],
    "app": [(".",), ("cluster", "tools"), ("process",), ("log",), ("options",)],
    "http": [(".",), ("logs",), ("handlers",), ("apply", "cluster", "ui_assets"), ("openapi",), ("auth", "bodies", "views"), ("lists",), ("exchange",), ("transport",), ("protocol",)],
    "actors": [("lifecycle",), ("records", "verdicts", "webhooks"), ("cluster", "driving", "grounding", "run"), ("result",), ("models", "runtime"),
               ("base",), (".",)],
    "scoring": [("tool_kinds",), ("kinds", "prompts"), (".",), ("grounding",), ("support",)],
    "outbound": [("client",), ("agents", "webhooks"), ("admission", "formats", "guard", "redaction"), (".",)],
    "model": [("records",), ("values",), ("description",), ("source",), ("json", "pattern"), ("text",), (".",)],
}
KNOTS = {"store"}

# Folders that talk to a server over HTTP and never use its parts.
NEVER = {"client": {"http", "actors", "store", "outbound"}, "convert": {"http", "actors", "store", "outbound"}}

# Which files may include a library's headers.
LIBRARIES = [
    ("CAF", re.compile(r"caf/"), re.compile(r"(actors|app)/(?!.*_machine)")),
    ("Pistache", re.compile(r"pistache/"), re.compile(r"http/")),
    ("LMDB", re.compile(r"lmdb\.h"), re.compile(r"store/")),
    ("libpq", re.compile(r"libpq-fe\.h"), re.compile(r"store/postgres/")),
    ("zstd", re.compile(r"zstd\.h"), re.compile(r"(store/changelog|convert/reading)/")),
    ("libcurl", re.compile(r"curl/"), re.compile(r"(outbound|client)/")),
    ("RapidJSON", re.compile(r"rapidjson/"), re.compile(r"model/json/")),
    ("libfyaml", re.compile(r"libfyaml\.h"), re.compile(r"model/source/yaml_reader\.cpp")),
]

# A machine only makes decisions: no actor, log, store, clock or thread. A change set is a value, so a machine may use it.
MACHINE = re.compile(r"_machine[^/]*\.[ch]pp$")
MACHINE_BANS = [
    (re.compile(r'#include\s*[<"](caf/|spdlog/|store/(?!change\.hpp)|thread>|mutex>|random>|fstream>|iostream>)'),
     "a machine includes {}"),
    (re.compile(r"\b(\w+_clock::now|std::rand|getenv)\b"), "a machine calls {}"),
]

FACES = re.compile(r"^Faces:\s*(.*)$")


def faults_of_file(file):
    if not file.is_product:
        return
    for number, target, is_quoted in file.includes():
        other = target.split("/")[0]
        if other in RANK and is_quoted and other != file.folder and (
                RANK[other] <= RANK[file.folder] or other in NEVER.get(file.folder, ())):
            yield number, f"layer: {file.folder}/ may not include {target}"
        for library, header, allowed in LIBRARIES:
            if header.match(target) and not allowed.match(file.name):
                yield number, f"library: {library} is not for {file.name}"
    if MACHINE.search(file.name):
        for number, line in enumerate(file.lines, 1):
            for pattern, words in MACHINE_BANS:
                found = pattern.search(line.split("//")[0])
                if found:
                    yield number, "machine: " + words.format(found.group(1))


def room_edges(files):
    """{(room, included room): (file, line)} within each folder."""
    edges = {}
    for file in files:
        if not file.is_product:
            continue
        for number, target, is_quoted in file.includes():
            other = target.rpartition("/")[0]
            if is_quoted and other.split("/")[0] == file.folder and other != file.room:
                edges.setdefault((file.room, other), (file.name, number))
    return edges


def circles(edges):
    """The strongly connected sets of more than one room, outside KNOTS."""
    after = {}
    for start, end in edges:
        if start.split("/")[0] not in KNOTS:
            after.setdefault(start, set()).add(end)

    def reaches(start):
        seen, todo = set(), [start]
        while todo:
            for room in after.get(todo.pop(), ()):
                if room not in seen:
                    seen.add(room)
                    todo.append(room)
        return seen

    reach = {room: reaches(room) for room in after}
    found = {frozenset({a} | {b for b in reach[a] if a in reach.get(b, ())}) for a in reach if a in reach[a]}
    return sorted(sorted(circle) for circle in found)


def faults_of_rooms(files):
    """Yields includes that violate the declared order of rooms, and include circles between rooms."""
    edges = room_edges(files)
    for (room, other), (name, number) in sorted(edges.items()):
        folder = room.split("/")[0]
        rank = {f"{folder}/{each}" if each != "." else folder: at
                for at, row in enumerate(ROOMS.get(folder, ())) for each in row}
        if room in rank and other in rank and rank[other] <= rank[room]:
            yield f"{name}:{number}", f"rooms: {room}/ may not include {other}/"
    for circle in circles(edges):
        yield circle[0], "rooms: include circle between " + ", ".join(circle)


def faces_of(files):
    """{room: names of its faces}, from the paragraph `Faces:` of the room's README. None means that every header is a face."""
    faces = {}
    for file in files:
        if file.name.endswith("/README.md") and file.folder in RANK:
            for paragraph in "\n".join(file.lines).split("\n\n"):
                found = FACES.match(" ".join(paragraph.split()))
                if found:
                    names = set(re.findall(r"[\w/]+\.hpp", found.group(1)))
                    faces[file.room] = None if found.group(1).startswith("all") else names
    return faces


def faults_of_faces(files):
    """Yields includes from other folders of headers that are not faces of their room."""
    faces = faces_of(files)
    for file in files:
        if not file.is_product:
            continue
        for number, target, is_quoted in file.includes():
            room, _, header = target.rpartition("/")
            other = target.split("/")[0]
            if not is_quoted or other not in RANK or other == file.folder:
                continue
            declared = faces.get(room, set())
            if declared is not None and header not in declared:
                yield f"{file.name}:{number}", f"faces: {target} is not a face of {room}/ (see its README)"
