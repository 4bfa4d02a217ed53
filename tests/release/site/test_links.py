"""Unit: which links of a page the site keeps."""

from pathlib import Path

import pytest

from release.site.links import within_site


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("see [the page](a.md#there)", "see [the page](a.md#there)"),
        ("see [`tests`](tests) and [b](tests/b.md)", "see `tests` and b"),
        ("see [[1]](tests)", "see [1]"),
        ("[the code](code.py), [away](https://example.com/x)", None),
        ("![a picture](a.png)", None),
        ("[a mistake](nowhere.md) stays, for the build to find", None),
        ("```console\n$ [not](tests)\n```\n", None),
    ],
)
def test_links_that_only_github_can_follow_are_words(
    tmp_path: Path, written: str, read: str | None
) -> None:
    (tmp_path / "tests").mkdir()
    for file in ("a.md", "tests/b.md", "code.py", "a.png"):
        (tmp_path / file).touch()
    site = within_site(written, folder=tmp_path, is_page=lambda file: file.name == "a.md")
    assert site == (written if read is None else read)
