"""Rehearsal tier: the gcp stand-in under the real Pulumi engine, from first preview to destroy."""

from dataclasses import replace
from pathlib import Path

import pytest
from pulumi import automation

from rehearsal.emulator import Emulator, ErrorAnswer, Stockout
from rehearsal.providers.install import install_plugins
from rehearsal.toolchain import Binaries
from tests.rehearsal.providers.engine_runs import changes, engine_environment, search_path
from tests.rehearsal.providers.gcp.conftest import PROJECT, endpoints
from tests.rehearsal.providers.gcp.engine_program import RESOURCES, Wishes, program

pytestmark = pytest.mark.rehearsal


@pytest.fixture
def stack(
    tmp_path: Path, binaries: Binaries, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> automation.Stack:
    """A stack of its own on an emulator of its own; both end with the test, state and all."""
    home = tmp_path / "a home with spaces"
    install_plugins(
        pulumi_home=home,
        choice="stand-in",
        user_pulumi_home=tmp_path / "nobody",
        pulumi=binaries.pulumi,
        progress=print,
    )
    path = search_path(binaries.pulumi.parent)
    monkeypatch.setenv("PATH", path)
    return automation.create_stack(
        "test",
        project_name="gcp-engine-test",
        program=program(Wishes()),
        opts=automation.LocalWorkspaceOptions(
            work_dir=str(tmp_path),
            pulumi_home=str(home),
            env_vars={
                **endpoints(emulator.base_url),
                **engine_environment(tmp_path, path=path),
            },
        ),
    )


def want(stack: automation.Stack, wishes: Wishes) -> None:
    """Change the program."""
    stack.workspace.program = program(wishes)


def writes(emulator: Emulator) -> list[str]:
    """List the changes that the emulator was asked for."""
    return [
        f"{request.method} {request.path.rpartition('/')[2]}"
        for request in emulator.log.read()
        if request.mutating
    ]


def test_a_stack_lives_from_preview_to_destroy(stack: automation.Stack, emulator: Emulator) -> None:
    assert stack.preview().change_summary == {"create": RESOURCES}
    assert writes(emulator) == []
    made = stack.up()
    assert changes(made) == {"create": RESOURCES}
    assert made.outputs["endpoint"].value == "192.0.2.1"
    assert made.outputs["ca"].value

    written = writes(emulator)
    assert changes(stack.up(expect_no_changes=True)) == {}
    assert changes(stack.refresh(expect_no_changes=True)) == {}
    assert stack.preview(expect_no_changes=True).change_summary == {"same": RESOURCES}
    assert writes(emulator) == written

    want(stack, Wishes(node_count=3))
    assert changes(stack.up()) == {"update": 1}
    assert writes(emulator)[len(written) :] == ["POST a100:setSize"]

    written = writes(emulator)
    want(stack, Wishes(node_count=3, driver="LATEST"))
    assert changes(stack.up()) == {"replace": 1}
    assert writes(emulator)[len(written) :] == ["DELETE a100", "POST nodePools"]

    stack.destroy()
    project = emulator.world.project(PROJECT)
    assert not project.clusters
    assert not project.compute
    assert not project.service_accounts
    assert project.policy["bindings"] == []


def test_an_update_that_broke_in_the_middle_goes_on_where_it_stopped(
    stack: automation.Stack, emulator: Emulator
) -> None:
    message = "Insufficient regional quota to satisfy request"
    emulator.faults.add(
        ErrorAnswer(method="POST", path="/nodePools$", code=403, message=message, times=2)
    )
    with pytest.raises(automation.CommandError, match=message):
        stack.up()
    assert changes(stack.up()) == {"create": 2}
    assert stack.preview(expect_no_changes=True).change_summary == {"same": RESOURCES}


def test_a_stocked_out_pool_is_in_the_state_and_every_update_looks_at_it_again(
    stack: automation.Stack, emulator: Emulator
) -> None:
    emulator.faults.add(Stockout(pool="a100", times=10_000))
    with pytest.raises(automation.CommandError, match='error state "RUNNING_WITH_ERROR"'):
        stack.up()
    deployment = stack.export_stack().deployment or {}
    urns = [resource["urn"] for resource in deployment["resources"]]
    assert any(urn.endswith("NodePool::a100") for urn in urns)
    with pytest.raises(automation.CommandError, match='error state "RUNNING_WITH_ERROR"'):
        stack.up()
    emulator.faults.replace_from_json(b"[]")
    want(stack, Wishes(node_count=1))
    assert changes(stack.up()) == {"update": 1}
    assert stack.preview(expect_no_changes=True).change_summary == {"same": RESOURCES}


def test_deletion_protection_holds_until_it_was_taken_off_by_an_update(
    stack: automation.Stack,
) -> None:
    protected = Wishes(deletion_protection=True)
    want(stack, protected)
    stack.up()
    with pytest.raises(automation.CommandError, match="deletion_protection is set to true"):
        stack.destroy()
    want(stack, replace(protected, deletion_protection=False))
    stack.up()
    stack.destroy()
