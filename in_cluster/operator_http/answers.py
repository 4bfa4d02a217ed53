"""Pure: what a scheduler's answer says, if it says anything that can be used."""

import json
import math
import re
from typing import NoReturn

NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,251}[a-z0-9])?")
"""Of an object: what else a scheduler may say would be a path in a request to the API server."""


class UnansweredError(Exception):
    """A scheduler gives no answer that can be used; the message says which and why."""


def parsed(text: bytes) -> object:
    """Read JSON as its standard has it. Raises ValueError or RecursionError."""

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


def retired(answer: object, *, most: int, cluster: str) -> list[str]:
    """Return the names in the answer of ``retire_workers``. Raises UnansweredError."""
    if not isinstance(answer, dict) or not all(isinstance(each, dict) for each in answer.values()):
        raise UnansweredError("it does not name workers")
    names = [each.get("name") for each in answer.values()]
    if len(names) > most:
        raise UnansweredError(f"it names {len(names)} workers, and {most} were asked for")
    for name in names:
        if not (isinstance(name, str) and NAME.fullmatch(name) and name.startswith(f"{cluster}-")):
            raise UnansweredError(f"{name!r:.100} is no worker of {cluster}")
    return names


def idle_since(answer: object) -> float:
    """Return the time in the answer of ``check_idle``. Raises UnansweredError."""
    since = answer.get("idle_since", "nothing") if isinstance(answer, dict) else "nothing"
    if since is None:
        return 0.0
    if isinstance(since, bool) or not isinstance(since, int | float):
        raise UnansweredError(f"{since!r:.100} is no time")
    try:
        seconds = float(since)
    except OverflowError:
        seconds = math.inf
    if not math.isfinite(seconds):
        raise UnansweredError("there is no such time")
    return seconds


def desired_workers(answer: object) -> int:
    """Return the number in the answer of ``adaptive_target``. Raises UnansweredError."""
    number = answer.get("workers") if isinstance(answer, dict) else None
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise UnansweredError(f"{number!r:.100} is no number of workers")
    return number
