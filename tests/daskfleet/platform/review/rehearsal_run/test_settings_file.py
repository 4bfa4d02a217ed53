"""Unit: a stack file as it is rehearsed."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from daskfleet.platform.review.rehearsal_run.settings_file import not_rehearsed, write_for_rehearsal


def rehearsed(document: Any, directory: Path) -> Any:
    source, copy = directory / "Pulumi.dev.yaml", directory / "settings.yaml"
    source.write_text(yaml.safe_dump(document))
    write_for_rehearsal(source, copy)
    return yaml.safe_load(copy.read_text())


@pytest.mark.parametrize("key", ["daskfleet:teams", "teams"])
def test_no_wait_is_longer_than_two_minutes_and_nothing_else_differs(
    key: str, tmp_path: Path
) -> None:
    teams = [
        {"name": "a", "workers": 2},
        {"name": "b", "ready_timeout_s": 3600},
        {"name": "c", "ready_timeout_s": 30},
    ]
    document = {"config": {"daskfleet:project": "p", key: teams}, "encryptionsalt": "v1:x"}

    found = rehearsed(document, tmp_path)

    assert [team["ready_timeout_s"] for team in found["config"][key]] == [120, 120, 30]
    found["config"][key] = [
        {name: value for name, value in team.items() if name != "ready_timeout_s"}
        for team in found["config"][key]
    ]
    document["config"][key] = [  # type: ignore[index]
        {name: value for name, value in team.items() if name != "ready_timeout_s"} for team in teams
    ]
    assert found == document


@pytest.mark.parametrize(
    "document",
    [
        None,
        [1],
        {"config": None},
        {"config": {"daskfleet:teams": "none"}},
        {"config": {"daskfleet:teams": ["a"]}},
        {"config": {"daskfleet:teams": [{"name": "a", "ready_timeout_s": "soon"}]}},
    ],
)
def test_what_is_no_settings_is_left_for_whoever_says_what_is_wrong(
    document: Any, tmp_path: Path
) -> None:
    assert rehearsed(document, tmp_path) == document


def test_what_is_no_yaml_is_copied_as_it_is(tmp_path: Path) -> None:
    source, copy = tmp_path / "source", tmp_path / "copy"
    source.write_bytes(b"config: [\xff")

    write_for_rehearsal(source, copy)

    assert copy.read_bytes() == source.read_bytes()


def test_what_the_project_gives_its_stacks_is_rehearsed_too(tmp_path: Path) -> None:
    (tmp_path / "stacks").mkdir()
    (tmp_path / "Pulumi.yaml").write_text(
        "stackConfigDir: stacks\n"
        "config: {teams: {default: [{name: a}]}, cluster: {default: {endpoint: {kind: ip}}}}"
    )
    source, copy = tmp_path / "stacks" / "Pulumi.prod.yaml", tmp_path / "copy"
    source.write_text("config: {}")
    head = tmp_path / "stacks" / "Pulumi.other.yaml"
    head.write_text("config: {daskfleet:cluster: {endpoint: {kind: dns}}}")

    write_for_rehearsal(source, copy)

    config = yaml.safe_load(copy.read_text())["config"]
    assert config == {"daskfleet:teams": [{"name": "a", "ready_timeout_s": 120}]}
    assert not_rehearsed(source, head) == ("daskfleet:cluster.endpoint",)


def test_settings_that_a_rehearsal_has_its_own_values_for_are_named_when_they_change(
    tmp_path: Path,
) -> None:
    base, head = tmp_path / "base", tmp_path / "head"
    base.write_text("config: {daskfleet:cluster: {name: a, endpoint: {kind: dns}}}")
    head.write_text("config: {daskfleet:cluster: {name: b}, daskfleet:operator: {chart: ./x}}")

    assert not_rehearsed(base, base) == ()
    assert not_rehearsed(base, head) == ("daskfleet:cluster.endpoint", "daskfleet:operator.chart")
