"""The hidden line by which a comment says which commit it is about."""

import re

_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_LINE = re.compile(rf"<!-- daskfleet-commit: ({_COMMIT.pattern}) -->")


def commit_line(commit: str) -> str:
    """The line; empty for what is no whole commit."""
    return f"<!-- daskfleet-commit: {commit} -->" if _COMMIT.fullmatch(commit) else ""


def commit_of(comment: str) -> str:
    """The commit that a comment is about; empty when its second line says none."""
    lines = comment.splitlines()
    match = _LINE.fullmatch(lines[1].strip()) if len(lines) > 1 else None
    return match[1] if match else ""
