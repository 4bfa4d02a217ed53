"""``python -m release.prose``: check the pages by the mechanical part of docs/style.md."""

import sys
from pathlib import Path

from release.project import ROOT
from release.prose.rules import mistakes, read_rules

PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/*.md",
    "docs/decisions/*.md",
    "bench/**/README.md",
    "policies/README.md",
    "rehearsal/**/README.md",
    "template/README.md",
)
"""By folder, because environments of Python beside them hold pages of others."""


def pages(root: Path) -> list[Path]:
    """Give the pages that have to follow the style. The changelog is not among them."""
    return sorted(page for pattern in PAGES for page in root.glob(pattern))


def main(root: Path = ROOT) -> int:
    """Print each mistake with its place; the exit status."""
    rules = read_rules()
    found = [
        f"{page.relative_to(root)}:{mistake.line}: {mistake.text}\n"
        for page in pages(root)
        for mistake in mistakes(page.read_text("utf-8"), rules)
    ]
    sys.stderr.writelines(found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
