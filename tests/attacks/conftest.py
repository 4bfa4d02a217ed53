"""A real API server for the attacks, and a team on it whose members may make Dask clusters."""

from collections.abc import Iterator

import pytest

from rehearsal.control_plane import ControlPlane
from tests.attacks.operators_reach import OperatorsReach, operators_reach
from tests.attacks.team_of_members import MEMBER, TeamOfMembers, team_of_members
from tests.components.fleets import alpha
from tests.rehearsal.conftest import binaries, control_plane

__all__ = ["binaries", "control_plane"]


@pytest.fixture(scope="session")
def team(control_plane: ControlPlane) -> Iterator[TeamOfMembers]:
    """Give team alpha, with room for two workers of own clusters."""
    plan = alpha(labels={"cost-center": "cc-1"}, members=[MEMBER], ephemeral={"max_workers": 2})
    with team_of_members(control_plane, plan) as made:
        yield made


@pytest.fixture(scope="session")
def operator(control_plane: ControlPlane) -> Iterator[OperatorsReach]:
    """Give the operator's account, and no team yet."""
    with operators_reach(control_plane) as made:
        yield made
