"""``python -m release.notes TAG URL``: the notes of a release, cut from CHANGELOG.md.

``URL`` is where the repository's files of that tag are seen, such as
``https://github.com/example/daskfleet/blob/v1.2.0``: links between files lead nowhere else.
"""

import re
import sys
from pathlib import Path

from release.project import ROOT, Project, project

CHANGELOG = ROOT / "CHANGELOG.md"
HEADING = re.compile(r"^## (?P<version>\S+) \((?P<date>[^)]*)\)$", re.MULTILINE)
VERSION = re.compile(r"\d+\.\d+\.\d+")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
LINK_TO_A_FILE = re.compile(r"\]\((?!https?:|mailto:|#)(?:\./)?([^)]+)\)")


class NoReleaseError(ValueError):
    """The tag, the version and the changelog do not agree."""


def notes(changelog: str, *, tag: str, of: Project, url: str) -> str:
    """Return what the changelog says of a tag's version, with links that lead to its files.

    Raises:
        NoReleaseError: the version is one of development, the tag is another, or the changelog has
            no dated heading for it, or nothing below it.
    """
    if not VERSION.fullmatch(of.version):
        raise NoReleaseError(
            f"pyproject.toml: version {of.version} is that of no release. Allowed: X.Y.Z. "
            "Next step: set the version, commit, and tag that commit."
        )
    if tag != f"v{of.version}":
        raise NoReleaseError(
            f"pyproject.toml: version is {of.version}, and the tag is {tag}. "
            f"Allowed: v{of.version}. Next step: set the version, commit, and tag that commit."
        )
    heading = next(
        (each for each in HEADING.finditer(changelog) if each["version"] == of.version), None
    )
    if heading is None:
        raise NoReleaseError(
            f"CHANGELOG.md has no heading for {of.version}. Allowed: ## {of.version} (YYYY-MM-DD). "
            "Next step: write the heading, commit, and tag that commit."
        )
    if not DATE.fullmatch(heading["date"]):
        raise NoReleaseError(
            f"CHANGELOG.md: {heading[0]} has no date. Allowed: ## {of.version} (YYYY-MM-DD). "
            "Next step: write the date, commit, and tag that commit."
        )
    text = changelog[heading.end() :].partition("\n## ")[0].strip()
    if not text:
        raise NoReleaseError(
            f"CHANGELOG.md says nothing below {heading[0]}. "
            "Next step: write what changed, commit, and tag that commit."
        )
    return LINK_TO_A_FILE.sub(rf"]({url}/\1)", text) + "\n"


def main(arguments: list[str], changelog: Path = CHANGELOG) -> int:
    """Print the notes; the exit status is 1 where there is no such release, 2 for wrong usage."""
    if len(arguments) != 2:  # noqa: PLR2004 - TAG and URL
        sys.stderr.write("usage: python -m release.notes TAG URL\n")
        return 2
    tag, url = arguments
    try:
        text = notes(changelog.read_text("utf-8"), tag=tag, of=project(), url=url.rstrip("/"))
    except NoReleaseError as error:
        sys.stderr.write(f"release: {error}\n")
        return 1
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
