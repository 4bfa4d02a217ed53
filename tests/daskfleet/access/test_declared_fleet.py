"""Unit: what commands take from the stack's outputs."""

import re
from typing import Any

import pytest

from components.outputs.fleet import fleet_outputs
from daskfleet.access.declared_fleet import declared_fleet, team_in
from daskfleet.access.errors import AccessError
from tests.components.fleets import fleet as planned
from tests.daskfleet.team.verify.samples import outputs

IMAGE = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"


def told(**team: Any) -> dict[str, Any]:
    return fleet_outputs(planned(teams=[{"name": "alpha", **team}]))


def test_what_the_program_exports_is_what_is_read() -> None:
    read = declared_fleet(told())
    team = team_in(read, "alpha")

    assert team.worker_resources == {"GPU": 1}
    assert read.pool(team.scheduler_pool).accelerator == "nvidia-tesla-t4"
    assert (team.namespace, team.service) == ("alpha", "dask")
    assert (team.scheduler_port, team.dashboard_port) == (8786, 8787)
    assert team.address_at(1234) == "tcp://127.0.0.1:1234"
    assert team.dashboard_at(1235) == "http://127.0.0.1:1235/status"
    assert team.jupyter is None


def test_the_protocol_of_the_address_stays() -> None:
    team = team_in(declared_fleet(told(tls={})), "alpha")

    assert team.address_at(1234) == "tls://127.0.0.1:1234"


def test_a_jupyterlab_is_known_where_the_team_has_one() -> None:
    jupyter = team_in(declared_fleet(told(image=IMAGE, jupyter={})), "alpha").jupyter

    assert jupyter is not None
    assert (jupyter.service, jupyter.port) == ("jupyter", 8888)


def test_outputs_of_the_first_release_are_enough_for_most_checks() -> None:
    document = outputs()
    for name in ("scheduler_fallback", "threads_per_worker", "worker_resources"):
        del document["teams"]["fraud"][name]

    assert declared_fleet(document).teams["fraud"].worker_resources is None


def test_a_stack_that_was_never_up_says_so() -> None:
    with pytest.raises(AccessError, match="no `pulumi up` has succeeded"):
        declared_fleet({})


def test_what_is_missing_is_named() -> None:
    with pytest.raises(AccessError, match=re.escape("teams.gone.address: Field required")):
        declared_fleet({"teams": {"gone": {"namespace": "gone"}}, "pools": []})


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (outputs(), "no team gone; it has: fraud."),
        ({"teams": {}, "pools": []}, "it has: none."),
        ({"teams": {}, "pools": [], "retired_teams": {"gone": {}}}, "Team gone is retired"),
    ],
)
def test_a_team_that_is_not_there_is_refused(document: dict[str, Any], words: str) -> None:
    with pytest.raises(AccessError, match=re.escape(words)):
        team_in(declared_fleet(document), "gone")
