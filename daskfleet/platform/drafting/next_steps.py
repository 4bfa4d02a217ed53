"""Pure: what to do with a draft."""

from collections.abc import Iterator

PLACEHOLDER = "NAME"


def next_steps(stack: str | None, *, is_fleet: bool) -> Iterator[str]:
    """Return lines, of which those that begin with ``$`` are commands."""
    name = stack or PLACEHOLDER
    yield "All of this stays as it is. The fleet comes up beside it, and teams change over:"
    if stack is None:
        yield "- Write the draft to a file: run this again with --stack NAME."
    if not is_fleet:
        yield "- Complete the file. This reads it again, and says what is missing:"
        yield f"  $ daskfleet settings --stack {name}"
    yield "- See what is in its way, and that it creates and touches nothing else:"
    yield f"  $ pulumi stack init {name}"
    yield f"  $ daskfleet doctor --stack {name}"
    yield f"  $ pulumi preview --stack {name}"
    yield "docs/adopt.md leads on from there."
