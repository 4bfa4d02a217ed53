"""Pure: the settings of a stack one by one, each with the place that it is from."""

from collections.abc import Iterator, Mapping

from pydantic import BaseModel, ConfigDict, JsonValue

from daskfleet.settings.loading import Draft
from daskfleet.settings.shape import Path, path_text
from daskfleet.settings.stack import Stack


class Setting(BaseModel):
    """A value that nothing is below."""

    model_config = ConfigDict(frozen=True)

    key: str
    """As errors write it: ``teams[0].workers``."""

    value: JsonValue
    """null: nothing is said, and what that means is in docs/settings.md."""

    file: str | None
    """None: a default of daskfleet."""

    line: int | None
    """Where it is written, or the key that stands for it; None with a default."""


def settings_of(draft: Draft, stack: Stack) -> Iterator[Setting]:
    """Return every setting in the order of docs/settings.md.

    A list of words or numbers is one setting. What is written shortly, as ``image: "26.10"``,
    belongs to its line with all that it means. ``jupyter: {}`` comes before its defaults.
    """
    for path, value, is_written in _leaves((), stack.model_dump(mode="json"), draft.document):
        file = line = None
        if is_written:
            file = draft.files.get(str(path[0]), draft.file)
            line = _line(draft.lines, path)
        yield Setting(key=path_text(path), value=value, file=file, line=line)


def _leaves(
    path: Path, value: JsonValue, written: object
) -> Iterator[tuple[Path, JsonValue, bool]]:
    items: list[tuple[str | int, JsonValue]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        items = list(enumerate(value))
    if not items:
        yield path, value, written is not _NOTHING
    elif written == {}:
        yield path, {}, True
    for step, below in items:
        yield from _leaves((*path, step), below, _below(written, step))


_NOTHING = object()
"""What a file says of a setting that has its default."""


def _below(written: object, step: str | int) -> object:
    match written, step:
        case Mapping(), str():
            return written.get(step, _NOTHING)
        case list(), int():
            return written[step] if step < len(written) else _NOTHING
        case None, _:
            return _NOTHING
    return written  # it stands for all that is below


def _line(lines: Mapping[str, int], path: Path) -> int | None:
    """The line of the path, or of the nearest key above it that has one."""
    while path:
        if found := lines.get(path_text(path)):
            return found
        path = path[:-1]
    return None
