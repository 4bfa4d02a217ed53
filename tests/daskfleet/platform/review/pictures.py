"""Pictures of the sample comments as GitHub would show them, for people to look at.

``python -m tests.daskfleet.platform.review.pictures FOLDER [SAMPLE ...]`` needs Chromium
on PATH; no test here does.
What GitHub does after its parser is imitated: its stylesheet by ``github.css``, the colours of
diffs here. ``--open`` unfolds all folds.
"""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from daskfleet.platform.review.markdown.comment import comment
from tests.chromium import Theme, open_chromium
from tests.daskfleet.platform.review.rendered import as_github
from tests.daskfleet.platform.review.sample_reviews import SAMPLES

CSS = Path(__file__).with_name("github.css")
WIDTHS_PX = (900, 420)
THEMES: tuple[Theme, ...] = ("light", "dark")
COLOURS = {"+": "add", "-": "del", "@": "hunk", "!": "change"}
DIFF = re.compile(r'<pre lang="diff"><code>(.*?)</code></pre>', re.DOTALL)


def page(markdown: str, *, theme: str, unfold: bool) -> str:
    """The comment as a page of its own."""
    body = DIFF.sub(_coloured, as_github(markdown))
    if unfold:
        body = body.replace("<details>", "<details open>")
    return (
        f'<!doctype html><html class="{theme}"><meta charset="utf-8"><style>{CSS.read_text()}'
        f'</style><body><div class="comment">{body}</div></body></html>'
    )


def _coloured(block: re.Match[str]) -> str:
    lines = [
        f'<span class="{COLOURS.get(line[:1], "")}">{line}</span>'
        for line in block[1].rstrip("\n").split("\n")
    ]
    together = "\n".join(lines)
    return f"<pre><code>{together}</code></pre>"


def main(folder: Path, names: list[str], *, unfold: bool) -> None:
    """Take all pictures of some samples."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch, open_chromium() as tab:
        for name in names or SAMPLES:
            for theme in THEMES:
                file = Path(scratch, f"{name}.html")
                text = page(comment(SAMPLES[name]()), theme=theme, unfold=unfold)
                file.write_text(text, encoding="utf-8")
                for width_px in WIDTHS_PX:
                    picture = folder / f"{name}-{theme}-{width_px}.png"
                    tab.open(file, width_px=width_px, theme=theme)
                    tab.screenshot(picture)
                    print(picture)  # noqa: T201 - this is a command


if __name__ == "__main__":
    given = [each for each in sys.argv[1:] if each != "--open"]
    if not given:
        sys.exit(__doc__)
    main(Path(given[0]), given[1:], unfold="--open" in sys.argv)
