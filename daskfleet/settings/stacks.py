"""Which stack file is meant."""

from pathlib import Path

PREFIX, SUFFIX = "Pulumi.", ".yaml"


class UnknownStackError(Exception):
    """No stack file was named, or none of that name exists; the text lists those that do."""


def stack_file(directory: Path, stack: str | None) -> Path:
    """The file of a stack, or the only one that there is.

    Which stack is selected, Pulumi keeps for itself, so nothing is guessed among several.

    Args:
        directory: where the stack files are.
        stack: name as Pulumi takes it; ``organisation/project/name`` is allowed.

    Raises:
        UnknownStackError: it cannot be told which file is meant.
    """
    files = {
        path.name.removeprefix(PREFIX).removesuffix(SUFFIX): path
        for path in sorted(directory.glob(f"{PREFIX}*{SUFFIX}"))
    }
    if not files:
        raise UnknownStackError(
            f"There is no stack file in {directory}. Next step: write "
            f"{directory.name}/{PREFIX}<stack>{SUFFIX}; README.md shows one."
        )
    if stack is None:
        if len(files) == 1:
            return next(iter(files.values()))
        raise UnknownStackError(
            f"There are several stacks. Next step: say which with --stack: {', '.join(files)}."
        )
    name = stack.rpartition("/")[2]
    if name not in files:
        raise UnknownStackError(
            f"There is no {directory.name}/{PREFIX}{name}{SUFFIX}. Next step: correct --stack; "
            f"there is {', '.join(files)}."
        )
    return files[name]
