"""Command lines of ``daskfleet``, of pages and scripts, read by the commands themselves."""

import re
import shlex
from collections.abc import Iterator
from typing import Any, cast

import typer
from markdown_it import MarkdownIt
from typer.core import TyperGroup

from daskfleet.cli import load
from daskfleet.verbs import VERBS

OURS = re.compile(r"(?:^|[\s(/`'\"$])daskfleet\"? +(?=[a-z])")
OF_OTHERS = re.compile(r"\$\((?!daskfleet)[^)]*\)")
COMMENT = re.compile(r"(?:^|\s)#\s")
ENDS = re.compile(r"\s(?:\||\d?>|&&|;|#|<)(?:\s|\S|$)|[)`]|; |;$|\s\|\|")
"""Where a shell takes what follows for something else than arguments."""

_UsageError = cast("type[Exception]", typer.BadParameter.__base__)
"""Of whichever Click this Typer has: its own, or the package."""


def of_page(text: str) -> Iterator[str]:
    """Give what follows ``daskfleet`` in blocks of a shell and in spans of code."""
    for token in MarkdownIt().parse(text):
        if token.type == "fence" and token.info.split(" ")[0] in {"", "console", "bash", "sh"}:
            yield from of_shell(token.content)
        for child in token.children or ():
            if child.type == "code_inline" and child.content.startswith("daskfleet "):
                yield from of_shell(child.content)


def of_shell(text: str) -> Iterator[str]:
    """Give what follows ``daskfleet`` in each line that calls it; a line may go on in the next."""
    for line in re.sub(r"\s*\\\n(?:> )?\s*", " ", text).splitlines():
        typed = OF_OTHERS.sub("X", COMMENT.split(line, maxsplit=1)[0])
        for found in OURS.finditer(typed):
            yield ENDS.split(typed[found.end() :], maxsplit=1)[0].strip()


def refusal(call: str) -> str | None:
    """Say why a command line cannot be one; None where all its verbs and options exist.

    Brackets, as of ``[--stack STACK]``, say that a part may be left out.
    """
    name, *rest = [word.strip("[]") for word in shlex.split(call) if word not in {"...", "…"}]
    if name not in VERBS:
        return f"No such command '{name}'."
    command: Any = load(name, VERBS[name])
    try:
        while True:
            context = command.context_class(command, info_name=name)
            _, further, _ = command.make_parser(context).parse_args([*rest])
            if not further:
                return None
            if not isinstance(command, TyperGroup):
                return f"Got unexpected extra arguments: {' '.join(further)}"
            found, command, rest = command.resolve_command(context, further)
            name = found or name
    except _UsageError as error:
        return str(error)
