"""`python -m rehearsal.toolchain [RELEASE ...]`: put binaries in place and say where they are."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from rehearsal.toolchain.binaries import Tool, ensure_releases
from rehearsal.toolchain.errors import ToolchainError
from rehearsal.toolchain.releases import REHEARSAL_RELEASES, releases

# 128 + SIGINT, as a shell reports it.
INTERRUPTED = 130


def main() -> int:
    """Print a table, or with --path only the folders, so that a shell can put them on PATH."""
    arguments = argparse.ArgumentParser(prog="python -m rehearsal.toolchain", description=__doc__)
    arguments.add_argument("release", nargs="*", help="default: all that the rehearsal runs")
    arguments.add_argument("--path", action="store_true", help="print only the folders, as in PATH")
    chosen = arguments.parse_args()
    if unknown := set(chosen.release) - releases().keys():
        arguments.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(releases())}")
    progress = Console(stderr=True, highlight=False)
    wanted = tuple(releases()[name] for name in chosen.release or REHEARSAL_RELEASES)
    try:
        with _shown(progress) as show:
            tools = ensure_releases(wanted, progress=show, warn=_printing(progress))
    except ToolchainError as error:
        progress.print(str(error), style="red", markup=False, soft_wrap=True)
        return 1
    except KeyboardInterrupt:
        progress.print("Interrupted. What is compiled so far is kept: the same command continues.")
        return INTERRUPTED
    if chosen.path:
        folders = dict.fromkeys(str(tool.path.parent) for tool in tools)
        sys.stdout.write(":".join(folders) + "\n")
    else:
        Console(highlight=False).print(_table(tools))
    return 0


@contextmanager
def _shown(console: Console) -> Iterator[Callable[[str], None]]:
    """Replace each line by the next on a terminal; elsewhere let all stay."""
    if not console.is_terminal:
        yield _printing(console)
        return
    with console.status("") as status:
        yield lambda line: status.update(Text(line))


def _printing(console: Console) -> Callable[[str], None]:
    return lambda line: console.print(line, markup=False, soft_wrap=True)


def _table(tools: tuple[Tool, ...]) -> Table:
    table = Table("tool", "version", "origin", Column("path", overflow="fold"), box=None)
    for tool in tools:
        table.add_row(tool.name, tool.version, tool.origin, str(tool.path))
    return table


if __name__ == "__main__":
    sys.exit(main())
