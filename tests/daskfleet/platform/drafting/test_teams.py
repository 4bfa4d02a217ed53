"""A DaskCluster as a team, and what a team cannot say of it."""

from typing import Any

from dask_kubernetes.operator import make_cluster_spec

from daskfleet.platform.drafting.draft import draft_stack
from daskfleet.platform.drafting.found import FoundDask
from tests.daskfleet.platform.drafting.found_clusters import (
    A100S,
    T4,
    dask,
    dask_cluster,
    found,
    gpus,
    pool_answer,
)

L4S = pool_answer("l4", "g2-standard-12", config=gpus("nvidia-l4", 1))


def entries(of_dask: FoundDask) -> Any:
    return draft_stack(found(T4, A100S, L4S, of_dask=of_dask)).settings["teams"]


def left_out(of_dask: FoundDask) -> str:
    return "\n".join(draft_stack(found(of_dask=of_dask)).remarks.get("teams", ()))


def test_a_team_is_called_as_its_cluster_and_has_its_image_and_workers() -> None:
    assert entries(dask(dask_cluster("fraud"))) == [
        {"name": "fraud", "image": "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13", "workers": 2}
    ]


def test_a_cluster_that_kubecluster_made_is_read() -> None:
    spec = make_cluster_spec(
        "notebook",
        image="registry.example/team:1",
        n_workers=3,
        env={"MODE": "fast"},
        resources={"limits": {"nvidia.com/gpu": "1"}},
    )
    spec["metadata"]["namespace"] = "default"

    (entry,) = entries(dask(spec))

    assert entry == {
        "name": "notebook",
        # The tag does not say what is inside, so reading the draft asks for it.
        "image": {"ref": "registry.example/team:1"},
        "workers": 3,
        "worker": {"environment": {"MODE": "fast"}},
        "scheduler": {"environment": {"MODE": "fast"}},
    }


def test_an_adaptive_cluster_has_bounds_and_no_number() -> None:
    scaled = {
        "metadata": {"name": "fraud", "namespace": "default"},
        "spec": {"cluster": "fraud", "minimum": 1, "maximum": 4},
    }
    elsewhere = {**scaled, "metadata": {"name": "fraud", "namespace": "other"}}

    (entry,) = entries(dask(dask_cluster("fraud"), autoscalers=[scaled]))
    (fixed,) = entries(dask(dask_cluster("fraud"), autoscalers=[elsewhere]))

    assert entry["adaptive"] == {"minimum": 1, "maximum": 4}
    assert "workers" not in entry
    assert fixed["workers"] == 2


def test_workers_that_choose_a_pool_or_a_gpu_stay_there() -> None:
    by_name = dask_cluster(pod={"nodeSelector": {"cloud.google.com/gke-nodepool": "l4"}})
    by_gpu = dask_cluster(pod={"nodeSelector": {"cloud.google.com/gke-accelerator": "nvidia-l4"}})
    of_neither = dask_cluster()

    pools = [each.get("worker_pool") for each in entries(dask(by_name, by_gpu, of_neither))]

    assert pools == ["l4", "l4", None]


def test_a_worker_with_several_gpus_says_so() -> None:
    several = {"resources": {"limits": {"nvidia.com/gpu": 4}}}

    (entry,) = entries(dask(dask_cluster(container=several)))

    assert entry["worker"] == {"gpus": 4}


def test_no_secret_gets_into_the_draft() -> None:
    env = [
        {"name": "MODE", "value": "fast"},
        {"name": "DB_PASSWORD", "value": "hunter2"},
        {"name": "STORE", "value": "https://ann:hunter2@store.example/"},
        {"name": "LICENCE", "valueFrom": {"secretKeyRef": {"name": "l", "key": "k"}}},
    ]
    of_dask = dask(dask_cluster(container={"env": env}))

    draft = draft_stack(found(of_dask=of_dask))
    (entry,) = entries(of_dask)

    assert entry["worker"] == {"environment": {"MODE": "fast"}}
    assert "hunter2" not in str(draft)
    for name in ("DB_PASSWORD", "STORE", "LICENCE"):
        assert f"variable {name} of the worker" in left_out(of_dask)


def test_what_a_team_cannot_say_is_named() -> None:
    cluster = dask_cluster(
        pod={
            "volumes": [{"name": "home", "persistentVolumeClaim": {"claimName": "ann-home"}}],
            "containers": [{"name": "worker", "image": "a:1"}, {"name": "proxy", "image": "b:1"}],
        }
    )
    cluster["spec"]["idleTimeout"] = 3600
    groups = [
        {
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"cluster": "fraud", "worker": {"replicas": 5}},
        }
        for name in ("fraud-default", "fraud-large")
    ]

    said = left_out(dask(cluster, groups=groups))

    assert "claim ann-home of the worker" in said
    assert "1 more containers of the worker" in said
    assert "the scheduler's image" in said
    assert "worker group fraud-large with 5 workers" in said
    assert "fraud-default" not in said
    assert "idleTimeout 3600" in said
