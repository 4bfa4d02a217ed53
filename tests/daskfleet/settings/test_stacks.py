"""Unit tests: which stack file is meant."""

from pathlib import Path

import pytest

from daskfleet.settings.stacks import UnknownStackError, stack_file


def directory(path: Path, *stacks: str) -> Path:
    for stack in stacks:
        (path / f"Pulumi.{stack}.yaml").touch()
    (path / "schema.json").touch()
    return path


def test_the_only_stack_needs_no_name(tmp_path: Path) -> None:
    assert stack_file(directory(tmp_path, "dev"), None).name == "Pulumi.dev.yaml"


def test_among_several_none_is_guessed_and_all_are_listed(tmp_path: Path) -> None:
    with pytest.raises(UnknownStackError, match=r"--stack: dev, prod\."):
        stack_file(directory(tmp_path, "prod", "dev"), None)


@pytest.mark.parametrize("name", ["prod", "project/prod", "organisation/project/prod"])
def test_a_stack_is_named_as_pulumi_names_it(tmp_path: Path, name: str) -> None:
    assert stack_file(directory(tmp_path, "dev", "prod"), name).name == "Pulumi.prod.yaml"


@pytest.mark.parametrize("name", ["production", "", "../stacks/prod.", "*"])
def test_a_stack_without_a_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnknownStackError, match="there is dev, prod"):
        stack_file(directory(tmp_path, "dev", "prod"), name)


def test_a_directory_without_stack_files_says_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(UnknownStackError, match=r"write .*/Pulumi\.<stack>\.yaml"):
        stack_file(directory(tmp_path), None)
