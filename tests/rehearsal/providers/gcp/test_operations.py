"""Unit: waiting for one of Google's operations, and what its failure is called."""

from dataclasses import replace
from typing import Any

import pytest

from rehearsal.providers.gcp import operations
from rehearsal.providers.gcp.operations import OperationFailedError, run_operation
from tests.rehearsal.providers.calls import engine_call

LINK = "http://127.0.0.1:1/container/v1beta1/projects/p/locations/l/operations/operation-1"


class Google:
    """Answers a request, and then each look at its operation, with the next of these."""

    def __init__(self, *answers: dict[str, Any] | None) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def send(self, method: str, service: str, path: str, **_: object) -> dict[str, Any]:
        """Start the operation."""
        self.asked.append(f"{method} {service} {path}")
        return self.answers.pop(0) or {}

    def get(self, service: str, path: str, **_: object) -> dict[str, Any] | None:
        """Look at it."""
        self.asked.append(f"GET {service} {path}")
        return self.answers.pop(0)


def operation(status: str, **more: Any) -> dict[str, Any]:
    return {"name": "operation-1", "status": status, "selfLink": LINK, **more}


def waited_for(*answers: dict[str, Any] | None, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run an operation; return what was asked, and what was reported meanwhile."""
    monkeypatch.setattr(operations, "POLL_S", 0.001)
    google: Any = Google(*answers)
    said: list[str] = []
    call = replace(engine_call(), report=said.append)
    run_operation(
        google, "container", "POST", "pools", doing="creating", call=call, default_timeout_s=60
    )
    assert google.answers == []
    return google.asked, said


def test_an_operation_is_looked_at_until_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, said = waited_for(
        operation("PENDING"), operation("RUNNING"), None, operation("DONE"), monkeypatch=monkeypatch
    )

    assert asked[0] == "POST container pools"
    assert asked[1:] == ["GET container projects/p/locations/l/operations/operation-1"] * 3
    assert said == ["creating: running", "creating: running"]


def test_one_that_is_done_at_once_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, said = waited_for(operation("DONE"), monkeypatch=monkeypatch)

    assert (len(asked), said) == (1, [])


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        ({"statusMessage": "no A100 here"}, "no A100 here"),
        ({"error": {"errors": [{"message": "first"}, {"code": "SECOND"}]}}, "first; SECOND"),
    ],
    ids=["GKE", "Compute Engine"],
)
def test_a_failure_is_told_in_googles_words(
    monkeypatch: pytest.MonkeyPatch, failure: dict[str, Any], reason: str
) -> None:
    with pytest.raises(OperationFailedError, match=f"^Error waiting for creating: {reason}$"):
        waited_for(operation("DONE", **failure), monkeypatch=monkeypatch)
