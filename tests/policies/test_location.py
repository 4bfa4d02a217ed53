"""Unit: what the pack consists of besides its rules."""

import json
import os
import re
from pathlib import Path

import pytest
import yaml

from policies import location
from policies.location import (
    HERE,
    INSTALL,
    PACK,
    PYTHON,
    config_file,
    is_installed,
)
from policies.rule import read_parameters
from policies.rules import RULES

ROOT = HERE.parent
CONFIGS = sorted((HERE / "config").glob("*.json"))
LEVELS = {"advisory", "mandatory", "disabled"}


def pins(file: Path) -> dict[str, str]:
    lines = re.findall(r"^([A-Za-z][\w-]*)==(\S+)$", file.read_text("utf-8"), flags=re.MULTILINE)
    return {name.lower().replace("_", "-"): version for name, version in lines}


def test_the_pack_is_an_executable() -> None:
    assert os.access(PACK, os.X_OK)


def test_the_pack_is_installed_once_there_is_what_it_runs_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(location, "PYTHON", tmp_path / "python")
    assert not is_installed()
    (tmp_path / "python").touch(mode=0o755)
    assert is_installed()


def test_the_pack_runs_with_the_python_that_is_looked_for_and_names_what_makes_it() -> None:
    script = PACK.read_text("utf-8")

    assert f'python="$pack/{PYTHON.relative_to(HERE)}"' in script
    assert f"`{INSTALL}`" in script.replace("\\", "")


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_a_configuration_is_of_a_stack_and_sets_what_there_is(file: Path) -> None:
    rules = {rule.name: rule for rule in RULES}

    assert (ROOT / "stacks" / f"Pulumi.{file.stem}.yaml").exists()
    for name, given in json.loads(file.read_text("utf-8")).items():
        document = dict(given) if isinstance(given, dict) else {"enforcementLevel": given}
        assert document.pop("enforcementLevel") in LEVELS
        if name != "all":
            read_parameters(rules[name], document)


def test_a_stack_has_the_configuration_of_its_name_whoever_owns_it() -> None:
    stack = CONFIGS[0].stem

    assert config_file(stack) == config_file(f"acme/daskfleet/{stack}") == CONFIGS[0]
    assert config_file("no-such-stack") is None


def test_the_pack_and_the_program_read_settings_with_the_same_packages() -> None:
    pack, program = pins(HERE / "requirements.in"), pins(ROOT / "requirements.in")
    shared = pack.keys() & program.keys()

    assert {"pulumi", "pydantic", "pyyaml"} <= shared
    assert {name: pack[name] for name in shared} == {name: program[name] for name in shared}


def test_the_directory_names_the_environment_that_make_makes() -> None:
    project = yaml.safe_load((HERE / "PulumiPolicy.yaml").read_text("utf-8"))

    assert project["runtime"]["options"]["virtualenv"] == ".venv"
    assert "policies/.venv/.installed:" in (ROOT / "Makefile").read_text("utf-8")
