"""Unit: the project's pack, as a stack configures it."""

from pathlib import Path

import pytest

from review.policy_packs import own_pack


@pytest.mark.parametrize("stack", ["prod", "organization/daskfleet/prod"])
def test_a_stack_with_a_configuration_of_its_own_takes_it(tmp_path: Path, stack: str) -> None:
    config = tmp_path / "policies" / "config" / "prod.json"
    config.parent.mkdir(parents=True)
    config.write_text("{}")

    assert own_pack(stack, tmp_path).config == config
    assert own_pack("dev", tmp_path).config is None
    assert own_pack("dev", tmp_path).path == tmp_path / "policies" / "pack"
