"""Pictures of the sample comments as GitHub would show them, for people to look at.

``python -m tests.review.pictures FOLDER [SAMPLE ...]`` needs ``chromium`` on PATH; no test does.
What GitHub does after its parser is imitated: its stylesheet by ``github.css``, the colours of
diffs here. ``--open`` unfolds all folds.
"""

import html
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from review.markdown.comment import comment
from tests.review.rendered import as_github
from tests.review.sample_reviews import SAMPLES

CSS = Path(__file__).with_name("github.css")
WIDTHS_PX = (900, 420)
THEMES = ("light", "dark")
TALLEST_PX = 6_000
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


def height_px(file: Path, width_px: int) -> int:
    """How high the page is at a width."""
    text = file.read_text(encoding="utf-8")
    script = "<script>document.title=document.documentElement.scrollHeight</script>"
    measured = file.with_name("measured.html")
    measured.write_text(text.replace("</body>", f"{script}</body>"), encoding="utf-8")
    found = re.search(r"<title>(\d+)</title>", _chromium(measured, width_px, 200, "--dump-dom"))
    return min(int(found[1]), TALLEST_PX) if found else TALLEST_PX


def _chromium(file: Path, width_px: int, height: int, *options: str) -> str:
    chromium = shutil.which("chromium") or sys.exit("There is no chromium on PATH.")
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    size = f"--window-size={width_px},{height}"
    done = subprocess.run(
        [*command, size, *options, file.as_uri()], capture_output=True, text=True, check=True
    )
    return html.unescape(done.stdout)


def main(folder: Path, names: list[str], *, unfold: bool) -> None:
    """Take all pictures of some samples."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        for name in names or SAMPLES:
            for theme in THEMES:
                file = Path(scratch, f"{name}.html")
                text = page(comment(SAMPLES[name]()), theme=theme, unfold=unfold)
                file.write_text(text, encoding="utf-8")
                for width_px in WIDTHS_PX:
                    picture = folder / f"{name}-{theme}-{width_px}.png"
                    height = height_px(file, width_px)
                    _chromium(file, width_px, height, f"--screenshot={picture.absolute()}")
                    print(picture)  # noqa: T201 - this is a command


if __name__ == "__main__":
    given = [each for each in sys.argv[1:] if each != "--open"]
    if not given:
        sys.exit(__doc__)
    main(Path(given[0]), given[1:], unfold="--open" in sys.argv)
