"""Unit: the program's components are known to be a team's, or are the fleet's."""

import pytest

from daskfleet.platform.release_team.owned import TEAM, TEAM_COMPONENTS
from tests.recorded_program import record
from tests.setting_changes import BASE


def test_components_that_bear_a_teams_name_are_the_teams(monkeypatch: pytest.MonkeyPatch) -> None:
    components = [each for each in record(BASE, monkeypatch).registrations if not each.is_custom]
    teams = {each.name for each in components if each.type == TEAM}
    assert {each.type for each in components if each.name in teams} == TEAM_COMPONENTS
