"""Attack: what a member changes of an own cluster, and of what the operator made of it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import yaml

from rehearsal.control_plane import ControlPlane
from rehearsal.control_plane.certificates import CertificateAuthority
from tests.attacks.team_of_members import (
    DRY_RUN,
    MEMBER,
    RBAC,
    Answer,
    Document,
    TeamOfMembers,
    answer,
    until,
)

pytestmark = pytest.mark.rehearsal

CLUSTER = "alpha-grace"
GROUP = f"{CLUSTER}-default"
FIXED = "alpha-default"
PULUMIS = {"app.kubernetes.io/part-of": "daskfleet"}


@contextmanager
def existing(team: TeamOfMembers, plural: str, document: Document) -> Iterator[None]:
    """Make something as the operator or Pulumi does."""
    team.platform.create(team.path(plural), document)
    yield
    one = f"{team.path(plural)}/{document['metadata']['name']}"
    headers = {"Content-Type": "application/merge-patch+json"}
    unheld = {"metadata": {"finalizers": None}}
    assert team.platform.patch(one, json=unheld, headers=headers).is_success
    assert team.platform.delete(one).is_success


def group(team: TeamOfMembers, name: str, *, cluster: str, **labels: str) -> Document:
    """Write a group of workers as the operator makes it."""
    own = team.spec()
    return {
        "apiVersion": "kubernetes.dask.org/v1",
        "kind": "DaskWorkerGroup",
        "metadata": {
            "name": name,
            "labels": own["metadata"]["labels"] | labels,
            "annotations": {"kopf.zalando.org/last-handled-configuration": "{}"},
            "finalizers": ["kopf.zalando.org/KopfFinalizerMarker"],
        },
        "spec": {"cluster": cluster, "worker": own["spec"]["worker"]},
    }


@pytest.fixture
def own(team: TeamOfMembers) -> Iterator[Document]:
    """Make a cluster of the member's own, its group of workers, and the fixed cluster's."""
    cluster = team.spec()
    with (
        existing(team, "daskclusters", cluster | {"status": {"phase": "Running"}}),
        existing(team, "daskworkergroups", group(team, GROUP, cluster=CLUSTER)),
        existing(team, "daskworkergroups", group(team, FIXED, cluster="alpha", **PULUMIS)),
    ):
        yield cluster


@pytest.fixture
def editing(team: TeamOfMembers) -> Iterator[None]:
    """Give the member every right on Dask's kinds, as somebody else's role might."""
    namespaced = f"{RBAC}/namespaces/{team.plan.team.name}"
    named = {"metadata": {"name": "editors"}}
    everything = {"apiGroups": ["kubernetes.dask.org"], "resources": ["*"], "verbs": ["*"]}
    bound = team.platform.get(f"{namespaced}/rolebindings/members").json()
    role = bound["roleRef"] | {"name": "editors"}
    team.platform.create(f"{namespaced}/roles", {**named, "rules": [everything]})
    team.platform.create(
        f"{namespaced}/rolebindings", {**named, "roleRef": role, "subjects": bound["subjects"]}
    )
    until(lambda: team.member.get(team.path("daskjobs")).status_code == httpx.codes.OK)
    yield
    for plural in ("rolebindings", "roles"):
        assert team.platform.delete(f"{namespaced}/{plural}/editors").is_success


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("workers", [0, 2])
def test_its_workers_are_scaled_as_kubecluster_and_kubectl_do(
    team: TeamOfMembers, workers: int
) -> None:
    as_kr8s = {"spec": {"worker": {"replicas": workers}}}
    assert team.patches("daskworkergroups", GROUP, as_kr8s).accepted
    as_kubectl = {"spec": {"replicas": workers}}
    assert team.patches("daskworkergroups", f"{GROUP}/scale", as_kubectl).accepted


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("workers", [3, 2**31 - 1])
def test_its_workers_stay_within_the_teams_room(team: TeamOfMembers, workers: int) -> None:
    said = team.patches("daskworkergroups", GROUP, {"spec": {"worker": {"replicas": workers}}})
    assert "spec.worker.replicas must be 0 to 2" in said.sentence
    said = team.patches("daskworkergroups", f"{GROUP}/scale", {"spec": {"replicas": workers}})
    assert "The number of workers must be 0 to 2" in said.sentence


@pytest.mark.usefixtures("own")
def test_the_fixed_cluster_is_scaled_as_before_and_not_changed(team: TeamOfMembers) -> None:
    assert team.patches("daskworkergroups", f"{FIXED}/scale", {"spec": {"replicas": 4}}).accepted
    said = team.patches("daskworkergroups", FIXED, {"spec": {"worker": {"replicas": 1}}})
    assert "Pulumi manages the team's fixed Dask cluster" in said.sentence


CHANGES: dict[str, Document] = {
    "its pods": {"spec": {"worker": {"spec": {"priorityClassName": "system-node-critical"}}}},
    "its pods' image": {"spec": {"worker": {"spec": {"containers": []}}}},
    "its pods' annotations": {
        "spec": {"worker": {"metadata": {"annotations": {"gke-gcsfuse/volumes": "true"}}}}
    },
    "its cluster": {"spec": {"cluster": "alpha"}},
    "another cluster": {"spec": {"cluster": "other"}},
    "its labels": {"metadata": {"labels": {"app": "jupyter"}}},
    "its annotations": {"metadata": {"annotations": {"gke-gcsfuse/volumes": "true"}}},
    "what the operator remembers": {"metadata": {"annotations": None}},
    "what keeps it": {"metadata": {"finalizers": None}},
    "its owner": {
        "metadata": {
            "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "x", "uid": "x"}]
        }
    },
    "its status": {"status": {"phase": "Running"}},
}


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("patch", CHANGES.values(), ids=list(CHANGES))
def test_nothing_else_of_its_group_is_changed(team: TeamOfMembers, patch: Document) -> None:
    said = team.patches("daskworkergroups", GROUP, patch)

    assert said.refused_by_policy, said
    assert "resulted in error" not in said.message


PATCHES: dict[str, tuple[str, object]] = {
    "JSON": (
        "application/json-patch+json",
        [{"op": "add", "path": "/spec/worker/spec/priorityClassName", "value": "x"}],
    ),
    "JSON, a null": (
        "application/json-patch+json",
        [{"op": "replace", "path": "/spec/worker/spec/affinity", "value": None}],
    ),
    "server-side apply": (
        "application/apply-patch+yaml",
        {
            "apiVersion": "kubernetes.dask.org/v1",
            "kind": "DaskWorkerGroup",
            "metadata": {"name": GROUP},
            "spec": {"cluster": CLUSTER, "worker": {"spec": {"priorityClassName": "x"}}},
        },
    ),
}


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("form", PATCHES)
def test_nor_by_another_form_of_patch(team: TeamOfMembers, form: str) -> None:
    content_type, patch = PATCHES[form]
    applied = {"fieldManager": "x", "force": "true"} if form == "server-side apply" else {}
    said = answer(
        team.member.patch(
            f"{team.path('daskworkergroups')}/{GROUP}",
            params={**DRY_RUN, **applied},
            headers={"Content-Type": content_type},
            json=patch,
        )
    )

    assert said.refused_by_policy, said
    assert "resulted in error" not in said.message


def test_an_apply_that_would_make_an_autoscaler_is_a_creation(team: TeamOfMembers) -> None:
    """Members may create and patch this kind, and so apply it."""

    def applied(maximum: int) -> Answer:
        document = {
            "apiVersion": "kubernetes.dask.org/v1",
            "kind": "DaskAutoscaler",
            "metadata": {"name": CLUSTER},
            "spec": {"cluster": CLUSTER, "minimum": 0, "maximum": maximum},
        }
        return answer(
            team.member.patch(
                f"{team.path('daskautoscalers')}/{CLUSTER}",
                params={**DRY_RUN, "fieldManager": "x", "force": "true"},
                headers={"Content-Type": "application/apply-patch+yaml"},
                json=document,
            )
        )

    assert applied(2).accepted
    assert "spec.minimum and spec.maximum must be 0 to 2" in applied(3).sentence


@pytest.mark.usefixtures("own", "editing")
def test_who_may_write_clusters_writes_them_within_the_same_bounds(team: TeamOfMembers) -> None:
    accepted: list[Document] = [
        {"spec": {"worker": {"replicas": 2}}},
        {"spec": {"idleTimeout": 7200}},
    ]
    for patch in accepted:
        assert team.patches("daskclusters", CLUSTER, patch).accepted, patch
    assert team.patches("daskclusters", f"{CLUSTER}/scale", {"spec": {"replicas": 2}}).accepted
    refused: list[tuple[str, Document]] = [
        (CLUSTER, {"spec": {"worker": {"replicas": 3}}}),
        (CLUSTER, {"spec": {"scheduler": {"service": {"type": "NodePort"}}}}),
        (CLUSTER, {"spec": {"worker": {"spec": {"affinity": None}}}}),
        (CLUSTER, {"metadata": {"labels": {"cost-center": "somebody-elses"}}}),
        (CLUSTER, {"status": {"phase": "Pending"}}),
        (f"{CLUSTER}/scale", {"spec": {"replicas": 3}}),
    ]
    for name, patch in refused:
        said = team.patches("daskclusters", name, patch)
        assert said.refused_by_policy, (patch, said)


@pytest.mark.usefixtures("editing")
def test_who_may_write_every_kind_makes_no_group_and_no_job(team: TeamOfMembers) -> None:
    spec = team.spec()["spec"]
    job = {"cluster": {"spec": spec}, "job": {"spec": spec["worker"]["spec"]}}
    made: dict[str, Document] = {
        "daskworkergroups": {"spec": {"cluster": CLUSTER, "worker": spec["worker"]}},
        "daskjobs": {"kind": "DaskJob", "spec": job},
    }
    common = {"apiVersion": "kubernetes.dask.org/v1", "kind": "DaskWorkerGroup"}
    for plural, document in made.items():
        said = team.creates({**common, "metadata": {"name": "x"}, **document}, plural=plural)
        assert said.refused_by_policy, (plural, said)


def test_what_kubecluster_sends_is_accepted(
    team: TeamOfMembers, control_plane: ControlPlane, tmp_path: Path
) -> None:
    """No operator runs here: it is created, waits for one in vain, and deletes it."""
    kubeconfig = yaml.safe_load(control_plane.admin_kubeconfig.read_text("utf-8"))
    authority = CertificateAuthority.load_or_create(
        control_plane.admin_kubeconfig.parent / "pki", name="ca"
    )
    pair = authority.issue(tmp_path, name=MEMBER.partition(":")[2])
    kubeconfig["users"][0]["user"] = {
        "client-certificate": str(pair.certificate),
        "client-key": str(pair.key),
    }
    (tmp_path / "kubeconfig").write_text(yaml.safe_dump(kubeconfig), "utf-8")
    (tmp_path / "cluster.yaml").write_text(yaml.safe_dump(team.spec()), "utf-8")
    program = (
        "from dask_kubernetes.operator import KubeCluster; "
        f"KubeCluster(custom_cluster_spec={str(tmp_path / 'cluster.yaml')!r}, "
        f"namespace={team.plan.team.name!r}, resource_timeout=2, quiet=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"KUBECONFIG": str(tmp_path / "kubeconfig"), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert "Dask Cluster resource not actioned after 2 seconds" in done.stderr, done.stderr
    assert team.platform.get(team.path("daskclusters")).json()["items"] == []
