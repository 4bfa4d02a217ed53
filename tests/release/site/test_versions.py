"""The site of two releases and what comes next, built from tags by Sphinx; unit tier."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from release.site import versions
from release.site.versions import VARIABLE, shown_in, versions_among
from tests.project import PROJECT_DIR

SPHINX = PROJECT_DIR / "docs" / ".venv" / "bin" / "python"
NAVIGATION = '''"""A site of two pages."""
HOME = "README"
NAVIGATION = {"For readers": ("docs/README",)}
def tree_below(page: str) -> str:
    return "\\n\\n```{toctree}\\n:hidden:\\n\\ndocs/README\\n```\\n" if page == HOME else ""
'''
GIT = shutil.which("git") or "git"
LINK = re.compile(r'<nav class="versions".*?</nav>', re.DOTALL)


def test_versions_are_ordered_by_number_and_other_tags_are_none() -> None:
    tags = ["v0.9.0", "v0.10.0", "v1.0.0-rc1", "vault", "v0.2.0"]
    assert versions_among(tags) == ("main", "v0.10.0", "v0.9.0", "v0.2.0")


def test_one_version_alone_shows_no_list() -> None:
    assert shown_in({})["versions"] == []


def test_a_page_of_a_release_leads_back_to_the_root() -> None:
    shown = shown_in({VARIABLE: "v0.2.0 main v0.2.0"})
    assert shown["to_root"] == "../"
    assert shown["versions"] == [("main", ""), ("v0.2.0", "v0.2.0/")]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with two releases, a tag from before there was a site, and one commit more."""
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    _commit(root, "before the site", tag="v0.0.9", first=True)
    shutil.copytree(
        PROJECT_DIR / "release", root / "release", ignore=shutil.ignore_patterns("__pycache__")
    )
    (root / "release" / "site" / "navigation.py").write_text(NAVIGATION, "utf-8")
    for text, tag in (("first", "v0.1.0"), ("second", "v0.2.0"), ("next", "")):
        project = f'[project]\nname = "daskfleet"\nversion = "{tag[1:] or "0.3.0"}"\n'
        (root / "pyproject.toml").write_text(project, "utf-8")
        (root / "README.md").write_text(f"# Front\n\nThis is the {text} one.\n", "utf-8")
        (root / "docs" / "README.md").write_text("# Within\n\n[Front](../README.md)\n", "utf-8")
        _commit(root, text, tag=tag)
    return root


def _commit(root: Path, message: str, *, tag: str, first: bool = False) -> None:
    as_somebody = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=no")
    words: list[tuple[str, ...]] = [("init", "--quiet")] if first else []
    words += [("add", "."), (*as_somebody, "commit", "-qm", message, "--allow-empty")]
    words += [("-c", "tag.gpgsign=no", "tag", tag)] if tag else []
    for each in words:
        subprocess.run([GIT, *each], cwd=root, check=True)


def test_a_tag_that_nobody_has_merged_is_no_version(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run([GIT, "checkout", "--quiet", "--detach"], cwd=repository, check=True)
    _commit(repository, "of somebody who may push tags", tag="v9.9.9")
    subprocess.run([GIT, "checkout", "--quiet", "-"], cwd=repository, check=True)
    monkeypatch.setattr(versions, "_build", lambda *_: None)

    assert versions.build(repository, tmp_path / "site") == ("main", "v0.2.0", "v0.1.0")


def test_each_tag_has_its_pages_and_every_page_leads_to_the_same_of_others(
    repository: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    done = subprocess.run(
        [str(SPHINX), "-m", "release.site.versions", str(site)],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["main", "v0.2.0", "v0.1.0"]

    fronts = {"": "next", "v0.2.0/": "second", "v0.1.0/": "first"}
    for version, text in fronts.items():
        assert f"This is the {text} one." in (site / version / "index.html").read_text("utf-8")
        for page in ("index.html", "docs/README.html"):
            file = site / version / page
            (nav,) = LINK.findall(file.read_text("utf-8"))
            links = re.findall(r'href="([^"]+)"', nav)
            assert len(links) == 2
            led_to = {(file.parent / link).resolve() for link in links}
            assert led_to == {(site / v / "index.html").resolve() for v in fronts if v != version}
            assert nav.count("<strong") == 1
