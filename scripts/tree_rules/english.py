"""Rules of prose: the patterns of docs/STYLE.md, "Plain English", and comments that point outside the repository."""
import io
import re
import tokenize

# Never acceptable in the prose of this repository.
REJECTED = [
    (r"stands? twice", "is duplicated"), (r"anew", "again"), (r"likewise", "also"), (r"for ever", "forever"),
    (r"whoever", "the caller, the client"), (r"somebody", "a client, a user"), (r"lets? go of", "releases"),
    (r"in the moment", "as soon as"), (r"(?:is|are) none\b", "is not one"), (r"tak(?:e|es|en) for (?:a|an|one|none|the)", "treats as"),
    (r"(?:closes?|comes?|sent|bytes|stands?) behind", "after"), (r"(?:tells?|told) (?:so|how|what|which|that|where|why|whether|by|with|as)",
     "says, reports, distinguishes"),
]
# Usually wrong. The tree may have COUNTED_MAX matches outside tests/.
COUNTED = [r"behind", r"tells?", r"told", r"stands?", r"nobody", r"so (?:many|often)", r"(?<!there )(?:is|are) no (?!longer|more|other|need)\w+",
           r"comes? to", r"lets? go", r"tak(?:e|es|en) for"]
COUNTED_MAX = 16
# Documents that a contributor does not have.
OUTSIDE = re.compile(r"\b(spec(ification)? section|reliability(\.md)?,? \d|design,? \d|decisions, section|race matrix)|reliability\.md|"
                     r"interface-specification\.txt")

REJECTED_ANY = re.compile(r"\b(?:" + "|".join(pattern for pattern, _ in REJECTED) + r")\b", re.IGNORECASE)
COUNTED_ANY = re.compile(r"\b(?:" + "|".join(COUNTED) + r")\b", re.IGNORECASE)
PAGES_OF_PATTERNS = {"docs/STYLE.md", "scripts/tree_rules/english.py", "scripts/tree_rules/planted.py", "scripts/tidy.py", "LICENSE"}
PROSE = (".md", ".cpp", ".hpp", ".py", ".html", ".js", ".cmake", ".txt", ".sh")


def python_prose(file):
    """Yields (line number, text) for each line of the comments and strings of a Python file."""
    tokens = tokenize.generate_tokens(io.StringIO("\n".join(file.lines) + "\n").readline)
    for token in tokens:
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            for offset, line in enumerate(token.string.split("\n")):
                yield token.start[0] + offset, re.sub(r"\{[^{}]*\}", "", line)


def prose_of(file):
    """Yields (line number, text) of the text for people: whole documents, and the comments and string literals of sources."""
    if file.name in PAGES_OF_PATTERNS or not (file.name.endswith(PROSE) or file.folder == "scripts"):
        return
    if file.name.endswith(".py"):
        yield from python_prose(file)
        return
    for number, line in enumerate(file.lines, 1):
        if not file.is_cpp:
            yield number, line
            continue
        comment = re.search(r"(?<!:)//.*", line)
        strings = re.findall(r'"((?:\\.|[^"\\])*)"', line[:comment.start()] if comment else line)
        text = " ".join(strings + ([comment.group(0)] if comment else []))
        if text and not line.lstrip().startswith("#include"):
            yield number, text


def faults_of_file(file):
    if file.is_cpp or file.name.endswith(".py"):
        for number, text in prose_of(file):
            if OUTSIDE.search(text):
                yield number, "comment: it points to a document outside the repository"
    if file.folder == "tests":
        return
    for number, text in prose_of(file):
        found = REJECTED_ANY.search(text)
        if found:
            yield number, f"English: '{found.group(0)}' (docs/STYLE.md, Plain English)"


def counted(files):
    """(file, line, words) of each match of a COUNTED pattern outside tests."""
    return [(file.name, number, found.group(0)) for file in files if file.folder != "tests"
            for number, text in prose_of(file) for found in COUNTED_ANY.finditer(text)]


def faults_of_count(files):
    found = counted(files)
    if len(found) > COUNTED_MAX:
        yield "tree", f"English: {len(found)} matches of patterns that are often wrong, at most {COUNTED_MAX} (--english lists them)"
