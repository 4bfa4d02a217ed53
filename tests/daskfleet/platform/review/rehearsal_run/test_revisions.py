"""Unit: which two states of a repository somebody means; with a real git."""

from pathlib import Path

import pytest

from daskfleet.platform.review.rehearsal_run.errors import RevisionError
from daskfleet.platform.review.rehearsal_run.revisions import Revision, Revisions, read_revisions
from tests.daskfleet.platform.review.rehearsal_run.repositories import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


def test_two_dots_compare_the_two_as_they_are(repository: Repository) -> None:
    base, head = repository.commit(a_txt="1"), repository.commit(a_txt="2")

    found = read_revisions("main~1..main", repository.directory)

    assert found == Revisions(base=Revision(commit=base), head=Revision(commit=head))


def test_three_dots_begin_where_the_branch_left(repository: Repository) -> None:
    left = repository.commit(a_txt="1")
    repository.git("switch", "--quiet", "--create", "change")
    head = repository.commit(b_txt="1")
    repository.git("switch", "--quiet", "main")
    repository.commit(a_txt="2")

    found = read_revisions("main...change", repository.directory)

    assert (found.base.commit, found.head.commit) == (left, head)


@pytest.mark.parametrize("text", ["main~1", "main~1..", "main~1...", " main~1.. "])
def test_without_an_end_it_is_the_working_tree(repository: Repository, text: str) -> None:
    base, head = repository.commit(a_txt="1"), repository.commit(a_txt="2")
    repository.write(a_txt="3")

    found = read_revisions(text, repository.directory)

    assert found.base == Revision(commit=base)
    assert found.head == Revision(commit=head, is_working_tree=True)
    assert str(found.head) == f"{head[:12]} with uncommitted changes"


def test_a_new_file_is_a_change_and_an_ignored_one_is_none(repository: Repository) -> None:
    repository.commit(_gitignore="*.log\n")
    repository.write(run_log="noise")
    assert not read_revisions("main", repository.directory).head.is_working_tree

    repository.write(new_txt="1")
    assert read_revisions("main", repository.directory).head.is_working_tree


def test_a_commit_that_the_clone_does_not_have_is_named_with_the_way_to_it(
    repository: Repository,
) -> None:
    repository.commit(a_txt="1")

    with pytest.raises(
        RevisionError, match=r"nowhere is not a commit .*`git fetch origin nowhere`"
    ):
        read_revisions("nowhere..main", repository.directory)


def test_histories_without_a_common_beginning_are_named(repository: Repository) -> None:
    repository.commit(a_txt="1")
    repository.git("switch", "--quiet", "--orphan", "other")
    repository.commit(b_txt="1")

    with pytest.raises(RevisionError, match="no common ancestor"):
        read_revisions("main...other", repository.directory)


@pytest.mark.parametrize("text", ["", "..", "..main", "...main", "a..b..c", "a....b"])
def test_what_names_no_two_commits_is_refused_with_an_example(
    repository: Repository, text: str
) -> None:
    with pytest.raises(RevisionError, match=r"BASE\.\.HEAD"):
        read_revisions(text, repository.directory)


def test_a_revision_is_never_taken_for_an_option_of_git(repository: Repository) -> None:
    repository.commit(a_txt="1")

    with pytest.raises(RevisionError, match="is not a commit"):
        read_revisions("--all..main", repository.directory)


def test_outside_of_a_repository_gits_own_words_are_told(tmp_path: Path) -> None:
    with pytest.raises(RevisionError, match="main is not a commit"):
        read_revisions("main..main", tmp_path)
