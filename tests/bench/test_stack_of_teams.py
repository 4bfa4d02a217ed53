"""Unit tests: what is measured is a fleet that would be built."""

from pathlib import Path

import pytest

from bench.stack_of_teams import write_stack_file
from daskfleet.planning.fleet import plan_draft
from daskfleet.settings.stack_file import read_stack_file


@pytest.mark.parametrize("teams", [1, 10, 50, 100])
def test_a_measured_fleet_passes_every_check(tmp_path: Path, teams: int) -> None:
    file = tmp_path / "Pulumi.bench.yaml"
    write_stack_file(file, teams=teams)
    assert len(plan_draft(read_stack_file(file)).teams) == teams
