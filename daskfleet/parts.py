"""What a verb needs that this installation may lack: the platform's packages, or the checkout."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from daskfleet.pressure import FAILED

BESIDE = frozenset({"bench", "policies", "rehearsal"})
"""Packages of the checkout that are not in the wheel."""

CLONE = (
    "Clone the repository, run `make setup` there, and use its .venv/bin/daskfleet: "
    "`pip install` brings only the package."
)
PLATFORM = "pip install 'daskfleet[platform]'"


def require_checkout(verb: str) -> None:
    """End with the next step where there is nothing beside this package.

    Raises:
        typer.Exit: it was told.

    """
    if importlib.util.find_spec("rehearsal") is None:
        typer.echo(f"`daskfleet {verb}` needs the whole repository. {CLONE}", err=True)
        raise typer.Exit(FAILED)


@contextmanager
def missing_parts_told() -> Iterator[None]:
    """End in a sentence where the body needs a package that is not installed.

    Raises:
        typer.Exit: it was told.

    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in {"", "daskfleet"}:
            raise
        if package in BESIDE:
            words = f"This needs `{package}` of the repository. {CLONE}"
        else:
            words = f"This needs the package `{package}`, which is not installed: {PLATFORM}"
        typer.echo(words, err=True)
        raise typer.Exit(FAILED) from None
