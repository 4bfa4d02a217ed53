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


def retiring(monkeypatch: pytest.MonkeyPatch) -> Recording:
    """Alpha stays, beta is retired."""
    alpha, beta = BASE["teams"]
    return record({**BASE, "teams": [alpha, {**beta, "retire": True}]}, monkeypatch)


def locks(fleet: Recording) -> dict[str, bool]:
    return {each.name: each.is_protected for each in fleet.of_type(Protection.TYPE)}


def names_of(urns: frozenset[str]) -> set[str]:
    return {urn.split("::")[-1] for urn in urns}


def deleted_first(condemned: list[Registration]) -> set[str]:
    """What Pulumi deletes first of these: what the longest chain of dependencies leads to.

    As the engine's ``ScheduleDeletes`` does it: nothing is deleted in the round of what it depends
    on, by ``depends_on``, as a child, or through its provider.
    """
    needs = {
        (each.type, each.name): {
            identity(urn)
            for urn in (*each.dependencies, each.parent, each.provider.rpartition("::")[0])
            if urn
        }
        for each in condemned
    }
    rounds: list[set[tuple[str, str]]] = []
    left = set(needs)
    while left:
        rounds.append({each for each in left if not needs[each] & left})
        left -= rounds[-1]
    return {name for _, name in rounds[-1]}


def identity(urn: str) -> tuple[str, str]:
    """Type and name of a resource."""
    *_, kind, name = urn.split("::")
    return kind.split("$")[-1], name


FLEET = ("fleet-protection", "fleet-protection-before-teams", FLEET_FIRST)
ALPHA = ("alpha-team-protection", OF_ALPHA)
BETA = ("beta-team-protection", OF_BETA)


def test_cluster_pools_and_what_teams_keep_are_protected(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = record(BASE, monkeypatch)
    protected = {each.name for each in fleet.registrations if each.is_protected}
    namespaces = {"alpha-namespace", "beta-namespace"}
    google = {each.name for each in fleet.of_type(CLUSTER) + fleet.of_type(NODE_POOL)}

    assert protected == {*google, *namespaces, *FLEET, *ALPHA, *BETA}


def test_a_fleet_that_is_not_long_lived_has_every_lock_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fleet = record({**BASE, "long_lived": False}, monkeypatch)

    assert not any(each.is_protected for each in fleet.registrations)
    assert set(locks(fleet)) == {*FLEET, *ALPHA, *BETA}


def test_a_retired_team_has_an_open_lock_a_namespace_without_protection_and_no_gpu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fleet = retiring(monkeypatch)
    namespaces = {each.name: each.is_protected for each in fleet.of_type(NAMESPACE)}
    (quota,) = (each for each in fleet.registrations if each.name == "beta-gpu-quota")

    assert {name for name, is_on in locks(fleet).items() if is_on} == {*FLEET, *ALPHA}
    assert {name for name, is_on in locks(fleet).items() if not is_on} == {*BETA}
    assert namespaces["alpha-namespace"]
    assert not namespaces["beta-namespace"]
    assert quota.inputs["spec"]["hard"] == {"requests.nvidia.com/gpu": "0"}
    assert "beta-dask-cluster" not in {each.name for each in fleet.registrations}


def test_a_lock_comes_after_all_that_it_locks_and_waits_for_no_readiness(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fleet = record(BASE, monkeypatch)
    by_name = {each.name: each for each in fleet.of_type(Protection.TYPE)}
    custom = {
        each.name
        for each in fleet.registrations
        if each.is_custom and not each.type.startswith("pulumi:providers:")
    }
    addresses = {"alpha-address", "beta-address"}
    of_alpha = names_of(by_name["alpha-team-protection"].dependencies)

    assert names_of(by_name["fleet-protection"].dependencies) == custom - addresses
    assert {"alpha-namespace", "alpha-gpu-quota", "alpha-dask-cluster"} <= of_alpha
    assert "alpha-address" not in of_alpha


def test_the_locks_that_say_what_to_do_are_the_innermost(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = record(BASE, monkeypatch)
    around = {each.name: each.parent.split("::")[-1] for each in fleet.of_type(Protection.TYPE)}

    assert around[FLEET_FIRST] == "fleet-protection-before-teams"
    assert around["fleet-protection-before-teams"] == "fleet-protection"
    assert around[OF_ALPHA] == "alpha-team-protection"


def test_the_first_that_a_destroy_would_delete_is_the_fleets_lock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert deleted_first(record(BASE, monkeypatch).registrations) == {FLEET_FIRST}


def test_the_first_that_goes_with_a_team_is_its_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    before = record(BASE, monkeypatch)
    after = record({**BASE, "teams": BASE["teams"][:1]}, monkeypatch)
    stays = {(each.type, each.name) for each in after.registrations}
    gone = [each for each in before.registrations if (each.type, each.name) not in stays]

    assert {"beta-namespace", "beta-dask-cluster", "beta-address"} < {each.name for each in gone}
    assert deleted_first(gone) == {OF_BETA}
