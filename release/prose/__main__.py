"""``python -m release.prose``: hold the pages to the mechanical part of docs/style.md."""

import sys
from pathlib import Path

from release.project import ROOT
from release.prose.rules import mistakes, read_rules


def pages(root: Path) -> list[Path]:
    """Give the pages that the style is held on. Decisions and the changelog are not among them."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


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
