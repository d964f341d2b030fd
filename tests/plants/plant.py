"""One planted bug."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Plant:
    """`edits`: (file, text that appears in it exactly once, text of the armed tree). `tests`: the tests that should detect the
    bug, `file.test` as in tests/proof/rules.md or `Suite::test` for GoogleTest. Tests of at least `rigs` rigs must detect it."""
    name: str
    breaks: str
    rules: str
    edits: tuple
    tests: tuple
    rigs: int = 2
