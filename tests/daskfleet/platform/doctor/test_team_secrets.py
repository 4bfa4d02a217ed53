"""Secrets that the stack file names and nobody has made."""

import contextlib
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from daskfleet.access.errors import AccessError
from daskfleet.platform.doctor import ask_secrets, cluster_session
from daskfleet.platform.doctor.model import Outcome
from tests.daskfleet.platform.doctor.examined import Machine

SHARED = {"machine_type": "n1-standard-4", "schedulers_per_gpu": 2}


class Cluster:
    """Answers for an API server, and keeps what it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[dict[str, Any]] = []
        self.names: dict[str, list[str]] = {}
        self.for_pulling: dict[str, list[str]] = {}
        found = SimpleNamespace(kubeconfig={})
        monkeypatch.setattr(cluster_session, "fleet_of_stack", lambda *_: found)
        monkeypatch.setattr(cluster_session, "connected", self.connected)
        monkeypatch.setattr(ask_secrets, "get", self.get)

    @contextlib.asynccontextmanager
    async def connected(self, *_: object, **__: object) -> AsyncIterator[None]:
        """Stand for a session."""
        yield

    async def get(self, *_: object, **arguments: Any) -> dict[str, Any]:
        """Answer with names."""
        self.asked.append(arguments)
        is_typed = "type=kubernetes.io/dockerconfigjson" in arguments["params"].values()
        names = self.for_pulling if is_typed else self.names
        found = names.get(arguments["namespace"], [])
        return {"items": [{"metadata": {"name": name}} for name in found]}


def test_each_is_looked_for_by_name_and_one_to_pull_with_by_type_too(
    well: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Cluster(monkeypatch)
    cluster.names = {"fraud": ["acme", "warehouse"], "late": ["own"]}
    cluster.for_pulling = {"fraud": ["acme"]}
    teams = [
        {"name": "fraud", "workers": 1, "secrets": [{"name": "warehouse"}]},
        {"name": "late", "workers": 1, "pull_secret": "own", "secrets": [{"name": "key"}]},
    ]
    well.settings(registry={"pull_secret": "acme"}, teams=teams, scheduler_pool=SHARED)

    report = well.examined()

    found = {f.subject: f for f in report.findings if f.subject.startswith("Secret ")}
    assert {subject: each.outcome for subject, each in found.items()} == {
        "Secret acme of team fraud": Outcome.OK,
        "Secret warehouse of team fraud": Outcome.OK,
        "Secret own of team late": Outcome.WARNING,
        "Secret key of team late": Outcome.WARNING,
    }
    assert found["Secret own of team late"].there == "none of this name and type"
    assert found["Secret own of team late"].command == (
        "kubectl --namespace late create secret generic own "
        "--type=kubernetes.io/dockerconfigjson --from-file=.dockerconfigjson=FILE"
    )
    assert found["Secret key of team late"].command.endswith(" key --from-env-file=FILE")


def test_no_request_is_for_what_a_secret_holds(
    well: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Cluster(monkeypatch)
    well.settings(registry={"pull_secret": "acme"})
    well.examined()

    assert cluster.asked
    for each in cluster.asked:
        assert each["headers"]["Accept"].startswith("application/json;as=PartialObjectMetadataList")


def test_a_fleet_that_names_none_is_not_asked(
    well: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Cluster(monkeypatch)
    assert well.found() == []
    assert cluster.asked == []


def test_secrets_of_a_fleet_that_cannot_be_reached_were_not_looked_at(
    well: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise AccessError("nothing was brought up")

    monkeypatch.setattr(cluster_session, "fleet_of_stack", refused)
    well.settings(registry={"pull_secret": "acme"})

    finding = well.only()

    assert (finding.subject, finding.outcome) == ("Secrets of teams", Outcome.NOT_LOOKED_AT)
