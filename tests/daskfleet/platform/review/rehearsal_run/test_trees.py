"""Unit: the files of a revision; with a real git."""

from pathlib import Path

import pytest

from daskfleet.platform.review.rehearsal_run.revisions import Revision
from daskfleet.platform.review.rehearsal_run.trees import private_folder, write_tree
from tests.daskfleet.platform.review.rehearsal_run.repositories import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


def files(tree: Path) -> dict[str, str]:
    """Every file by its path."""
    found = sorted(path for path in tree.rglob("*") if path.is_file())
    return {str(path.relative_to(tree)): path.read_text() for path in found}


def everything_in(directory: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def test_a_commits_files_are_as_they_were_and_the_repository_is_left_alone(
    repository: Repository, tmp_path: Path
) -> None:
    commit = repository.commit(a_txt="old", stacks__Pulumi_dev_yaml="config: {}")
    repository.commit(a_txt="new")
    repository.write(a_txt="newer")
    before = everything_in(repository.directory)

    tree = write_tree(Revision(commit=commit), tmp_path / "tree", project_dir=repository.directory)

    assert files(tree) == {"a.txt": "old", "stacks/Pulumi.dev.yaml": "config: {}"}
    assert everything_in(repository.directory) == before


def test_a_working_tree_has_what_is_changed_and_new_and_not_what_is_deleted_or_ignored(
    repository: Repository, tmp_path: Path
) -> None:
    commit = repository.commit(_gitignore="*.log\n", a_txt="old", b_txt="kept", c_txt="goes")
    repository.write(a_txt="changed", d_txt="new", run_log="noise")
    (repository.directory / "c.txt").unlink()

    tree = write_tree(
        Revision(commit=commit, is_working_tree=True),
        tmp_path / "tree",
        project_dir=repository.directory,
    )

    assert files(tree) == {
        ".gitignore": "*.log\n",
        "a.txt": "changed",
        "b.txt": "kept",
        "d.txt": "new",
    }


def test_links_stay_links(repository: Repository, tmp_path: Path) -> None:
    repository.write(a_txt="text")
    (repository.directory / "link").symlink_to("a.txt")
    commit = repository.commit()

    for number, is_working_tree in enumerate((False, True)):
        revision = Revision(commit=commit, is_working_tree=is_working_tree)
        tree = write_tree(revision, tmp_path / str(number), project_dir=repository.directory)
        assert (tree / "link").readlink() == Path("a.txt")


@pytest.mark.parametrize("is_working_tree", [False, True])
def test_a_project_below_the_root_of_its_repository_is_written_alone(
    repository: Repository, tmp_path: Path, *, is_working_tree: bool
) -> None:
    commit = repository.commit(other_txt="not ours", project__a_txt="ours")

    tree = write_tree(
        Revision(commit=commit, is_working_tree=is_working_tree),
        tmp_path / "tree",
        project_dir=repository.directory / "project",
    )

    assert files(tree) == {"a.txt": "ours"}


def test_the_private_folder_is_the_owners_alone() -> None:
    with private_folder() as folder:
        assert folder.stat().st_mode & 0o077 == 0


def test_the_private_folder_is_gone_however_the_block_ends() -> None:
    folders: list[Path] = []

    def interrupted() -> None:
        with private_folder() as folder:
            (folder / "deep").mkdir()
            folders.append(folder)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not folders[0].exists()
