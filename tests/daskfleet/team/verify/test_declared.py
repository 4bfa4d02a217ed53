"""Unit: the stack's outputs as the checks read them."""

import pytest

from daskfleet.team.verify.declared import declared_fleet
from daskfleet.team.verify.errors import VerifyError
from tests.components.fleets import fleet as planned
from tests.daskfleet.team.verify.samples import fleet, outputs


def test_what_the_program_exports_is_what_is_read() -> None:
    from components.outputs.fleet import fleet_outputs  # noqa: PLC0415 - verify itself may not know it

    read = declared_fleet(fleet_outputs(planned()))

    assert read.teams["alpha"].worker_resources == {"GPU": 1}
    assert read.pool(read.teams["alpha"].scheduler_pool).accelerator == "nvidia-tesla-t4"


def test_outputs_of_the_first_release_are_enough_for_most_checks() -> None:
    document = outputs()
    for name in ("scheduler_fallback", "threads_per_worker", "worker_resources"):
        del document["teams"]["fraud"][name]

    assert declared_fleet(document).teams["fraud"].worker_resources is None


def test_a_stack_that_was_never_up_says_so() -> None:
    with pytest.raises(VerifyError, match="no `pulumi up` has succeeded"):
        declared_fleet({})


def test_a_team_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(VerifyError, match="no team sales; it has: fraud"):
        fleet().chosen("sales")
