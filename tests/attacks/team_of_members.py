"""A team on a real API server: its namespace, its members' rights, the policy that holds them."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import yaml

from daskfleet.planning.plan import TeamPlan
from manifests.ephemeral_admission import admission_policy
from manifests.ephemeral_rules import ephemeral_rules
from manifests.ephemeral_spec import make_cluster_spec
from manifests.team_members import member_rules, subject
from rehearsal.control_plane import ControlPlane
from tests.rehearsal.control_plane.conftest import ApiClient

Document = dict[str, Any]

DEFINITIONS = Path("manifests/dask-crds/templates")
DASK = "/apis/kubernetes.dask.org/v1"
RBAC = "/apis/rbac.authorization.k8s.io/v1"
ADMISSION = "/apis/admissionregistration.k8s.io/v1"
OPERATORS_NAMESPACE = "dask-operator"
MEMBER = "user:grace@example.com"
PATIENCE_S = 60
"""The API server looks for new policies and definitions about once a second."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the API server said to a member."""

    accepted: bool
    message: str

    @property
    def refused_by_policy(self) -> bool:
        """Whether it was the policy, and not the schema, a right or a quota."""
        return not self.accepted and "ValidatingAdmissionPolicy 'daskfleet-" in self.message

    @property
    def sentence(self) -> str:
        """What the policy says, without what Kubernetes puts before it."""
        return self.message.partition("denied request: ")[2]


@dataclass(frozen=True, kw_only=True)
class TeamOfMembers:
    """A team's namespace, seen by a member."""

    plan: TeamPlan
    platform: ApiClient
    member: httpx.Client

    def spec(self, **changes: Any) -> Document:
        """Return what ``daskfleet cluster-spec`` prints."""
        changes = {"name": f"{self.plan.team.name}-grace"} | changes
        return dict(json.loads(json.dumps(make_cluster_spec(self.plan, **changes))))

    def creates(self, document: Document, *, plural: str = "daskclusters") -> Answer:
        """Ask as the member; nothing is stored."""
        return answer(self.member.post(self.path(plural), params=DRY_RUN, json=document))

    def patches(self, plural: str, name: str, patch: Document) -> Answer:
        """Ask for a change, as the member; nothing is stored."""
        headers = {"Content-Type": "application/merge-patch+json"}
        url = f"{self.path(plural)}/{name}"
        return answer(self.member.patch(url, params=DRY_RUN, json=patch, headers=headers))

    def path(self, plural: str) -> str:
        """Where the objects of a kind of Dask's are."""
        return f"{DASK}/namespaces/{self.plan.team.name}/{plural}"


DRY_RUN = {"dryRun": "All"}


def answer(response: httpx.Response) -> Answer:
    """Read an answer; anything but a verdict is an error of the test."""
    assert response.status_code < httpx.codes.INTERNAL_SERVER_ERROR, response.text
    said = response.json()
    return Answer(accepted=response.is_success, message=said.get("message", ""))


def define_kinds(platform: ApiClient) -> None:
    """Install the operator's definitions, once for all teams of a control plane."""
    collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    texts = [file.read_text("utf-8") for file in sorted(DEFINITIONS.glob("*.yaml"))]
    definitions = [yaml.safe_load(text) for text in texts]
    for definition in definitions:
        if not platform.get(f"{collection}/{definition['metadata']['name']}").is_success:
            platform.create(collection, definition)
    served = [f"{DASK}/{definition['spec']['names']['plural']}" for definition in definitions]
    until(lambda: all(platform.get(path).is_success for path in served))


@contextmanager
def team_of_members(control_plane: ControlPlane, plan: TeamPlan) -> Iterator[TeamOfMembers]:
    """Make a team, and wait until its policy holds."""
    assert plan.team.ephemeral
    name = plan.team.name
    with (
        ApiClient(control_plane, token=control_plane.client_token) as platform,
        ApiClient(control_plane, token=control_plane.client_token) as member,
    ):
        member.headers["Impersonate-User"] = MEMBER.partition(":")[2]
        define_kinds(platform)
        platform.create("/api/v1/namespaces", {"metadata": {"name": name}})
        rules = [*member_rules(may_scale=True), *ephemeral_rules()]
        role = {"metadata": {"name": "members"}}
        platform.create(f"{RBAC}/namespaces/{name}/roles", {**role, "rules": rules})
        platform.create(
            f"{RBAC}/namespaces/{name}/rolebindings",
            {
                **role,
                "roleRef": {"apiGroup": RBAC.split("/")[2], "kind": "Role", "name": "members"},
                "subjects": [subject(MEMBER)],
            },
        )
        policy = {"metadata": {"name": f"daskfleet-ephemeral-clusters-{name}"}}
        spec = admission_policy(
            plan,
            max_workers=plan.team.ephemeral.max_workers,
            operator_namespace=OPERATORS_NAMESPACE,
        )
        platform.create(f"{ADMISSION}/validatingadmissionpolicies", {**policy, "spec": spec})
        bound = {"policyName": policy["metadata"]["name"], "validationActions": ["Deny"]}
        platform.create(f"{ADMISSION}/validatingadmissionpolicybindings", {**policy, "spec": bound})
        team = TeamOfMembers(plan=plan, platform=platform, member=member)
        fixed = team.spec(name=name)
        until(lambda: team.creates(fixed).refused_by_policy)
        yield team


def until(holds: Callable[[], bool]) -> None:
    """Ask until it is so."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, "it never was"
        time.sleep(0.1)
