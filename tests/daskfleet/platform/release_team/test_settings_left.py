"""Unit: where the team's entry is, by a stack file and the project's defaults."""

from pathlib import Path

import pytest

from daskfleet.platform.release_team.settings_left import LeftSettings, settings_left

PROJECT = "name: daskfleet\nruntime: python\nstackConfigDir: stacks\n"
ROOM = "  daskfleet:scheduler_pool: {node_count: 2}\n"
TEAMS = "[{name: fraud, workers: 1}, {name: climate, workers: 1}]"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "stacks").mkdir()
    (tmp_path / "Pulumi.yaml").write_text(PROJECT)
    return tmp_path


def left(project: Path, stack: str) -> LeftSettings:
    folder = project / "stacks"
    settings = f"config:\n  daskfleet:project: acme-prod\n{ROOM}{stack}"
    (folder / "Pulumi.prod.yaml").write_text(settings)
    return settings_left(folder, "prod", "climate")


def test_an_entry_of_the_stack_file_has_lines(project: Path) -> None:
    found = left(
        project,
        "  daskfleet:teams:\n"
        "    - {name: fraud, workers: 1}\n"
        "    - name: climate\n"
        "      workers: 1\n",
    )
    assert found.entry is not None
    assert (found.entry.first_line, found.entry.last_line) == (6, 7)
    assert found.file_of_entry is None


def test_an_entry_among_the_projects_defaults_is_in_its_file(project: Path) -> None:
    file = project / "Pulumi.yaml"
    file.write_text(f"{PROJECT}config:\n  teams:\n    default: {TEAMS}\n")
    found = left(project, "")
    assert (found.entry, found.file_of_entry) == (None, str(file))


def test_an_entry_behind_a_merge_key_is_in_the_stack_file(project: Path) -> None:
    found = left(
        project,
        "  daskfleet:teams:\n"
        "    - {name: fraud, workers: 1}\n"
        "    - <<: {name: climate, workers: 1}\n",
    )
    assert (found.entry, found.file_of_entry) == (None, str(found.file))


def test_a_team_that_is_gone_from_the_file_is_nowhere(project: Path) -> None:
    found = left(project, "  daskfleet:teams: [{name: fraud, workers: 1}]\n")
    assert (found.entry, found.file_of_entry) == (None, None)


def test_teams_behind_a_merge_key_are_in_the_stack_file(project: Path) -> None:
    folder = project / "stacks"
    (folder / "Pulumi.prod.yaml").write_text(
        f"base: &base\n  daskfleet:teams: {TEAMS}\n"
        f"config:\n  <<: *base\n  daskfleet:project: acme-prod\n{ROOM}"
    )
    found = settings_left(folder, "prod", "climate")
    assert (found.entry, found.file_of_entry) == (None, str(found.file))


def test_lines_that_others_are_made_of_are_not_to_be_cut_out(project: Path) -> None:
    found = left(
        project,
        "  daskfleet:teams:\n"
        "    - &usual\n"
        "      name: climate\n"
        "      workers: 1\n"
        "    - <<: *usual\n"
        "      name: fraud\n",
    )
    assert found.entry is not None
    assert (found.entry.first_line, found.entry.lines) == (5, ())
