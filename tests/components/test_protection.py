"""Unit: which resources are locked, and what must be deleted after the locks."""

import pytest

from components.protection import FLEET_FIRST, TEAM_FIRST, Protection
from tests.recorded_program import Recording, Registration, record
from tests.setting_changes import BASE

CLUSTER = "gcp:container/cluster:Cluster"
NODE_POOL = "gcp:container/nodePool:NodePool"
NAMESPACE = "kubernetes:core/v1:Namespace"
OF_ALPHA = TEAM_FIRST.format(team="alpha")
OF_BETA = TEAM_FIRST.format(team="beta")
OF_TIDES = TEAM_FIRST.format(team="tides")
TEAMS = [team["name"] for team in BASE["teams"]]


def retiring(monkeypatch: pytest.MonkeyPatch) -> Recording:
    """Beta is retired, the others stay."""
    teams = [{**team, "retire": team["name"] == "beta"} for team in BASE["teams"]]
    return record({**BASE, "teams": teams}, monkeypatch)


def locks(fleet: Recording) -> dict[str, bool]:
    return {each.name: each.is_protected for each in fleet.of_type(Protection.TYPE)}


def spared_by(lock: str, among: list[Registration]) -> set[tuple[str, str]]:
    """What Pulumi does not delete of these when the deletion of a lock fails.

    As ``performPostSteps`` of the engine has it: all that the failed resource depends on, directly
    or not, by ``depends_on``, as a child, or through its provider. All the rest is deleted.
    """
    needs = {
        (each.type, each.name): {
            identity(urn)
            for urn in (*each.dependencies, each.parent, each.provider.rpartition("::")[0])
            if urn
        }
        for each in among
    }
    spared: set[tuple[str, str]] = set()
    reached = {(Protection.TYPE, lock)}
    while reached:
        spared |= reached
        reached = set().union(*(needs[each] for each in reached)) & needs.keys() - spared
    return spared


def identity(urn: str) -> tuple[str, str]:
    """Type and name of a resource."""
    *_, kind, name = urn.split("::")
    return kind.split("$")[-1], name


def test_cluster_pools_and_what_teams_keep_are_protected(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = record(BASE, monkeypatch)
    protected = {each.name for each in fleet.registrations if each.is_protected}
    kept = {"alpha-namespace", "alpha-jupyter-home", "beta-namespace", "tides-namespace"}
    google = {each.name for each in fleet.of_type(CLUSTER) + fleet.of_type(NODE_POOL)}

    assert protected == {*google, *kept, FLEET_FIRST, OF_ALPHA, OF_BETA, OF_TIDES}


def test_a_fleet_that_is_not_long_lived_has_every_lock_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fleet = record({**BASE, "long_lived": False}, monkeypatch)

    assert not any(each.is_protected for each in fleet.registrations)
    assert set(locks(fleet)) == {FLEET_FIRST, OF_ALPHA, OF_BETA, OF_TIDES}


def test_a_retired_team_has_an_open_lock_a_namespace_without_protection_and_no_gpu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fleet = retiring(monkeypatch)
    namespaces = {each.name: each.is_protected for each in fleet.of_type(NAMESPACE)}
    (quota,) = (each for each in fleet.registrations if each.name == "beta-gpu-quota")

    assert locks(fleet) == {FLEET_FIRST: True, OF_ALPHA: True, OF_BETA: False, OF_TIDES: True}
    assert namespaces["alpha-namespace"]
    assert not namespaces["beta-namespace"]
    assert quota.inputs["spec"]["hard"] == {"requests.nvidia.com/gpu": "0"}
    assert "beta-dask-cluster" not in {each.name for each in fleet.registrations}


def test_a_destroy_that_stops_at_the_fleets_lock_deletes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fleet = record(BASE, monkeypatch).registrations
    spared = spared_by(FLEET_FIRST, fleet)
    deleted = [each for each in fleet if (each.type, each.name) not in spared]

    assert {each.name for each in deleted} == {OF_ALPHA, OF_BETA, OF_TIDES}
    assert all(each.is_protected for each in deleted)


@pytest.mark.parametrize("team", TEAMS)
def test_a_removal_that_stops_at_a_teams_lock_deletes_nothing_of_the_team(
    team: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = record(BASE, monkeypatch)
    others = [each for each in BASE["teams"] if each["name"] != team]
    after = record({**BASE, "teams": others}, monkeypatch)
    stays = {(each.type, each.name) for each in after.registrations}
    gone = [each for each in before.registrations if (each.type, each.name) not in stays]

    owned = {f"{team}-namespace", f"{team}-dask-cluster", f"{team}-address"}
    assert owned < {each.name for each in gone}
    lock = TEAM_FIRST.format(team=team)
    assert spared_by(lock, gone) == {(each.type, each.name) for each in gone}
