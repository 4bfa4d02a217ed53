"""Links of a page as the site can follow them."""

import re
from collections.abc import Callable
from pathlib import Path

_FENCED = re.compile(r"(^ *```.*?^ *```$)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^)\s#:]+)[^)\s]*\)")


def within_site(text: str, *, folder: Path, is_page: Callable[[Path], bool]) -> str:
    """Leave the words of links that only GitHub can follow: to folders, and to other pages.

    Args:
        text: a page of Markdown.
        folder: where the page lies; its links begin there.
        is_page: whether a file of Markdown is on the site.

    """

    def kept(link: re.Match[str]) -> str:
        target = (folder / link["target"]).resolve()
        leaves = target.is_dir() or (target.suffix == ".md" and not is_page(target))
        return link["text"] if target.exists() and leaves else link[0]

    pieces = _FENCED.split(text)
    pieces[::2] = [_LINK.sub(kept, piece) for piece in pieces[::2]]
    return "".join(pieces)
