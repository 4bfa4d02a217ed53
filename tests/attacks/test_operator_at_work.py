"""The real operator with nothing but its rights: all of its work, and a namespace that goes.

A right that it lacks would be refused here, and one that it has and never uses would be named.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from manifests.operator_rights import TEAM_ROLE, team_rules, watch_rules
from rehearsal.control_plane import ControlPlane
from tests.attacks.operators_reach import USER, OperatorsReach, smallest_cluster
from tests.attacks.running_operator import WANTED, running_operator, scheduler
from tests.attacks.team_of_members import DASK, RBAC, until
from tests.rehearsal.control_plane.conftest import Document

pytestmark = pytest.mark.rehearsal

TEAM = "worked-in"
DASKS = f"{DASK}/namespaces/{TEAM}"
CORE = f"/api/v1/namespaces/{TEAM}"
OF_AN_OLDER_KOPF = {("create", "events")}
"""Used by the one in the operator's image; see ``team_rules``."""

MERGE = {"Content-Type": "application/merge-patch+json"}


@dataclass(frozen=True, kw_only=True)
class AtWork:
    """The operator, and what a platform engineer sees of its work."""

    reach: OperatorsReach
    log: Path

    def names(self, collection: str, **labels: str) -> list[str]:
        """Names of what is in a collection."""
        selector = ",".join(f"dask.org/{key}={value}" for key, value in labels.items())
        answer = self.reach.platform.get(collection, params={"labelSelector": selector})
        return [each["metadata"]["name"] for each in answer.json()["items"]]

    def workers(self, cluster: str) -> list[str]:
        """Names of a cluster's workers."""
        labels = {"component": "worker", "cluster-name": cluster}
        return self.names(f"/apis/apps/v1/namespaces/{TEAM}/deployments", **labels)

    def until_there_are_workers(self, cluster: str, number: int) -> None:
        """Wait for so many."""
        until(lambda: len(self.workers(cluster)) == number)

    def until_job_is(self, name: str, status: str) -> None:
        """Wait for what the operator writes of a job."""
        job = f"{DASKS}/daskjobs/{name}"
        until(lambda: self.field(job, "status", "jobStatus") == status)

    def patch(self, path: str, change: Document) -> None:
        """Change an object as a platform engineer."""
        answer = self.reach.platform.patch(path, json=change, headers=MERGE)
        assert answer.is_success, answer.text

    def field(self, path: str, *keys: str) -> object:
        """Read a field of an object; None when there is none."""
        value = self.reach.platform.get(path).json()
        for key in keys:
            value = value.get(key, {})
        return value or None

    def is_gone(self, path: str) -> bool:
        """Whether there is no such object."""
        return self.reach.platform.get(path).status_code == httpx.codes.NOT_FOUND


@pytest.fixture(scope="module")
def at_work(
    control_plane: ControlPlane, operator: OperatorsReach, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AtWork]:
    operator.let_in(TEAM)
    directory = tmp_path_factory.mktemp("operator")
    at_work = AtWork(reach=operator, log=directory / "operator.log")
    with (
        scheduler(lambda: at_work.workers("alpha")) as port,
        running_operator(control_plane, operator, directory=directory, schedulers_port=port),
    ):
        yield at_work


def test_all_that_it_does_it_may_and_all_that_it_may_it_does(
    at_work: AtWork, control_plane: ControlPlane
) -> None:
    a_cluster_is_made_and_scaled(at_work)
    an_adaptive_cluster_follows_its_work(at_work)
    a_job_runs_and_ends(at_work)
    an_idle_cluster_is_ended(at_work)

    mine = tuple(requests(control_plane))
    assert [each for each in mine if each["responseStatus"]["code"] == httpx.codes.FORBIDDEN] == []
    assert "forbidden" not in at_work.log.read_text("utf-8").lower()
    may = {
        (verb, resource)
        for rule in (*watch_rules(), *team_rules())
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }
    used = {right_of(each) for each in mine}
    assert used <= may
    assert may - used <= OF_AN_OLDER_KOPF


def a_cluster_is_made_and_scaled(at_work: AtWork) -> None:
    at_work.reach.platform.create(f"{DASKS}/daskclusters", smallest_cluster("alpha"))
    at_work.until_there_are_workers("alpha", 1)
    for replicas in (3, 1):
        at_work.patch(f"{DASKS}/daskclusters/alpha", {"spec": {"worker": {"replicas": replicas}}})
        at_work.until_there_are_workers("alpha", replicas)


def an_adaptive_cluster_follows_its_work(at_work: AtWork) -> None:
    pods = {"component": "scheduler", "cluster-name": "alpha"}
    until(lambda: bool(at_work.names(f"{CORE}/pods", **pods)))
    (pod,) = at_work.names(f"{CORE}/pods", **pods)
    ready = [{"type": each, "status": "True"} for each in ("Ready", "ContainersReady")]
    at_work.patch(f"{CORE}/pods/{pod}/status", {"status": {"conditions": ready}})
    at_work.reach.platform.create(
        f"{DASKS}/daskautoscalers",
        {
            "apiVersion": "kubernetes.dask.org/v1",
            "kind": "DaskAutoscaler",
            "metadata": {"name": "alpha"},
            "spec": {"cluster": "alpha", "minimum": 1, "maximum": 4},
        },
    )
    at_work.until_there_are_workers("alpha", WANTED)


def a_job_runs_and_ends(at_work: AtWork) -> None:
    spec = smallest_cluster("job")["spec"]
    at_work.reach.platform.create(
        f"{DASKS}/daskjobs",
        {
            "apiVersion": "kubernetes.dask.org/v1",
            "kind": "DaskJob",
            "metadata": {"name": "job"},
            "spec": {"cluster": {"spec": spec}, "job": {"spec": spec["worker"]["spec"]}},
        },
    )
    runner = f"{CORE}/pods/job-runner"
    until(lambda: not at_work.is_gone(runner))
    for phase, status in (("Running", "Running"), ("Succeeded", "Successful")):
        at_work.patch(f"{runner}/status", {"status": {"phase": phase}})
        at_work.until_job_is("job", status)
    until(lambda: at_work.is_gone(f"{DASKS}/daskclusters/job"))


def an_idle_cluster_is_ended(at_work: AtWork) -> None:
    document = smallest_cluster("own")
    document["spec"]["idleTimeout"] = 1
    at_work.reach.platform.create(f"{DASKS}/daskclusters", document)
    until(lambda: at_work.is_gone(f"{DASKS}/daskclusters/own"))


def test_a_namespace_goes_with_the_clusters_in_it_when_its_binding_went_first(
    at_work: AtWork,
) -> None:
    team = "leaving"
    platform = at_work.reach.platform
    at_work.reach.let_in(team)
    cluster = f"{DASK}/namespaces/{team}/daskclusters"
    platform.create(cluster, smallest_cluster("left"))
    phase = f"{cluster}/left"
    until(lambda: at_work.field(phase, "status", "phase") in {"Pending", "Running"})
    assert at_work.field(phase, "metadata", "finalizers")

    binding = f"{RBAC}/namespaces/{team}/rolebindings/{TEAM_ROLE}"
    assert platform.delete(binding).is_success
    until(lambda: not at_work.reach.allowed(team, "create pods"))
    assert platform.delete(f"/api/v1/namespaces/{team}").is_success
    until(lambda: at_work.is_gone(f"/api/v1/namespaces/{team}"))


def test_a_cluster_of_no_team_gets_nothing_and_goes(at_work: AtWork) -> None:
    foreign = f"{DASK}/namespaces/default/daskclusters"
    at_work.reach.platform.create(foreign, smallest_cluster("foreign"))
    refused = 'cannot create resource "deployments"'
    until(lambda: refused in at_work.log.read_text("utf-8"))
    assert at_work.names("/apis/apps/v1/namespaces/default/deployments") == []

    at_work.reach.platform.delete(f"{foreign}/foreign")
    until(lambda: at_work.is_gone(f"{foreign}/foreign"))


def test_a_namespace_goes_with_a_cluster_that_is_refused(at_work: AtWork) -> None:
    """A member makes one while the team is removed."""
    team, platform = "hung", at_work.reach.platform
    platform.create("/api/v1/namespaces", {"metadata": {"name": team}})
    cluster = f"{DASK}/namespaces/{team}/daskclusters"
    platform.create(cluster, smallest_cluster("late"))
    until(lambda: f'in the namespace "{team}"' in at_work.log.read_text("utf-8"))
    assert at_work.field(f"{cluster}/late", "metadata", "finalizers")

    assert platform.delete(f"/api/v1/namespaces/{team}").is_success
    until(lambda: at_work.is_gone(f"/api/v1/namespaces/{team}"))


def requests(control_plane: ControlPlane) -> Iterator[Document]:
    """What the operator has asked for, in this team's namespace or in all of them."""
    # The API server may be in the middle of its last line.
    whole, _, _ = control_plane.audit_log.read_text("utf-8").rpartition("\n")
    for line in whole.splitlines():
        event = json.loads(line)
        about = event.get("objectRef", {})
        is_test = about.get("resource") == "selfsubjectaccessreviews"
        is_here = about.get("namespace", TEAM) == TEAM
        if event["user"]["username"] == USER and about and is_here and not is_test:
            yield event


def right_of(event: Document) -> tuple[str, str]:
    """The verb and the resource of a request, as rules spell them."""
    reference = event["objectRef"]
    path = (reference["resource"], reference.get("subresource"))
    return event["verb"], "/".join(filter(None, path))
