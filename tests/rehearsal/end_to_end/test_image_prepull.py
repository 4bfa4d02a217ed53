"""End to end: images are pulled on every node of their pools, and before a Dask cluster goes."""

from collections import Counter
from pathlib import Path

import pytest

from daskfleet.planning.prepull import pulls_of
from rehearsal.engine.events import ResourceEvent, parse_event
from rehearsal.report.claims import PULL_LABEL, gpu_nodes_carry_gpu_work_only
from tests.daskfleet.planning.documents import planned
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, team, work

pytestmark = pytest.mark.rehearsal

OTHER = "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"
DASK = "DaskCluster climate-dask-cluster"


@pytest.fixture(scope="module")
def pulling(rehearsal: RunningRehearsal) -> Settings:
    """The settings of a fleet that is up and pulls its images."""
    rehearsal.inject()
    rehearsal.ensure_as_declared()
    settings = rehearsal.settings()
    settings["daskfleet:image_prepull"] = True
    before = rehearsal.dask_pods("climate").keys()
    outcome = rehearsal.up(settings)
    assert work(outcome).keys() == {"create"}
    assert rehearsal.dask_pods("climate").keys() == before
    return settings


def pulls_on(settings: Settings, pool: str) -> int:
    """How many images a pool has to pull."""
    plan = planned({key.removeprefix("daskfleet:"): value for key, value in settings.items()})
    return sum(pull.generation.name == pool for pull in pulls_of(plan.stack))


def engine_events(log: Path) -> list[ResourceEvent]:
    """What the engine did, in its order."""
    events = (parse_event(line) for line in log.read_text("utf-8").splitlines())
    return [each for each in events if isinstance(each, ResourceEvent)]


def test_each_gpu_node_has_a_ready_pod_for_each_image_of_its_pool(
    rehearsal: RunningRehearsal, pulling: Settings
) -> None:
    seen = rehearsal.see()
    pulls = [pod for pod in seen.pods if PULL_LABEL in pod.labels.items()]
    by_node = Counter(pod.node for pod in pulls if pod.is_ready)
    with_gpu = [node for node in seen.nodes.values() if node.has_gpu]

    assert with_gpu
    assert by_node == {node.name: pulls_on(pulling, node.pool) for node in with_gpu}
    assert gpu_nodes_carry_gpu_work_only(seen.pods, seen.nodes).holds
    assert rehearsal.up(pulling).changed == 0


def test_another_image_is_pulled_before_the_old_cluster_goes_and_the_old_one_is_let_go_last(
    rehearsal: RunningRehearsal, pulling: Settings
) -> None:
    changed = {**pulling, "daskfleet:teams": rehearsal.settings()["daskfleet:teams"]}
    team(changed, "climate")["image"] = OTHER

    rehearsal.up(changed)

    done = [
        (each.name, each.operation, each.moment)
        for each in engine_events(rehearsal.event_log("up"))
        if each.is_work
    ]
    pulled = [
        position
        for position, (name, operation, moment) in enumerate(done)
        if name.startswith("DaemonSet") and (operation, moment) == ("create", "ended")
    ]
    goes = done.index((DASK, "delete-replaced", "began"))
    assert len(pulled) == 2  # on the scheduler pool and on the team's
    assert max(pulled) < goes
    images = {pod.images for pod in rehearsal.dask_pods("climate").values()}
    assert images == {(OTHER,)}
