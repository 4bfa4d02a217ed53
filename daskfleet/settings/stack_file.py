"""Read a stack file without the Pulumi engine, as the cost estimate and the review do."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from daskfleet.settings.loading import Draft, mistake_problem, parse
from daskfleet.settings.problems import Problem, shown
from daskfleet.settings.shape import path_text
from daskfleet.stack_text.mistakes import Mistake, Place
from daskfleet.stack_text.project_file import NAMESPACE, project_of, shared_settings, written_twice
from daskfleet.stack_text.read import read_file

CONFIG = "config"


def read_stack_file(path: Path) -> Draft:
    """The settings in a stack file such as ``stacks/Pulumi.dev.yaml``, and those it inherits.

    A file that cannot be read as settings at all yields a draft with only those problems.
    """
    file = str(path)
    text = read_file(path)
    if text.mistakes:
        problems = tuple(_problem(mistake) for mistake in text.mistakes)
        return Draft(file=file, stack=None, problems=problems)
    content = text.content
    config = content.get(CONFIG) if isinstance(content, dict) else content
    if not isinstance(config, dict):
        reason = f"The file has no mapping below config: it holds {shown(content)}."
        return Draft(file=file, stack=None, problems=(_no_settings(reason),))
    own = _own_keys(config)
    shared = shared_settings(project_of(path))
    if shared.mistakes:
        problems = tuple(_problem(mistake) for mistake in shared.mistakes)
        return Draft(file=shared.file, stack=None, problems=problems)
    inherited = {key: value for key, value in shared.values.items() if key not in own}
    of_shared = {
        path_text(place): line for place, line in shared.lines.items() if place[0] in inherited
    }
    draft = parse({**inherited, **own}, file=file, lines=_own_lines(text.lines) | of_shared)
    return replace(
        draft,
        files=dict.fromkeys(inherited, shared.file),
        problems=(*map(_problem, written_twice(config)), *draft.problems),
    )


def _own_keys(config: Mapping[str, object]) -> dict[str, object]:
    """This program's settings; Pulumi takes a key without a namespace as the project's."""
    keys = {_own_name(key): value for key, value in config.items()}
    return {key: value for key, value in keys.items() if ":" not in key}


def _own_name(key: str) -> str:
    return key.removeprefix(f"{NAMESPACE}:")


def _own_lines(lines: Mapping[Place, int]) -> dict[str, int]:
    own = (_own_place(place) for place in lines)
    return {
        path_text(place): line for place, line in zip(own, lines.values(), strict=True) if place
    }


def _own_place(place: Place) -> Place:
    """A place below ``config:`` in this program's keys; nothing for a place elsewhere."""
    match place:
        case (name, str(key), *rest) if name == CONFIG:
            own = _own_name(key)
            return () if ":" in own else (own, *rest)
    return ()


def _problem(mistake: Mistake) -> Problem:
    own = _own_place(mistake.place)
    problem = mistake_problem(replace(mistake, place=own))
    if own or not mistake.place:
        return problem
    return replace(problem, reason=f"{shown(path_text(mistake.place))}: {problem.reason}")


def _no_settings(reason: str) -> Problem:
    return Problem(
        key="",
        value="",
        reason=reason,
        allowed=f"config: with keys that begin with {NAMESPACE}:",
        next_step="compare with stacks/Pulumi.dev.yaml, or check the path.",
    )
