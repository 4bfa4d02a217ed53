"""Unit: the project's pack, as a stack configures it."""

import pytest

from policies.location import HERE, PACK
from review.policy_packs import own_pack


@pytest.mark.parametrize("stack", ["prod", "organization/daskfleet/prod"])
def test_a_stack_with_a_configuration_of_its_own_takes_it(stack: str) -> None:
    assert own_pack(stack).config == HERE / "config" / "prod.json"
    assert own_pack("dev").config is None
    assert own_pack("dev").path == PACK
