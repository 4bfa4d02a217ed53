"""Unit tests: every kind of refusal names file, key, value, what is allowed, and the next step."""

import pytest

from tests.daskfleet.planning.documents import FILE, refused
from tests.daskfleet.planning.refusals import (
    capacity,
    hardware,
    keys,
    names,
    recycle,
    registry,
    shape,
    sleep,
    software,
    team_secrets,
    team_volumes,
    worker_groups,
    worker_pools,
)

REFUSALS = {
    **shape.REFUSALS,
    **hardware.REFUSALS,
    **software.REFUSALS,
    **names.REFUSALS,
    **capacity.REFUSALS,
    **worker_pools.REFUSALS,
    **sleep.REFUSALS,
    **team_secrets.REFUSALS,
    **team_volumes.REFUSALS,
    **recycle.REFUSALS,
    **keys.REFUSALS,
    **registry.REFUSALS,
    **worker_groups.REFUSALS,
}


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_refusal_names_file_key_value_what_is_allowed_and_the_next_step(kind: str) -> None:
    document, key, value, allowed, next_step = REFUSALS[kind]
    error = refused(document)
    assert [problem.key for problem in error.problems] == [key]
    assert f"1. {FILE}, daskfleet:{key}: {value}\n" in str(error)
    assert allowed in error.problems[0].allowed
    assert next_step in error.problems[0].next_step
    assert f"Allowed: {error.problems[0].allowed}\n" in str(error)
    assert f"Next step: {error.problems[0].next_step}" in str(error)
