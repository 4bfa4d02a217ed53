"""Attack: a member reads what another team is told, other ConfigMaps, or writes the own notice.

A real API server judges by the rules that the program gives to members.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from components.outputs.notice import notice, notice_text
from daskfleet.contract.notice import CONFIG_MAP, KEY
from daskfleet.planning.node_pool_spec import gpu_pool_specs
from manifests.team_members import member_rules, subject
from rehearsal.control_plane import ControlPlane
from tests.attacks.team_of_members import MEMBER, RBAC
from tests.components.fleets import fleet
from tests.rehearsal.control_plane.conftest import ApiClient

pytestmark = pytest.mark.rehearsal

OWN, OTHER = "told-alpha", "told-beta"
MERGE = {"Content-Type": "application/merge-patch+json"}


@contextmanager
def member_of(control_plane: ControlPlane, namespace: str, who: str) -> Iterator[httpx.Client]:
    """A team with its notice and another ConfigMap, and somebody who is its only member."""
    plan = fleet(teams=[{"name": namespace}])
    told = notice_text(
        notice(
            plan.teams[0],
            stack=plan.stack,
            pools=gpu_pool_specs(plan.stack),
            stack_name="prod",
        )
    )
    with (
        ApiClient(control_plane, token=control_plane.client_token) as platform,
        ApiClient(control_plane, token=control_plane.client_token) as member,
    ):
        platform.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
        config_maps = f"/api/v1/namespaces/{namespace}/configmaps"
        platform.create(config_maps, {"metadata": {"name": CONFIG_MAP}, "data": {KEY: told}})
        platform.create(config_maps, {"metadata": {"name": "pods-own"}, "data": {"a": "b"}})
        named = {"metadata": {"name": "member"}}
        roles = f"{RBAC}/namespaces/{namespace}"
        platform.create(f"{roles}/roles", {**named, "rules": member_rules(may_scale=True)})
        role = {"apiGroup": RBAC.split("/")[2], "kind": "Role", "name": "member"}
        platform.create(
            f"{roles}/rolebindings", {**named, "roleRef": role, "subjects": [subject(who)]}
        )
        member.headers["Impersonate-User"] = who.partition(":")[2]
        yield member


@pytest.fixture(scope="module")
def member(control_plane: ControlPlane) -> Iterator[httpx.Client]:
    """A member of one of two teams."""
    with (
        member_of(control_plane, OTHER, "user:mallory@example.com"),
        member_of(control_plane, OWN, MEMBER) as ours,
    ):
        yield ours


def test_what_the_own_team_is_told_can_be_read(member: httpx.Client) -> None:
    answer = member.get(f"/api/v1/namespaces/{OWN}/configmaps/{CONFIG_MAP}")

    assert answer.status_code == httpx.codes.OK
    assert json.loads(answer.json()["data"][KEY])["teams"].keys() == {OWN}


@pytest.mark.parametrize(
    "path",
    [
        f"{OTHER}/configmaps/{CONFIG_MAP}",
        f"{OTHER}/configmaps",
        f"{OWN}/configmaps",
        f"{OWN}/configmaps?watch=true&fieldSelector=metadata.name={CONFIG_MAP}",
        f"{OWN}/configmaps/pods-own",
        f"{OWN}/configmaps/kube-root-ca.crt",
        "nobodys/configmaps/daskfleet",
    ],
)
def test_nothing_else_can(member: httpx.Client, path: str) -> None:
    assert member.get(f"/api/v1/namespaces/{path}").status_code == httpx.codes.FORBIDDEN


def test_the_own_teams_cannot_be_written_for_the_others_of_the_team(member: httpx.Client) -> None:
    path = f"/api/v1/namespaces/{OWN}/configmaps/{CONFIG_MAP}"
    lie = {"data": {KEY: "{}"}}

    assert member.patch(path, json=lie, headers=MERGE).status_code == httpx.codes.FORBIDDEN
    assert member.delete(path).status_code == httpx.codes.FORBIDDEN
