"""End to end: every verb of every resource of the API server, for a member and the operator."""

import json
from collections.abc import Iterator

import pytest

from tests.attacks.operators_reach import RELEASED_EVERYWHERE, SEEN_EVERYWHERE
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.test_isolation import ALICE, MAY, NOBODY, allowed
from tests.rights import every_right

pytestmark = pytest.mark.rehearsal

OPERATOR = "system:serviceaccount:dask-operator:dask-kubernetes-operator"
"""The account of the operator's pod; the rehearsal's process has a token of it."""

CLUSTER = ""
"""Where a resource has no namespace, or a right holds in all of them."""

NO_RESOURCES_VERBS = ("impersonate users", "impersonate groups", "impersonate serviceaccounts")


def test_a_member_has_no_right_outside_of_the_own_namespace_that_a_stranger_lacks(
    fleet: RunningRehearsal,
) -> None:
    everything = tuple(each_right(fleet))
    assert len(everything) > 400
    own = allowed(fleet, ALICE, "climate", everything)
    assert set(MAY) <= own  # the questions are ones that can be answered with yes

    of_strangers = allowed(fleet, NOBODY, CLUSTER, everything)
    assert all("selfsubject" in right for right in of_strangers), of_strangers
    for elsewhere in ("genomics", "dask-operator", CLUSTER):
        assert allowed(fleet, ALICE, elsewhere, everything) == of_strangers, elsewhere


def test_the_operator_changes_nothing_of_what_is_no_teams(fleet: RunningRehearsal) -> None:
    everything = tuple(each_right(fleet))
    for_a_team = {"create deployments.apps", "delete deployments.apps", "create services"}
    for team in ("climate", "genomics"):
        assert allowed(fleet, OPERATOR, team, tuple(for_a_team)) == for_a_team

    of_strangers = allowed(fleet, NOBODY, CLUSTER, everything)
    for elsewhere in ("dask-operator", "kube-system", CLUSTER):
        may = allowed(fleet, OPERATOR, elsewhere, everything) - of_strangers
        assert may == SEEN_EVERYWHERE | RELEASED_EVERYWHERE, elsewhere


def each_right(fleet: RunningRehearsal) -> Iterator[str]:
    """Each verb and resource of discovery, spelled ``get pods/log`` or ``list jobs.batch``."""
    yield from NO_RESOURCES_VERBS
    yield from every_right(lambda path: json.loads(kubectl(fleet, "get", "--raw", path)))
