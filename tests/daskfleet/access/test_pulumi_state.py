"""Unit: no command asks Pulumi for what is secret in a stack's state."""

import json
from pathlib import Path

import pytest

from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import fleet_of_stack
from daskfleet.access.pulumi_state import export_state, stack_outputs
from tests.project import PROJECT_DIR

STATE = {
    "deployment": {
        "resources": [
            {
                "type": "pulumi:pulumi:Stack",
                "urn": "urn:pulumi:prod::daskfleet::pulumi:pulumi:Stack::daskfleet-prod",
                "outputs": {"teams": {}},
            }
        ]
    }
}


def test_the_state_is_read_with_its_secrets_encrypted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pulumi = tmp_path / "pulumi"
    asked = tmp_path / "asked"
    pulumi.write_text(f"#!/bin/sh\necho \"$@\" >> {asked}\necho '{json.dumps(STATE)}'\n")
    pulumi.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    assert stack_outputs(export_state(tmp_path, "prod")) == ("prod", {"teams": {}})
    with pytest.raises(AccessError, match="pulumi up"):  # the state has no way into a cluster
        fleet_of_stack(tmp_path, "prod")
    assert asked.read_text() == "stack export --stack prod --non-interactive --color=never\n" * 2


def test_no_source_of_ours_asks_for_more() -> None:
    sources = [
        file
        for folder in ("daskfleet", "components", "manifests", "in_cluster", "policies", ".github")
        for file in (PROJECT_DIR / folder).rglob("*")
        if file.suffix in {".py", ".yml", ".yaml", ".sh"} and ".venv" not in file.parts
    ]
    assert len(sources) > 300
    assert [file for file in sources if "show-secrets" in file.read_text("utf-8")] == []
