"""The figure as the emulator's README has it, and the list of what does not agree."""

import re
from itertools import groupby
from pathlib import Path

from bench.fidelity import Agreement, Difference, FidelityResult, Share
from daskfleet.files import write_file

EMULATOR = Path(__file__).parent.parent / "rehearsal" / "emulator"
README = EMULATOR / "README.md"
LIST = EMULATOR / "fidelity.md"

_TABLE = re.compile(r"(?<=<!-- fidelity -->\n).*?(?=<!-- /fidelity -->)", re.DOTALL)
_HEAD = """# What the emulator answers otherwise than Google

Each row is a field of an answer, or a request whose status is another one, with the number of times
in all recordings. *Missing* is what Google answers and the emulator does not; *not Google's* the
reverse. A request that is refused here and taken there also costs what was asked of it later.

*Not decidable* is a field in which Google's recordings contradict each other: they are of different
ages of GKE, and the same request was answered in two ways. It counts as not agreeing all the same.

`python -m bench fidelity` writes this page; [README](README.md#fidelity) has the figures.
"""


def pages(result: FidelityResult) -> dict[Path, str]:
    """Return the content of both files.

    Raises ValueError when the README has no place for the table.
    """
    readme = README.read_text(encoding="utf-8")
    if not _TABLE.search(readme):
        raise ValueError(f"{README} has no <!-- fidelity --> ... <!-- /fidelity -->.")
    return {
        README: _TABLE.sub(lambda _: table(result), readme),
        LIST: list_of_differences(result),
    }


def write_pages(result: FidelityResult) -> None:
    """Write both files. Raises OSError, and ValueError as ``pages`` does."""
    for file, text in pages(result).items():
        write_file(file, text)


def table(result: FidelityResult) -> str:
    """Draw the figure by resource, in Markdown."""
    rows = [*result.resources.items(), ("**all**", result.total())]
    return "\n".join(
        [
            "| resource | requests | status codes | answer fields |",
            "|---|---|---|---|",
            *(_row(name, agreement) for name, agreement in rows),
            "",
            f"Fields that do not agree and are not decidable: {result.undecidable()}.",
            "",
        ]
    )


def list_of_differences(result: FidelityResult) -> str:
    """Draw everything that does not agree, in Markdown."""
    sections = [_HEAD]
    for resource, differences in groupby(result.differences, key=lambda each: each.resource):
        sections.append(
            f"\n## {resource.capitalize()}\n\n| times | where | what |\n|---|---|---|\n"
        )
        sections += [_difference(each) for each in differences]
    return "".join(sections)


def _row(name: str, agreement: Agreement) -> str:
    shares = (agreement.requests, agreement.statuses, agreement.fields)
    return f"| {name} | {' | '.join(map(_share, shares))} |"


def _share(share: Share) -> str:
    if not share.of:
        return "not recorded"
    # Rounded down: what is not all of them is never called 100 %.
    return f"{share.agree} of {share.of}, {100 * share.agree // share.of} %"


def _difference(difference: Difference) -> str:
    what = difference.what.replace("|", "\\|")
    what += "" if difference.is_decidable else "; not decidable"
    return f"| {difference.times} | `{difference.where}` | {what} |\n"
