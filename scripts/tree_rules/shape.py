"""Rules of shape: sizes of files, functions and folders, headers, READMEs, mirrored tests, names."""
import re

from tree_rules.tree import RANK

LINES_MAX = 400
FUNCTION_LINES_MAX = 60
FOLDER_FILES_MAX = 34
DOCUMENT_COLUMNS_MAX = 200
OPEN_WORK = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")

# Names that a reader would not know, or that had two meanings (docs/glossary.md).
BANNED_FILES = re.compile(r"/(kept_answers|remembered|keys_under_way|last_words|waiting|room_actor|sweep_actor|given_up\w*|"
                          r"unpacking|masking|key_pace|thrown|outside|in_words|world)\.[ch]pp$")
BANNED_NAMES = re.compile(r"\b(World|Outside|Moment|KeyPace|KeysUnderWay|Unpacker|Glance|LookAgain|CarryOn|MomentOver|AskRest|"
                          r"MayRest|TellRunOf|ReplyMask|FieldTexts|GivenUpGroups|ResultCase|TryAgain|RoomActor|SweepActor)\b")


def faults_of_header(file):
    if not file.name.endswith(".hpp"):
        return
    if not file.lines or file.lines[0] != "#pragma once":
        yield 1, "header: the first line is '#pragma once'"
    after = [line for line in file.lines[1:] if line]
    if not after or not after[0].startswith("///"):
        yield 2, "header: a '///' paragraph describes the file"


def faults_of_functions(file):
    """Yields long functions. A function at namespace level begins with the last unindented line before its body and ends with
    a lone brace."""
    if not file.is_product:
        return
    begin = None
    for number, line in enumerate(file.lines, 1):
        if line == "}" and begin is not None and number - begin >= FUNCTION_LINES_MAX:
            yield begin, f"size: a function of {number - begin + 1} lines, at most {FUNCTION_LINES_MAX}"
        if line[:1].isalpha() or line[:1] == "_":
            begin = number


def faults_of_file(file):
    if len(file.lines) > LINES_MAX and file.name.endswith((".cpp", ".hpp", ".py")):
        yield LINES_MAX, f"size: {len(file.lines)} lines, at most {LINES_MAX}"
    for number, line in enumerate(file.lines, 1):
        if OPEN_WORK.search(line) and not file.name.endswith(".md"):
            yield number, "open work: finish it or file an issue"
        if file.name.endswith(".md") and len(line) > DOCUMENT_COLUMNS_MAX and not file.name.startswith("tests/"):
            yield number, f"size: a line of {len(line)} columns, at most {DOCUMENT_COLUMNS_MAX}"
    if file.is_cpp:
        yield from faults_of_header(file)
        yield from faults_of_functions(file)
    if file.is_product:
        if BANNED_FILES.search(file.name):
            yield 1, "name: this file name is banned (docs/STYLE.md)"
        for number, line in enumerate(file.lines, 1):
            found = BANNED_NAMES.search(re.sub(r'"[^"]*"', "", line.split("//")[0]))
            if found:
                yield number, f"name: '{found.group(1)}' is banned (docs/STYLE.md)"


def faults_of_folders(files):
    """Checks that each product folder has a README and at most FOLDER_FILES_MAX sources, and that tests mirror folders."""
    sources, readmes = {}, set()
    for file in files:
        if file.is_product:
            sources[file.room] = sources.get(file.room, 0) + 1
        if file.name.endswith("/README.md"):
            readmes.add(file.room)
    for room, count in sorted(sources.items()):
        if count > FOLDER_FILES_MAX:
            yield room, f"size: {count} sources in one folder, at most {FOLDER_FILES_MAX}"
        if room not in readmes:
            yield room, "README: the folder has no README.md"
    for file in files:
        parts = file.name.split("/")
        if parts[0] == "tests" and file.name.endswith("_test.cpp") and len(parts) > 2 and parts[1] in RANK:
            mirrored = "/".join(parts[1:-1])
            if mirrored not in sources:
                yield file.name, f"mirror: there is no product folder {mirrored}/"
