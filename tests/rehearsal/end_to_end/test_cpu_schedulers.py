"""End to end: schedulers on a pool without GPUs, and the workers' GPUs as they were."""

from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, work
from tests.tiers.long_files import LONG

pytestmark = LONG

SCHEDULERS = "scheduler-pool"
TEAMS = ("climate", "genomics")
GPU = "nvidia.com/gpu"


def test_schedulers_move_to_a_pool_without_gpus_that_is_for_them_alone(
    fleet: RunningRehearsal,
) -> None:
    settings = fleet.settings()
    settings["daskfleet:scheduler_pool"] = {"accelerator": "none", "machine_type": "e2-standard-4"}
    fleet.up(settings)

    seen = fleet.see()
    (node,) = (each for each in seen.nodes.values() if each.labels.get("dedicated") == "scheduler")
    assert node.pool.startswith(f"{SCHEDULERS}-"), node  # a pool beside the one with GPUs
    assert node.machine_type == "e2-standard-4"
    assert not node.has_gpu, node
    assert node.driver == ""
    ours = [pod for pod in seen.pods if pod.team in TEAMS]
    schedulers = [pod for pod in ours if pod.role == "scheduler"]
    workers = [pod for pod in ours if pod.role == "worker"]
    assert {pod.team for pod in schedulers} == set(TEAMS), ours
    assert {pod.node for pod in schedulers} == {node.name}, ours
    assert all(pod.is_ready and GPU not in pod.requests for pod in schedulers), schedulers
    assert all(pod.is_ready and pod.requests[GPU] == 1 for pod in workers), workers
    beside = [pod for pod in seen.pods if pod.node == node.name and pod not in schedulers]
    assert {pod.owner.partition("/")[0] for pod in beside} <= {"DaemonSet"}, beside

    assert work(fleet.up(settings)) == {}
