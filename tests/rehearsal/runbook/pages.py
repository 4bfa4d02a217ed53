"""The runbook and guides as data: what is edited, what is typed, what is to be seen.

On a page a ``diff`` block is an edit of the stack file, and a ``console`` block is a session: lines
that begin with ``$`` are typed, those below are pieces of what is printed, in this order. A command
goes on in a line that begins with ``>``, or after a backslash. One below which ``error:`` is to be
seen fails. A block of another language is not executed.
"""

import itertools
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.project import PROJECT_DIR

RUNBOOK = PROJECT_DIR / "docs" / "runbook.md"

PROMPT = "$ "
CONTINUATION = "> "


@dataclass(frozen=True, kw_only=True)
class Edit:
    """A change of the stack file: one run of lines becomes another."""

    before: str
    after: str

    def applied(self, text: str) -> str:
        """The text with this change.

        Raises:
            LookupError: the lines are not there, or not only once.
        """
        if text.count(self.before) != 1:
            found = text.count(self.before)
            raise LookupError(f"{found} places instead of one have these lines:\n{self.before}")
        return text.replace(self.before, self.after)


@dataclass(frozen=True, kw_only=True)
class Command:
    """A line that is typed, and pieces of what it prints, in their order."""

    text: str
    shows: tuple[str, ...]

    @property
    def fails(self) -> bool:
        """Whether the page says that this command is refused."""
        return any(line.startswith("error:") for line in self.shows)

    def missing_from(self, printed: str) -> str | None:
        """The first piece that is not to be seen where the page says; None when all are."""
        rest = _plain(printed)
        for line in self.shows:
            for piece in filter(None, map(_plain, line.split("..."))):
                _, found, rest = rest.partition(piece)
                if not found:
                    return line
        return None


@dataclass(frozen=True, kw_only=True)
class Page:
    """One task of the runbook."""

    title: str
    steps: tuple[Edit | Command, ...]


def pages(text: str) -> tuple[Page, ...]:
    """Every section of the second level."""
    tokens = MarkdownIt().parse(text)
    starts = [at for at, token in enumerate(tokens) if _opens_page(token)]
    ends = [*starts[1:], len(tokens)]
    return tuple(
        Page(
            title=tokens[start + 1].content,
            steps=_steps_of(tokens[start:end]),
        )
        for start, end in zip(starts, ends, strict=True)
    )


def steps(text: str) -> tuple[Edit | Command, ...]:
    """All that a guide of one task says to do, whatever its sections."""
    return _steps_of(MarkdownIt().parse(text))


def _steps_of(tokens: Sequence[Token]) -> tuple[Edit | Command, ...]:
    return tuple(itertools.chain.from_iterable(map(_steps, tokens)))


def _opens_page(token: Token) -> bool:
    return token.type == "heading_open" and token.tag == "h2"


def _steps(token: Token) -> tuple[Edit | Command, ...]:
    if token.type != "fence":
        return ()
    match token.info:
        case "diff":
            return (_edit(token.content),)
        case "console":
            return tuple(_commands(token.content))
        case _:
            return ()


def _edit(block: str) -> Edit:
    lines = block.splitlines(keepends=True)
    return Edit(
        before="".join(line[1:] for line in lines if line[0] in " -"),
        after="".join(line[1:] for line in lines if line[0] in " +"),
    )


def _commands(block: str) -> list[Command]:
    typed = re.split(rf"^{re.escape(PROMPT)}", textwrap.dedent(block), flags=re.MULTILINE)
    commands = []
    for each in typed[1:]:
        first, *others = each.splitlines()
        more = _continued(first, others)
        text = "\n".join([first, *(line.removeprefix(CONTINUATION) for line in more)])
        shown = others[len(more) :]
        commands.append(Command(text=text, shows=tuple(line for line in shown if line.strip())))
    return commands


def _continued(first: str, others: Sequence[str]) -> list[str]:
    """The lines in which a command goes on."""
    more: list[str] = []
    for line in others:
        last = more[-1] if more else first
        if not (line.startswith(CONTINUATION) or last.endswith("\\")):
            break
        more.append(line)
    return more


def _plain(text: str) -> str:
    """Text without the spaces with which the engine aligns its columns."""
    return " ".join(text.split())
