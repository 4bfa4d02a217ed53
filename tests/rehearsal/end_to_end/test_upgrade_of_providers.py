"""End to end: a state that an older major of a provider has written."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rehearsal.providers.packages import PACKAGES
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.upgrades.planned_changes import planned_changes

pytestmark = pytest.mark.rehearsal

PROVIDER = "pulumi:providers:"
OLDER = {"gcp": "9.14.0", "kubernetes": "3.30.2"}
"""Of the providers that the rehearsal's stack uses."""


def written_by_older_majors(state: dict[str, Any]) -> dict[str, Any]:
    """The state as it would be had the providers been older when it was written."""
    for resource in state["deployment"]["resources"]:
        package = resource["type"].removeprefix(PROVIDER)
        if package in OLDER and resource["type"].startswith(PROVIDER):
            for side in ("inputs", "outputs"):
                resource[side]["version"] = OLDER[package]
    return state


@contextmanager
def older_plugins(pulumi_home: Path) -> Iterator[None]:
    """Let the engine find the older plugins, as it would download them."""
    made = []
    for package in (each for each in PACKAGES if each.name in OLDER):
        found = package.newest(pulumi_home / "plugins")
        assert found is not None
        older = pulumi_home / "plugins" / f"resource-{package.name}-v{OLDER[package.name]}"
        made.append(shutil.copytree(found[1], older))
    yield
    for directory in made:
        shutil.rmtree(directory)


def test_a_new_major_of_a_provider_updates_the_provider_and_no_resource(
    fleet: RunningRehearsal, tmp_path: Path
) -> None:
    engine = fleet.stage.engine
    state = written_by_older_majors(json.loads(engine.output("stack", "export")))
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state), encoding="utf-8")
    fleet.touched()
    pods = fleet.dask_pods("climate").keys()
    with older_plugins(fleet.workspace.pulumi_home):
        engine.output("stack", "import", "--file", str(file))
        fleet.up()
    changes = planned_changes(fleet.event_log("up"))
    assert {(change.operation, change.type) for change in changes} == {
        ("update", f"{PROVIDER}{package}") for package in OLDER
    }
    assert fleet.dask_pods("climate").keys() == pods
    assert fleet.up().changed == 0
