"""What contributors get: hooks before a commit, and a form for what is wrong."""

import json
import re
import tomllib
from typing import Any

import yaml
from packaging.specifiers import SpecifierSet

from tests.project import PROJECT_DIR
from tests.workflows.files import GITHUB

HOOKS: dict[str, Any] = yaml.safe_load((PROJECT_DIR / ".pre-commit-config.yaml").read_text("utf-8"))
MAKEFILE = (PROJECT_DIR / "Makefile").read_text("utf-8")
OF_HOOKS_ONLY = " --force-exclude"
"""Files that ruff skips are skipped too when they are named."""


def entries() -> list[str]:
    (local,) = HOOKS["repos"]
    return [hook["entry"] for hook in local["hooks"]]


def test_hooks_bring_no_tools_of_their_own() -> None:
    (local,) = HOOKS["repos"]

    assert local["repo"] == "local"
    assert {hook["language"] for hook in local["hooks"]} == {"system"}
    assert not any("additional_dependencies" in hook for hook in local["hooks"])


def test_each_hook_is_a_line_of_make_check() -> None:
    recipe = MAKEFILE.partition("\ncheck: ")[2].partition("\n\n")[0].replace("$(BIN)", ".venv/bin")
    lines = [line.strip() for line in recipe.splitlines()[1:]]

    for entry in entries():
        command = entry.removesuffix(OF_HOOKS_ONLY)
        assert any(line.startswith(command) for line in lines), entry


def test_what_is_left_out_of_the_hooks_is_said() -> None:
    text = (PROJECT_DIR / ".pre-commit-config.yaml").read_text("utf-8")
    recipe = MAKEFILE.partition("\ncheck: ")[2].partition("\n\n")[0]
    tools = set(re.findall(r"\$\(BIN\)/([a-z-]+)", recipe)) - {"python"}

    assert all(tool in text for tool in tools)


def test_the_form_asks_for_a_version_and_sends_vulnerabilities_elsewhere() -> None:
    form = yaml.safe_load((GITHUB / "ISSUE_TEMPLATE/bug.yml").read_text("utf-8"))
    asked = {each["id"]: each for each in form["body"] if each["type"] != "markdown"}

    assert {"name", "description", "body"} <= form.keys()
    assert "SECURITY.md" in form["body"][0]["attributes"]["value"]
    assert {"version", "done", "seen"} <= asked.keys()
    assert all(each["validations"]["required"] for each in asked.values())
    assert len(asked) == len(form["body"]) - 1


def test_every_form_can_be_filled_in() -> None:
    forms = sorted((GITHUB / "ISSUE_TEMPLATE").glob("*.yml"))
    assert [form.stem for form in forms] == ["bug", "idea"]
    for path in forms:
        form = yaml.safe_load(path.read_text("utf-8"))
        asked = [each["id"] for each in form["body"] if each["type"] != "markdown"]
        assert {"name", "description", "body"} <= form.keys()
        assert len(asked) == len(set(asked)) > 0


def test_the_container_for_development_sets_up_what_the_makefile_does() -> None:
    # Its schema (containers.dev) is in no package here; its keys were compared by hand.
    container = json.loads((PROJECT_DIR / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    make, target = container["postCreateCommand"].split()
    assert make == "make"
    assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)
    assert container["remoteEnv"]["PATH"].startswith("${containerWorkspaceFolder}/.venv/bin:")
    _, _, tag = container["image"].rpartition("/python:")
    needed = tomllib.loads((PROJECT_DIR / "pyproject.toml").read_text())["project"]
    assert tag.partition("-")[0] in SpecifierSet(needed["requires-python"])
