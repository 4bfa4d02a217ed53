"""Validation errors in the words of somebody who edits a stack file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from daskfleet.settings import base
from daskfleet.settings.problems import Problem, shown
from daskfleet.settings.rules import RULES
from daskfleet.stack_text.project_file import NAMESPACE

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indexes that lead from the top of a document to a value."""

DRIVER_KEYS = frozenset({"driver", "driver_install", "driver_version", "gpu_driver_version"})

FLEX_START_KEYS = frozenset({"flex_start", "max_run_duration", "queued_provisioning"})

ALLOWED = {
    "ip_v4_network": "an IPv4 network without host bits, such as 10.0.0.0/20",
    "model_type": "a mapping of keys to values",
    "dict_type": "a mapping of keys to values",
    "tuple_type": "a list",
    "too_short": "at least one entry",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "timezone_aware": "a time with its zone, such as 2026-01-03T02:00:00Z",
    "datetime_from_date_parsing": "a time with its zone, such as 2026-01-03T02:00:00Z",
}
"""What is allowed, where pydantic's own words would not help; by type of error."""


@dataclass(frozen=True, kw_only=True)
class ShapeProblem:
    """A problem, and what a repair needs to know of it."""

    path: Path
    kind: Literal["unknown", "conflict", "missing", "value"]
    problem: Problem


def path_text(path: Path) -> str:
    """A path as errors write it: ``teams[1].workers``."""
    text = ""
    for part in path:
        name = part if isinstance(part, int) else part or '""'
        text += f"[{name}]" if isinstance(name, int) else f".{name}" if text else name
    return text


def shape_problems(error: ValidationError, document: Mapping[str, object]) -> list[ShapeProblem]:
    """Every problem that a validation of ``document`` found."""
    return [
        problem
        for details in error.errors(include_url=False)
        if not _is_consequence(details)
        for problem in _problems(details, _path(details, document))
    ]


def _is_consequence(details: ErrorDetails) -> bool:
    """Whether a list is only too short because its items were refused."""
    return details["type"] == "too_short" and bool(details["input"])


def _path(details: ErrorDetails, document: Mapping[str, object]) -> Path:
    """Where in the document an error is: its location without the names of alternatives."""
    node: Any = document
    path: Path = ()
    for depth, part in enumerate(details["loc"], 1):
        try:
            node = node[part]
        except (KeyError, IndexError, TypeError):
            is_missing_key = details["type"] == "missing" and depth == len(details["loc"])
            if not is_missing_key:
                continue
        path = (*path, part)
    return path


def _problems(details: ErrorDetails, path: Path) -> Iterator[ShapeProblem]:
    context = details.get("ctx", {})
    match details["type"]:
        case base.UNKNOWN_KEYS:
            for key in context["unknown"]:
                yield _unknown_key((*path, key), details["input"][key], context["valid"])
        case base.CONFLICT:
            yield _conflict(path, details)
        case base.REFUSAL:
            problem = Problem(key=path_text(path), value=shown(details["input"]), **context)
            yield ShapeProblem(path=path, kind="value", problem=problem)
        case "missing":
            problem = Problem(
                key=path_text(path),
                value="not given",
                reason="This key is required.",
                allowed="a value",
                next_step=f"add {path[-1]}.",
            )
            yield ShapeProblem(path=path, kind="missing", problem=problem)
        case "too_long":
            yield _wrong_value(path, details["input"], f"at most {context['max_length']} entries")
        case "union_tag_invalid":
            where = (*path, "install")
            yield _wrong_value(where, context["tag"], context["expected_tags"])
        case kind:
            allowed = ALLOWED.get(kind) or RULES.get(str(context.get("pattern")))
            words = details["msg"].removeprefix("Input should be ")
            yield _wrong_value(path, details["input"], allowed or words)


def _unknown_key(path: Path, value: object, valid: list[str]) -> ShapeProblem:
    key = str(path[-1])
    closest = get_close_matches(key, valid, n=1)
    is_pool = str(path[0]).endswith(("_pool", "_pools"))
    if is_pool and key in DRIVER_KEYS:
        reason = (
            "The driver is one choice for all GPU pools: with pools of different drivers, "
            "schedulers and workers would need different CUDA versions."
        )
        next_step = f"remove it here and set {NAMESPACE}:driver for the whole stack."
    elif is_pool and key in FLEX_START_KEYS:
        reason = (
            "Machines of flex-start live seven days at most, and schedulers hold their clusters' "
            "state."
            if path[0] == "scheduler_pool"
            else "Flex-start is not offered: what Google says of such pools does not agree."
        )
        next_step = "remove it; docs/scarce-gpus.md says more."
    elif closest:
        reason = "There is no such key."
        next_step = f"write {closest[0]} if that is what was meant, else remove it."
    else:
        reason = "There is no such key."
        next_step = "remove it."
    problem = Problem(
        key=path_text(path),
        value=shown(value),
        reason=reason,
        allowed=", ".join(valid),
        next_step=next_step,
    )
    return ShapeProblem(path=path, kind="unknown", problem=problem)


def _conflict(path: Path, details: ErrorDetails) -> ShapeProblem:
    context = details["ctx"]
    where = (*path, context["key"])
    given = details["input"]
    value = given.get(context["key"]) if isinstance(given, Mapping) else None
    problem = Problem(
        key=path_text(where),
        value="not given" if value is None else shown(value),
        reason=context["reason"],
        allowed=context["allowed"],
        next_step=context["next_step"],
    )
    return ShapeProblem(path=where, kind="conflict", problem=problem)


def _wrong_value(path: Path, value: object, allowed: str) -> ShapeProblem:
    key = path_text(path)
    if allowed == "a valid string" and isinstance(value, int | float):
        reason = "YAML reads this as a number, and drops zeros that a number does not need."
        next_step = "put the value in quotes."
    else:
        reason = "This value has the wrong form."
        next_step = f"correct {key}."
    problem = Problem(
        key=key, value=shown(value), reason=reason, allowed=allowed, next_step=next_step
    )
    return ShapeProblem(path=path, kind="value", problem=problem)
