"""Pure: the settings of a stack one by one, each with the place that it is from."""

from collections.abc import Iterator, Mapping

from pydantic import BaseModel, ConfigDict, JsonValue

from daskfleet.settings.loading import Draft
from daskfleet.settings.problems import line_of_key
from daskfleet.settings.renamed import RENAMED
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
    """Where it is written, or the key that stands for it; None with a default, and where the text
    does not tell, as behind a YAML merge key at the top."""


def settings_of(draft: Draft, stack: Stack) -> Iterator[Setting]:
    """Return every setting in the order of docs/settings.md.

    A list of words or numbers is one setting. What is written shortly, as ``tls: true``, stays as
    it is written. ``jupyter: {}`` comes before its defaults.
    """
    for path, value, is_written in _leaves((), stack.model_dump(mode="json"), draft.document):
        file = line = None
        if is_written:
            spelled = _as_written(path, draft.lines)
            file = draft.files.get(str(spelled[0]), draft.file)
            line = line_of_key(draft.lines, path_text(spelled))
        yield Setting(key=path_text(path), value=value, file=file, line=line)


def _as_written(path: Path, lines: Mapping[str, int]) -> Path:
    """The path by the name of an earlier release, where the file has that one."""
    old = next((each.old for each in RENAMED if each.new == path), path)
    return old if path_text(old) in lines else path


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
    elif isinstance(written, str | int | float | list) and isinstance(value, dict):
        yield path, written, True
        return
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
        case list(), int() if step < len(written):
            return written[step]
    return _NOTHING
