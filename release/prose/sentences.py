"""Pure: the sentences of a page, as a reader meets them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

CODE = "`code`"
"""What stands for a span of code: one word, of no spelling."""

_END = re.compile(r"""(?<=[.!?])['")\]]*\s+(?=[^a-z\s])|(?<=:)\s+""")


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One sentence, without marks of Markdown."""

    text: str
    line: int
    """Of the paragraph or the table's row that it stands in, counted from 1."""

    @property
    def words(self) -> int:
        """How many words it has; signs alone are none."""
        return sum(any(c.isalnum() for c in word) for word in self.text.split())


def sentences(page: str) -> Iterator[Sentence]:
    """Read the sentences of a page of Markdown, but for blocks of code and what is quoted."""
    line, quoted = 1, 0
    for token in MarkdownIt("commonmark").enable("table").parse(page):
        line = token.map[0] + 1 if token.map else line
        quoted += token.nesting if token.type.startswith("blockquote") else 0
        if token.type == "inline" and not quoted:
            text = " ".join("".join(_texts(token.children or [])).split())
            yield from (Sentence(text=each, line=line) for each in _END.split(text) if each)


def _texts(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        match token.type:
            case "text":
                yield token.content
            case "code_inline":
                yield CODE
            case "softbreak" | "hardbreak":
                yield " "
