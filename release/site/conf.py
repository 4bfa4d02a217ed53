"""Sphinx's configuration: https://www.sphinx-doc.org/en/master/usage/configuration.html.

It reads every page where GitHub shows it (decision 0052).
"""

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from release.project import ROOT
from release.project import project as read_project
from release.site.links import within_site
from release.site.navigation import HOME, NAVIGATION, tree_below
from release.site.versions import shown_in

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_PROJECT = read_project()
_ELSEWHERE = (
    page for pages in NAVIGATION.values() for page in pages if not page.startswith("docs/")
)

project = _PROJECT.name
release = _PROJECT.version
root_doc = HOME
# Whole folders, not the pages of the navigation: what that forgets is said.
include_patterns = ["*.md", "docs/**.md", *(f"{page}.md" for page in _ELSEWHERE)]
exclude_patterns = [".*", "**/.venv"]

extensions = ["myst_parser"]
# The anchors that GitHub makes, for headings down to ####.
myst_heading_anchors = 4
# Code that a page shortens by "..." is shown without colours; that is no mistake of the page.
suppress_warnings = ["misc.highlighting_failure"]
pygments_style = "default"
pygments_dark_style = "github-dark"

html_theme = "furo"
html_title = f"daskfleet {release}"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False
html_static_path = ["static"]
html_css_files = ["site.css"]
templates_path = ["templates"]
html_context = shown_in(os.environ)
# Furo's own, https://pradyunsg.me/furo/customisation/sidebar/, and the versions.
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "versions.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
        "sidebar/variant-selector.html",
    ]
}


def setup(app: "Sphinx") -> None:
    """Let Sphinx ask this module at two points of a build."""
    app.connect("source-read", _read)
    app.connect("build-finished", _finish)


def _read(app: "Sphinx", page: str, source: list[str]) -> None:
    def is_page(file: Path) -> bool:
        return bool(file.relative_to(ROOT).with_suffix("").as_posix() in app.env.found_docs)

    folder = (ROOT / page).parent
    source[0] = within_site(source[0], folder=folder, is_page=is_page) + tree_below(page)


def _finish(app: "Sphinx", error: Exception | None) -> None:
    """Give the front page the name that servers look for."""
    if error is None:
        shutil.copyfile(Path(app.outdir, f"{HOME}.html"), Path(app.outdir, "index.html"))
