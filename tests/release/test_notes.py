"""Unit: the notes of a release are what the changelog says of its version."""

from pathlib import Path

import pytest

from release.notes import NoReleaseError, main, notes
from release.project import Project, project
from tests.project import PROJECT_DIR

OURS = Project(name="daskfleet", version="1.2.0")
URL = "https://github.com/example/daskfleet/blob/v1.2.0"
CHANGELOG = """# Changelog

## 1.3.0 (unreleased)

- Later.

## 1.2.0 (2026-12-01)

### Fixed
- One thing ([0035](docs/decisions/0035.md), [Dask](https://dask.org), [below](#x)).

## 1.1.0 (2026-11-21)

- Earlier.
"""
UNDATED = CHANGELOG.replace("(2026-12-01)", "(unreleased)")


def test_they_are_cut_between_two_headings_and_their_links_lead_to_the_tag() -> None:
    assert notes(CHANGELOG, tag="v1.2.0", of=OURS, url=URL) == (
        "### Fixed\n"
        f"- One thing ([0035]({URL}/docs/decisions/0035.md), "
        "[Dask](https://dask.org), [below](#x)).\n"
    )


def test_the_oldest_release_ends_with_the_file() -> None:
    oldest = Project(name="daskfleet", version="1.1.0")

    assert notes(CHANGELOG, tag="v1.1.0", of=oldest, url=URL) == "- Earlier.\n"


@pytest.mark.parametrize(
    ("changelog", "tag", "said"),
    [
        (CHANGELOG, "v1.2.1", "version is 1.2.0, and the tag is v1.2.1. Allowed: v1.2.0"),
        (CHANGELOG, "1.2.0", "the tag is 1.2.0. Allowed: v1.2.0"),
        (UNDATED, "v1.2.0", "## 1.2.0 (unreleased) has no date"),
        ("# Changelog\n", "v1.2.0", "no heading for 1.2.0"),
        (CHANGELOG.replace("1.2.0", "1.2.00"), "v1.2.0", "no heading for 1.2.0"),
        ("## 1.2.0 (2026-12-01)\n\n## 1.1.0 (2026-11-21)\n", "v1.2.0", "says nothing below"),
    ],
)
def test_a_tag_without_such_a_release_is_refused(changelog: str, tag: str, said: str) -> None:
    with pytest.raises(NoReleaseError) as refused:
        notes(changelog, tag=tag, of=OURS, url=URL)

    assert said in str(refused.value)
    assert "Next step: " in str(refused.value)


def test_a_version_of_development_is_no_release() -> None:
    coming = Project(name="daskfleet", version="1.3.0.dev0")

    with pytest.raises(NoReleaseError, match=r"1\.3\.0\.dev0 is that of no release"):
        notes(CHANGELOG, tag="v1.3.0.dev0", of=coming, url=URL)


def test_the_command_prints_them_or_says_why_not_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("release.notes.project", lambda: OURS)
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(CHANGELOG, "utf-8")

    assert main(["v1.2.0", URL + "/"], changelog) == 0
    assert capsys.readouterr().out.startswith(f"### Fixed\n- One thing ([0035]({URL}/docs/")
    assert main(["v0.0.0", URL], changelog) == 1
    assert capsys.readouterr().err.startswith("release: pyproject.toml: version is 1.2.0")
    assert main([]) == 2


def test_the_changelog_of_this_project_has_the_version_of_this_project() -> None:
    changelog = (PROJECT_DIR / "CHANGELOG.md").read_text("utf-8")
    base = project().version.partition(".dev")[0]

    assert f"\n## {base} (" in changelog
