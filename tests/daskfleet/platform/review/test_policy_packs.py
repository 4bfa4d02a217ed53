"""Unit: the project's pack, as a stack configures it."""

import pytest

from daskfleet.platform.review.policy_packs import flags, own_pack
from policies.location import HERE, PACK


@pytest.mark.parametrize("stack", ["prod", "organization/daskfleet/prod"])
def test_a_stack_with_a_configuration_of_its_own_takes_it(stack: str) -> None:
    assert own_pack(stack).config == HERE / "config" / "prod.json"
    assert own_pack("dev").config is None
    assert own_pack("dev").path == PACK


def test_a_stack_with_a_configuration_is_judged_by_it() -> None:
    none = HERE / "none.json"
    config = HERE / "config" / "prod.json"

    assert list(flags([own_pack("prod")], no_config=none)) == [
        f"--policy-pack={PACK}",
        f"--policy-pack-config={config}",
    ]
    assert list(flags([own_pack("dev")], no_config=none)) == [f"--policy-pack={PACK}"]
