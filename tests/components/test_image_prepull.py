"""Unit: what pulls images where, what waits for it, and that nothing changes without it."""

from copy import deepcopy
from typing import Any

import pytest
import yaml

from components.image_prepull import daemon_set_spec
from components.nvidia_driver import MANIFEST
from daskfleet.catalog.helper_images import helper_images
from daskfleet.planning.prepull import Pull, pulls_of
from tests.components.fleets import fleet
from tests.recorded_program import Recording, Registration, record
from tests.setting_changes import BASE

DAEMON_SET = "kubernetes:apps/v1:DaemonSet"
DASK = "kubernetes:kubernetes.dask.org/v1:DaskCluster"
POOL = "gcp:container/nodePool:NodePool"
OURS, THEIRS = (f"registry.example/{name}:26.10-cuda12-py3.13" for name in ("ours", "theirs"))


def stack(**changes: Any) -> dict[str, Any]:
    """Two teams with an image each, on a pool each."""
    return {
        "project": "example-project",
        "scheduler_pool": {"machine_type": "n1-standard-4", "schedulers_per_gpu": 2},
        "worker_pools": [{"name": "one"}, {"name": "two", "replacement": "surge"}],
        "image": OURS,
        "image_prepull": True,
        "teams": [
            {"name": "alpha", "worker_pool": "one"},
            {"name": "beta", "worker_pool": "two", "image": THEIRS},
        ],
        **changes,
    }


def by_name(recording: Recording) -> dict[str, Registration]:
    return {each.name: each for each in recording.registrations if each.is_custom}


def pulled(recording: Recording) -> dict[str, Registration]:
    return {n: e for n, e in by_name(recording).items() if n.startswith("image-prepull-")}


def daemon_sets(recording: Recording) -> dict[str, Registration]:
    return {n: e for n, e in pulled(recording).items() if e.type == DAEMON_SET}


def pod_of(daemon_set: Registration) -> dict[str, Any]:
    spec: dict[str, Any] = daemon_set.inputs["spec"]["template"]["spec"]
    return spec


def needs(registration: Registration) -> set[str]:
    return {urn.rpartition("::")[2] for urn in registration.dependencies}


def pull_of(image: str, pool: str = "one") -> Pull:
    document = {key: each for key, each in stack().items() if key not in {"project", "image"}}
    pulls = pulls_of(fleet(image=image, **document).stack)
    return next(each for each in pulls if each.generation.pool == pool)


@pytest.fixture
def recording(monkeypatch: pytest.MonkeyPatch) -> Recording:
    return record(stack(), monkeypatch)


def test_each_pool_pulls_the_images_of_its_teams_and_no_other(recording: Recording) -> None:
    found = [
        (
            pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
                "nodeSelectorTerms"
            ][0]["matchExpressions"][0]["values"],
            pod["initContainers"][0]["image"],
        )
        for pod in map(pod_of, daemon_sets(recording).values())
    ]
    surge = pull_of(OURS, "two").generation.name

    assert sorted(found) == sorted(
        [
            (["scheduler-pool"], OURS),
            (["scheduler-pool"], THEIRS),
            (["one"], OURS),
            ([surge], THEIRS),
        ]
    )
    assert surge != "two"


def test_its_pods_may_be_where_the_pools_taints_keep_others_away(recording: Recording) -> None:
    for name, daemon_set in daemon_sets(recording).items():
        keys = [each["key"] for each in pod_of(daemon_set)["tolerations"]]
        on_schedulers = name.startswith("image-prepull-scheduler-pool")

        assert keys == ["nvidia.com/gpu", *(["dedicated"] if on_schedulers else [])]


def test_a_dask_cluster_waits_for_its_own_image_on_its_own_pools_and_for_no_other(
    recording: Recording,
) -> None:
    sets = daemon_sets(recording)
    for team, image in (("alpha", OURS), ("beta", THEIRS)):
        waits_for = needs(by_name(recording)[f"{team}-dask-cluster"]) & sets.keys()

        assert len(waits_for) == 2
        assert {pod_of(sets[n])["initContainers"][0]["image"] for n in waits_for} == {image}


def test_pulling_waits_for_no_pool_so_that_a_new_node_begins_with_it(recording: Recording) -> None:
    for daemon_set in daemon_sets(recording).values():
        assert not [urn for urn in daemon_set.dependencies if POOL in urn]


def test_another_image_is_another_daemon_set_and_the_others_stay(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = daemon_sets(recording)
    after = daemon_sets(record(stack(image=OURS.replace("26.10", "26.08")), monkeypatch))

    assert len(before.keys() - after.keys()) == len(after.keys() - before.keys()) == 2
    kept = before.keys() & after.keys()
    assert {n: before[n].inputs for n in kept} == {n: after[n].inputs for n in kept}
    assert kept


def test_the_pod_runs_true_from_the_image_with_no_rights_token_gpu_or_entrypoint() -> None:
    pod = daemon_set_spec(pull_of(OURS), pause="pause:1")["template"]["spec"]
    (pull,), (pause,) = pod["initContainers"], pod["containers"]

    assert (pull["image"], pull["command"]) == (OURS, ["true"])
    assert pause["image"] == "pause:1"
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in (pull, pause):
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
        assert container["resources"]["requests"] == {"cpu": "1m", "memory": "8Mi"}
        assert container["resources"]["limits"].keys() == {"memory"}


def test_the_image_that_waits_is_the_one_that_every_gpu_node_has_by_the_installer() -> None:
    installer = yaml.safe_load(MANIFEST.read_text("utf-8"))
    pause = helper_images()["pause"]

    assert installer["spec"]["template"]["spec"]["containers"][0]["image"] == pause.reference


def test_all_of_it_is_in_a_namespace_that_is_restricted_and_closed(recording: Recording) -> None:
    recorded = by_name(recording)
    namespace, policy = recorded["image-prepull"], recorded["image-prepull-closed"]
    enforced = namespace.inputs["metadata"]["labels"]["pod-security.kubernetes.io/enforce"]

    assert enforced == "restricted"
    assert policy.inputs["spec"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    for each in pulled(recording).values():
        assert each.inputs["metadata"]["namespace"] == namespace.inputs["metadata"]["name"]
    for each in daemon_sets(recording).values():
        assert policy.name in needs(each)


def test_a_retired_team_pulls_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    document = stack()
    document["teams"][1]["retire"] = True
    images = {
        pod_of(each)["initContainers"][0]["image"]
        for each in daemon_sets(record(document, monkeypatch)).values()
    }

    assert images == {OURS}


def test_switching_it_on_changes_nothing_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    off = deepcopy(BASE)
    del off["image_prepull"]
    with_it, without = (by_name(record(each, monkeypatch)) for each in (BASE, off))

    assert with_it.keys() - without.keys() == {
        name for name in with_it if name.startswith("image-prepull")
    }
    assert without.keys() <= with_it.keys()
    assert [name for name, each in without.items() if with_it[name].inputs != each.inputs] == []
