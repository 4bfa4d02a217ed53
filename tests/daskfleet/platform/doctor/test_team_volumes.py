"""Claims that the stack file names and nobody has made, or that only one node may have."""

import contextlib
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from daskfleet.access.errors import AccessError
from daskfleet.platform.doctor import ask_volumes, cluster_session
from daskfleet.platform.doctor.model import Finding, Outcome
from tests.daskfleet.platform.doctor.examined import Machine

VOLUMES = [
    {"claim": "reference", "mount_path": "/data/reference"},
    {"claim": "results", "mount_path": "/data/results", "read_only": False},
]


class Cluster:
    """Answers for an API server with the claims of a namespace."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.claims: list[dict[str, Any]] = []
        self.asked: list[str] = []
        found = SimpleNamespace(kubeconfig={})
        monkeypatch.setattr(cluster_session, "fleet_of_stack", lambda *_: found)
        monkeypatch.setattr(cluster_session, "connected", self.connected)
        monkeypatch.setattr(ask_volumes, "get", self.get)

    @contextlib.asynccontextmanager
    async def connected(self, *_: object, **__: object) -> AsyncIterator[None]:
        """Stand for a session."""
        yield

    async def get(self, *_: object, namespace: str) -> dict[str, Any]:
        """Answer with all of them."""
        self.asked.append(namespace)
        return {"items": self.claims}

    def has(self, name: str, *modes: str, phase: str = "Bound") -> None:
        """Let there be a claim."""
        spec = {"accessModes": [*modes]}
        self.claims.append({"metadata": {"name": name}, "spec": spec, "status": {"phase": phase}})


def examined(well: Machine) -> dict[str, Finding]:
    """What is found of claims, by the claim's name."""
    well.settings(teams=[{"name": "fraud", "workers": 1, "volumes": VOLUMES}])
    found = [each for each in well.examined().findings if each.subject.startswith("claim ")]
    assert all(each.subject.endswith(" of team fraud") for each in found)
    return {each.subject.split()[1]: each for each in found}


def test_claims_that_several_nodes_may_have_are_well(
    well: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Cluster(monkeypatch)
    cluster.has("reference", "ReadOnlyMany")
    cluster.has("results", "ReadWriteOnce", "ReadWriteMany")

    found = examined(well)

    assert cluster.asked == ["fraud"]
    assert [each.outcome for each in found.values()] == [Outcome.OK, Outcome.OK]


def test_one_that_is_missing_and_one_that_waits_are_told(
    well: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    Cluster(monkeypatch).has("results", "ReadWriteMany", phase="Pending")

    found = examined(well)

    assert [each.outcome for each in found.values()] == [Outcome.WARNING, Outcome.WARNING]
    assert found["reference"].there == "none of this name"
    assert found["results"].there == "not bound, ReadWriteMany"


@pytest.mark.parametrize("mode", ["ReadWriteOnce", "ReadWriteOncePod", "ReadOnlyMany"])
def test_a_claim_that_pods_on_several_nodes_cannot_write_to_is_told(
    well: Machine, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    cluster = Cluster(monkeypatch)
    cluster.has("reference", "ReadWriteMany")
    cluster.has("results", mode)

    found = examined(well)

    assert found["reference"].outcome is Outcome.OK
    assert found["results"].outcome is Outcome.WARNING
    assert found["results"].needed == "bound, ReadWriteMany"


def test_a_fleet_that_names_none_is_not_asked(
    well: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Cluster(monkeypatch)

    assert well.found() == []
    assert cluster.asked == []


def test_claims_of_a_fleet_that_cannot_be_reached_were_not_looked_at(
    well: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise AccessError("nothing was brought up")

    monkeypatch.setattr(cluster_session, "fleet_of_stack", refused)
    well.settings(teams=[{"name": "fraud", "workers": 1, "volumes": VOLUMES}])

    finding = well.only()

    assert (finding.subject, finding.outcome) == ("claims of teams", Outcome.NOT_LOOKED_AT)
