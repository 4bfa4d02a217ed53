"""Unit: what a connection takes from the stack's outputs."""

import re
from typing import Any

import pytest

from components.outputs.team import team_output
from daskfleet.team.connect.declared import declared_team
from daskfleet.team.connect.errors import ConnectError
from tests.components.fleets import alpha

OUTPUT: dict[str, Any] = dict(team_output(alpha()))
NAME = OUTPUT["namespace"]


def test_the_output_of_this_program_says_all_that_is_needed() -> None:
    team = declared_team({"teams": {NAME: OUTPUT}}, NAME)

    assert (team.namespace, team.service) == (NAME, "dask")
    assert (team.scheduler_port, team.dashboard_port) == (8786, 8787)
    assert team.address_at(1234) == "tcp://127.0.0.1:1234"
    assert team.dashboard_at(1235) == "http://127.0.0.1:1235/status"


def test_the_protocol_of_the_address_stays() -> None:
    output = {**OUTPUT, "address": OUTPUT["address"].replace("tcp:", "tls:")}

    assert declared_team({"teams": {NAME: output}}, NAME).address_at(1234) == "tls://127.0.0.1:1234"


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ({}, "Run `pulumi up` first"),
        ({"teams": {"fraud": OUTPUT, "climate": OUTPUT}}, "it has: climate, fraud."),
        ({"teams": {}, "retired_teams": {"gone": {}}}, "Team gone is retired"),
        ({"teams": {"gone": {"namespace": "gone"}}}, "address: Field required"),
    ],
)
def test_what_is_missing_is_named(outputs: dict[str, Any], words: str) -> None:
    with pytest.raises(ConnectError, match=re.escape(words)):
        declared_team(outputs, "gone")


def test_a_jupyterlab_is_known_where_the_team_has_one() -> None:
    image = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"
    output = dict(team_output(alpha(image=image, jupyter={})))
    jupyter = declared_team({"teams": {NAME: output}}, NAME).jupyter

    assert jupyter is not None
    assert (jupyter.service, jupyter.port) == ("jupyter", 8888)
    assert declared_team({"teams": {NAME: OUTPUT}}, NAME).jupyter is None
