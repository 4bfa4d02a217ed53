"""``python -m release.commands``: the page of all commands, from the help that they print.

With ``--check`` it only compares, and fails when the page is not what the commands say.
"""

import html
import sys

import typer
from typer.cli import get_docs_for_click

from daskfleet.cli import load
from daskfleet.generated import write_or_check
from daskfleet.verbs import VERBS, Verb
from release.project import ROOT

PAGE = ROOT / "docs" / "commands.md"
HEAD = """# Every command

What `daskfleet COMMAND --help` says, for all of them. What they are good for is on the pages of
[teams and platform engineers](README.md).

`python -m release.commands` writes this page from the commands themselves.
"""
HELP = "* `--help`: Show this message and exit.\n"


def page() -> str:
    """Draw a section of each command, below the readers that it is for."""
    readers = dict.fromkeys(verb.users for verb in VERBS.values())
    sections = [HEAD]
    for reader in readers:
        sections.append(f"## {reader}\n")
        sections += [_of(name, verb) for name, verb in VERBS.items() if verb.users == reader]
    return "\n".join(sections)


def _of(name: str, verb: Verb) -> str:
    command = load(name, verb)
    context = typer.Context(command, info_name=name)
    with context:
        drawn = get_docs_for_click(
            obj=command, ctx=context, name=name, call_prefix="daskfleet", indent=2
        )
    without_help = drawn.replace(f"**Options**:\n\n{HELP}\n", "").replace(HELP, "")
    return html.unescape(without_help).strip() + "\n"


def main(arguments: list[str]) -> int:
    """Write the page, or check that it is current; the exit status."""
    return write_or_check({PAGE: page()}, arguments, module="release.commands")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
