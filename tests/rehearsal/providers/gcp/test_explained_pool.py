"""Rehearsal tier: a pool's failure under the real engine, with the hook that explains it."""

from collections.abc import Callable

import httpx
import pulumi
import pulumi_gcp as gcp
import pytest
from pulumi import ResourceOptions, automation

from components.pool_failure import explaining_failures
from daskfleet.planning.node_pool_spec import gpu_pool_specs
from daskfleet.settings.stack import Stack
from rehearsal.emulator import Emulator, ErrorAnswer, Stockout
from tests.rehearsal.providers.gcp.conftest import PROJECT, endpoints
from tests.rehearsal.providers.gcp.test_engine import stack  # noqa: F401 - a fixture
from tests.setting_changes import BASE

pytestmark = pytest.mark.rehearsal

FLEET = Stack.model_validate({**BASE, "project": PROJECT})
SPEC = gpu_pool_specs(FLEET)[1]
WHERE = f"node pool {SPEC.generation.name} in {FLEET.zone}, a2-highgpu-2g with 2 nvidia-tesla-a100"
QUOTA = "Quota 'NVIDIA_A100_GPUS' exceeded. Limit: 0.0 in region us-central1."


class Component(pulumi.ComponentResource):
    """A pool whose failures are explained, as the project's component has it."""

    def __init__(self, *, size: int) -> None:
        google = gcp.Provider("google", project=PROJECT, add_pulumi_attribution_label=False)
        super().__init__("test:gke:Component", "pool", None, ResourceOptions(providers=[google]))
        gpus = {"type": "nvidia-tesla-a100", "count": 2}
        gcp.container.NodePool(
            "nodes",
            name=SPEC.generation.name,
            cluster=FLEET.cluster.name,
            location=FLEET.location,
            node_count=size,
            node_config={"machine_type": "a2-highgpu-2g", "guest_accelerators": [gpus]},
            opts=ResourceOptions(
                parent=self, hooks=explaining_failures(SPEC, FLEET, component=self)
            ),
        )


def pool_of(size: int) -> Callable[[], None]:
    """A program with one pool."""

    def run() -> None:
        Component(size=size)

    return run


@pytest.fixture
def fleet(
    stack: automation.Stack,  # noqa: F811 - the fixture
    emulator: Emulator,
    monkeypatch: pytest.MonkeyPatch,
) -> automation.Stack:
    """A stack that has one pool of a cluster which is there."""
    for variable, value in endpoints(emulator.base_url).items():
        monkeypatch.setenv(variable, value)  # an inline program runs in this process
    place = f"container/v1beta1/projects/{PROJECT}/locations/{FLEET.location}/clusters"
    cluster = {"cluster": {"name": FLEET.cluster.name, "initialNodeCount": 1}}
    httpx.post(f"{emulator.base_url}/{place}", json=cluster, timeout=60).raise_for_status()
    stack.workspace.program = pool_of(1)
    return stack


def said_by_failed_up(fleet: automation.Stack) -> str:
    """What an `up` says that fails."""
    with pytest.raises(automation.CommandError) as failed:
        fleet.up()
    said = " ".join(str(failed.value).split())
    print(failed.value)  # noqa: T201 - for whoever looks at a failure
    return said


def test_a_stock_out_is_explained_beside_the_providers_own_error(
    fleet: automation.Stack, emulator: Emulator
) -> None:
    emulator.faults.add(Stockout(pool="a100", times=10_000))

    said = said_by_failed_up(fleet)

    assert 'was created in the error state "RUNNING_WITH_ERROR"' in said
    assert f"{WHERE}: RUNNING_WITH_ERROR: GCE_STOCKOUT: " in said
    assert "hooks execution failed" not in said


def test_a_refusal_is_explained_beside_googles_words(
    fleet: automation.Stack, emulator: Emulator
) -> None:
    emulator.faults.add(ErrorAnswer(method="POST", path="/nodePools$", code=403, message=QUOTA))

    said = said_by_failed_up(fleet)

    assert QUOTA in said
    assert f"{WHERE}: Google has made no such pool" in said


def test_a_pool_that_cannot_grow_is_explained_and_the_next_up_goes_on(
    fleet: automation.Stack, emulator: Emulator
) -> None:
    fleet.up()
    emulator.faults.add(Stockout(pool="a100"))
    fleet.workspace.program = pool_of(2)

    said = said_by_failed_up(fleet)

    assert f"{WHERE}: " in said
    assert "GCE_STOCKOUT" in said
    fleet.up()
    assert fleet.preview(expect_no_changes=True).change_summary.keys() == {"same"}
