"""The entry of a team in a stack file, as the lines that have to go."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import yaml

from daskfleet.stack_text.project_file import NAMESPACE

CONFIG, TEAMS = "config", "teams"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Where an entry stands."""

    first_line: int
    last_line: int
    """Both belong to it; the first line of a file is 1."""

    lines: tuple[str, ...] = ()
    """What stands there. None of an entry that shares its lines with others: it is written in
    braces, is an alias, or others are made of it."""


def entry_of(text: str, team: str) -> Entry | None:
    """Find a team's entry in the text of a stack file that was read without mistakes."""
    for teams in _teams(text):
        if not isinstance(teams, yaml.SequenceNode):
            continue
        for item in teams.value:
            if [node.value for node in _below([item], ("name",))] == [team]:
                return _entry(item, text.splitlines(), is_shared=_is_shared(teams, item))
    return None


def _teams(text: str) -> Iterator[yaml.Node]:
    yield from _below(_below_root(text), (TEAMS, f"{NAMESPACE}:{TEAMS}"))


def _below_root(text: str) -> Iterator[yaml.Node]:
    root = yaml.compose(text, Loader=yaml.CSafeLoader)
    yield from _below([root] if root else [], (CONFIG,))


def _below(nodes: Iterable[yaml.Node], keys: tuple[str, ...]) -> Iterator[yaml.Node]:
    for node in nodes:
        if isinstance(node, yaml.MappingNode):
            yield from (value for key, value in node.value if key.value in keys)


def _is_shared(teams: yaml.SequenceNode, item: yaml.Node) -> bool:
    """Whether lines cannot be cut out: flow style, or an alias that stands elsewhere."""
    is_inside = teams.start_mark.index <= item.start_mark.index < teams.end_mark.index
    return bool(teams.flow_style) or not is_inside


def _entry(item: yaml.Node, lines: list[str], *, is_shared: bool) -> Entry:
    first, end = item.start_mark.line, item.end_mark.line
    if is_shared:
        return Entry(first_line=first + 1, last_line=first + 1)
    while not lines[first].lstrip().startswith("-"):
        first -= 1  # a dash that has a line to itself
    # A block ends where the next thing begins: what is between them is not its own.
    is_on_last_line = end < len(lines) and lines[end][: item.end_mark.column].strip()
    last = end if is_on_last_line else min(end, len(lines)) - 1
    while last > first and _says_nothing(lines[last]):
        last -= 1
    return Entry(first_line=first + 1, last_line=last + 1, lines=tuple(lines[first : last + 1]))


def _says_nothing(line: str) -> bool:
    text = line.strip()
    return not text or text.startswith("#")
