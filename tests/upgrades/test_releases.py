"""Unit: no release is forgotten, and every change of an upgrade has its reason."""

from pathlib import Path

import pytest

from tests.upgrades.planned_changes import LOSES, PRECIOUS
from tests.upgrades.releases import Release, check_out, releases, tagged_versions

RELEASES = pytest.mark.parametrize("release", releases(), ids=lambda release: release.version)


def test_every_tag_of_a_version_is_listed_with_its_commit() -> None:
    listed = {release.version: release.commit for release in releases()}

    assert tagged_versions().items() <= listed.items()


def test_a_clone_without_the_history_says_how_to_get_it(tmp_path: Path) -> None:
    nowhere = Release(version="v9.9.9", commit="0" * 40, changes=())

    with pytest.raises(AssertionError, match="fetch the history"):
        check_out(nowhere, tmp_path)


@RELEASES
def test_the_changelog_has_the_release(release: Release) -> None:
    changelog = Path("CHANGELOG.md").read_text("utf-8")

    assert f"## {release.version.removeprefix('v')} " in changelog


@RELEASES
def test_no_release_accepts_the_loss_of_what_nobody_may_lose(release: Release) -> None:
    accepted = [each for each in release.changes if each.type in PRECIOUS]

    assert [each for each in accepted if each.operation in LOSES] == []
