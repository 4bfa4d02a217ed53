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
        message = " ".join(str(current).split())[:LONGEST_MESSAGE]
        chain.append({"type": type(current).__name__, "message": message, "module": missing})
        current = current.__cause__ or (
            None if current.__suppress_context__ else current.__context__
        )
    return chain
