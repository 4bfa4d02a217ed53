"""Rules of strings, and what they are called in errors."""

from pydantic import StringConstraints

RULES: dict[str, str] = {}
"""Each pattern in words, for errors."""


def rule(pattern: str, words: str) -> StringConstraints:
    """Return the constraint, and remember it in words."""
    RULES[pattern] = words
    return StringConstraints(pattern=pattern)
