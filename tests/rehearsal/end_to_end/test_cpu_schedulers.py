"""End to end: schedulers on a pool without GPUs, beside workers that have two each."""

from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team, work
from tests.tiers.long_files import LONG

pytestmark = LONG

SCHEDULERS = "scheduler-pool"
TEAMS = ("climate", "genomics")
GPU = "nvidia.com/gpu"


def test_schedulers_move_to_a_pool_without_gpus_and_pairs_of_gpus_scale_by_their_names(
    fleet: RunningRehearsal,
) -> None:
    settings = fleet.settings()
    settings["daskfleet:scheduler_pool"] = {"accelerator": "none", "machine_type": "e2-standard-4"}
    team(settings, "climate")["worker"] = {"gpus": 2}
    fleet.up(settings)

    seen = fleet.see()
    (node,) = (each for each in seen.nodes.values() if each.labels.get("dedicated") == "scheduler")
    assert node.pool.startswith(f"{SCHEDULERS}-"), node  # a pool beside the one with GPUs
    assert node.machine_type == "e2-standard-4"
    assert not node.has_gpu, node
    assert node.driver == ""
    ours = [pod for pod in seen.pods if pod.team in TEAMS]
    schedulers = [pod for pod in ours if pod.role == "scheduler"]
    assert {pod.team for pod in schedulers} == set(TEAMS), ours
    assert {pod.node for pod in schedulers} == {node.name}, ours
    assert all(pod.is_ready and GPU not in pod.requests for pod in schedulers), schedulers
    beside = [pod for pod in seen.pods if pod.node == node.name and pod not in schedulers]
    assert {pod.owner.partition("/")[0] for pod in beside} <= {"DaemonSet"}, beside

    pairs = {pod.name: pod for pod in ours if pod.team == "climate" and pod.role == "worker"}
    assert {pod.requests[GPU] for pod in pairs.values()} == {2}, pairs
    assert len({pod.node for pod in pairs.values()}) == len(pairs) == 2, pairs

    team(settings, "climate")["workers"] = 1
    assert work(fleet.up(settings))["update"] >= 1
    after = [pod for pod in fleet.dask_pods("climate").values() if not pod.is_leaving]
    (left,) = (pod for pod in after if pod.role == "worker")
    assert left.name in pairs, after
    assert [pod.uid for pod in after if pod.role == "scheduler"] == [
        pod.uid for pod in schedulers if pod.team == "climate"
    ]
