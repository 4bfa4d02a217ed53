"""Unit: what is read, and that what cannot be read hides nothing else."""

from pathlib import Path
from typing import Any

import pytest

import daskfleet.platform.history.look as under_test
from daskfleet.access.errors import AccessError
from daskfleet.access.pulumi_cli import Pulumi
from daskfleet.platform.history.errors import HistoryError
from daskfleet.platform.history.look import read_history
from daskfleet.platform.history.seen import Seen
from tests.daskfleet.platform.history.records import UNTIL, record, team

STATE = {
    "deployment": {
        "resources": [
            {"urn": "urn:pulumi:prod::d::t::s", "type": "pulumi:pulumi:Stack", "outputs": {}},
            {
                "urn": "urn:pulumi:prod::d::t::w",
                "type": "daskfleet:gke:KubernetesProvider",
                "outputs": {"kubeconfig": "{}"},
            },
        ]
    }
}


@pytest.fixture
def fleet(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A stack with one update, and a cluster that answers."""
    records = ((record(0, team("fraud")),), True)
    monkeypatch.setattr(under_test, "read_records", lambda *_, **__: records)
    monkeypatch.setattr(under_test, "export_state", lambda *_: STATE)
    monkeypatch.setattr(under_test, "look_at", lambda _: Seen(clusters=(), nodes=()))
    return monkeypatch


DAYS = 10_000.0


def raising(error: Exception) -> Any:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


def test_the_stack_is_called_as_its_state_says(fleet: pytest.MonkeyPatch) -> None:
    del fleet
    said: list[str] = []
    history = read_history(Path(), None, days=DAYS, progress=said.append)
    assert history.stack == "prod"
    assert len(history.updates) == 1
    assert said == ["reading Pulumi's history", "reading the state", "reading the cluster"]
    assert history.read_at >= UNTIL


@pytest.mark.parametrize("broken", ["export_state", "look_at"])
def test_a_cluster_that_cannot_be_asked_hides_no_update(
    fleet: pytest.MonkeyPatch, broken: str
) -> None:
    fleet.setattr(under_test, broken, raising(AccessError("your login has expired")))
    history = read_history(Path(), "prod", days=DAYS)
    assert len(history.updates) == 1
    assert history.unknown == ("The cluster was not asked: your login has expired",)


def test_a_state_without_a_cluster_is_said(fleet: pytest.MonkeyPatch) -> None:
    fleet.setattr(under_test, "export_state", lambda *_: {"deployment": None})
    fleet.setattr(Pulumi, "run", lambda *_: "prod\n")
    history = read_history(Path(), None, days=DAYS)
    assert history.stack == "prod"
    assert "no Kubernetes provider" in history.unknown[0]


def test_without_a_stack_there_is_no_history(fleet: pytest.MonkeyPatch) -> None:
    fleet.setattr(under_test, "export_state", raising(AccessError("no stack selected")))
    fleet.setattr(Pulumi, "run", raising(AccessError("no stack selected")))
    with pytest.raises(HistoryError, match="no stack selected"):
        read_history(Path(), None, days=DAYS)
