"""One planted bug."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Plant:
    """`edits` are (file, text as it stands once in it, text of the armed tree); `tests` ought to notice: `file.test` as
    in tests/proof/rules.md, `Suite::test` for a GoogleTest; tests of at least `rigs` kinds must notice."""
    name: str
    breaks: str
    rules: str
    edits: tuple
    tests: tuple
    rigs: int = 2
