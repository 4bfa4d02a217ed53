"""Unit tests: the stack files of this repository pass every check."""

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from daskfleet.planning.fleet import plan_draft
from daskfleet.settings.schema import FILE, stack_file_schema
from daskfleet.settings.stack_file import read_stack_file
from daskfleet.stack_text.read import read_file
from tests.daskfleet.planning.documents import pods_on

STACKS = {
    name: FILE.parent / f"Pulumi.{name}.yaml" for name in ("dev", "prod", "rehearsal", "shared-vpc")
}


@pytest.mark.parametrize("file", STACKS.values(), ids=STACKS)
def test_a_stack_file_fits_the_schema_that_its_first_line_names(file: Path) -> None:
    text = file.read_text("utf-8")
    assert text.startswith("# yaml-language-server: $schema=schema.json\n")
    errors = Draft202012Validator(stack_file_schema()).iter_errors(read_file(file).content)
    assert [error.message for error in errors] == []


@pytest.mark.parametrize("file", STACKS.values(), ids=STACKS)
def test_a_stack_file_plans(file: Path) -> None:
    plan = plan_draft(read_stack_file(file))
    assert sum(map(pods_on, plan.placement)) == sum(1 + team.team.workers for team in plan.teams)


def test_the_rehearsal_s_teams_share_a_t4_and_use_a_fixed_and_an_autoscaled_pool() -> None:
    plan = plan_draft(read_stack_file(STACKS["rehearsal"]))
    assert pods_on(plan.placement[0]) == len(plan.teams) == 2
    assert len(plan.placement[0].nodes) == 1
    assert {team.worker_pool.autoscaling is None for team in plan.teams} == {True, False}
    assert all(team.worker_pool.accelerator == "nvidia-tesla-a100" for team in plan.teams)
    assert plan.warnings == ()
