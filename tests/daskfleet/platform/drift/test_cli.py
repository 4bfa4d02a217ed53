"""The command: exit statuses, the table, and JSON."""

import json

import pytest
from typer.testing import CliRunner

import daskfleet.platform.drift.cli
from daskfleet.platform.drift.errors import DriftError
from daskfleet.platform.drift.model import Difference, Owner, Report, Severity, by_severity

CHANGED = Difference(
    severity=Severity.CHANGED,
    resource="NetworkPolicy climate/egress",
    field="spec.egress",
    declared="UDP",
    found="TCP",
    owner=Owner.HAND,
    evidence="field manager kubectl-edit",
    remedy="put it back",
)
GONE = CHANGED.model_copy(
    update={"severity": Severity.GONE, "resource": "NodePool a100", "ask": "gcloud logging read x"}
)
NOTED = CHANGED.model_copy(update={"severity": Severity.INFORMATION})


def run(
    monkeypatch: pytest.MonkeyPatch, *differences: Difference, options: tuple[str, ...] = ()
) -> tuple[int, str]:
    """Run the command on a fleet with these differences."""
    report = Report(
        stack="prod",
        differences=by_severity(list(differences)),
        google_resources=12,
        kubernetes_objects=26,
    )
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(daskfleet.platform.drift.cli, "look", lambda *_, **__: report)
    result = CliRunner().invoke(daskfleet.platform.drift.cli.app, list(options))
    return result.exit_code, result.stdout


def test_no_drift_exits_with_0_and_says_what_was_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    status, said = run(monkeypatch)
    assert status == 0
    assert "prod: no drift; 12 resources on Google Cloud and 26 in the cluster" in said


def test_drift_exits_with_3_and_shows_what_is_gone_first(monkeypatch: pytest.MonkeyPatch) -> None:
    status, said = run(monkeypatch, CHANGED, GONE)
    assert status == 3
    assert said.index("NodePool a100") < said.index("NetworkPolicy")
    assert "    gcloud logging read x\n" in said
    assert "2 differ" in said


def test_information_is_shown_and_is_no_drift(monkeypatch: pytest.MonkeyPatch) -> None:
    status, said = run(monkeypatch, NOTED)
    assert status == 0
    assert "information" in said


def test_json_has_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    status, said = run(monkeypatch, CHANGED, options=("--json",))
    assert status == 3
    (difference,) = json.loads(said)["differences"]
    assert difference["owner"] == "a hand edit"
    assert (difference["declared"], difference["found"]) == ("UDP", "TCP")


@pytest.mark.parametrize(
    ("error", "status"), [(DriftError("no access"), 1), (KeyboardInterrupt(), 130)]
)
def test_what_cannot_be_found_out_is_not_taken_for_no_drift(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(daskfleet.platform.drift.cli, "look", fail)
    assert CliRunner().invoke(daskfleet.platform.drift.cli.app, []).exit_code == status
