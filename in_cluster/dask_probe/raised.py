"""Exceptions as facts."""

from typing import Any

LONGEST_MESSAGE = 500
"""Characters: some libraries print whole objects."""
LONGEST_CHAIN = 8


def raised(error: BaseException) -> list[dict[str, Any]]:
    """Return the exception and its causes, the outermost first."""
    chain: list[dict[str, Any]] = []
    current: BaseException | None = error
    while current is not None and len(chain) < LONGEST_CHAIN:
        missing = current.name if isinstance(current, ModuleNotFoundError) else None
        message = one_line(str(current))
        chain.append({"type": type(current).__name__, "message": message, "module": missing})
        current = current.__cause__ or (
            None if current.__suppress_context__ else current.__context__
        )
    return chain


def one_line(text: str) -> str:
    """Return the beginning of a text as one line that any screen shows."""
    shown = (character if character.isprintable() else "?" for character in " ".join(text.split()))
    return "".join(shown)[:LONGEST_MESSAGE]
