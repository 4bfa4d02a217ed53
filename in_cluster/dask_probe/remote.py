"""Running source text on scheduler and workers, whatever Python they have."""

from pathlib import Path
from types import ModuleType
from typing import Any

RUN = "exec(source, scope) or scope[function](*arguments)"
"""For ``eval``, which pickle sends by its name. ``exec`` returns None."""


def call(module: ModuleType, function: str, *arguments: str) -> tuple[str, dict[str, Any]]:
    """Return the arguments with which ``eval`` defines a module and calls its function."""
    assert module.__file__ is not None  # noqa: S101 - it was loaded from a file
    source = Path(module.__file__).read_text(encoding="utf-8")
    scope = {"__name__": module.__name__}
    return RUN, {"source": source, "scope": scope, "function": function, "arguments": arguments}
