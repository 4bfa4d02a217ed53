"""Unit: what a scheduler may say to the controller, and what is taken of it."""

from collections.abc import Mapping

import pytest

from in_cluster.gpu_health import apis
from in_cluster.gpu_health.apis import Schedulers
from in_cluster.operator_http.answers import UnansweredError


class Asked:
    """A scheduler that answers anything."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answer: object = None
        self.questions: list[tuple[object, ...]] = []
        monkeypatch.setattr(apis, "ask", self._ask)

    async def _ask(
        self, method: str, service: str, namespace: str, path: str, body: Mapping[str, object] = {}
    ) -> object:
        self.questions.append((method, f"{service}.{namespace}", path, dict(body)))
        return self.answer


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(monkeypatch)


def test_the_workers_are_those_that_it_lists_with_name_and_address(asked: Asked) -> None:
    named = {"name": "fraud-default-worker-a", "address": "tcp://10.0.0.1:1"}
    asked.answer = {"num_workers": 2, "workers": [named, {"name": 7, "address": "tcp://x:1"}, {}]}

    assert Schedulers().workers("fraud", "fraud") == {named["name"]: named["address"]}
    assert asked.questions == [("GET", "fraud-scheduler.fraud.svc", "get_workers", {})]


@pytest.mark.parametrize("answer", [None, [], {}, {"workers": {}}, {"workers": ["a"]}, "workers"])
def test_what_lists_no_workers_is_no_answer(asked: Asked, answer: object) -> None:
    asked.answer = answer

    with pytest.raises(UnansweredError):
        Schedulers().workers("fraud", "fraud")


def test_these_workers_are_retired_and_those_that_were_are_named(asked: Asked) -> None:
    asked.answer = {"tcp://10.0.0.1:1": {"name": "fraud-default-worker-a"}}

    addresses = ["tcp://10.0.0.1:1", "tcp://10.0.0.1:2"]
    assert Schedulers().retire("fraud", "fraud", addresses) == ["fraud-default-worker-a"]
    (question,) = asked.questions
    assert question[2:] == ("retire_workers", {"workers": addresses})


@pytest.mark.parametrize(
    "answer",
    [
        {"tcp://a:1": {"name": "../../kube-system"}},
        {"tcp://a:1": {"name": "payroll-default-worker-a"}},
        {"tcp://a:1": {"name": "fraud-a"}, "tcp://a:2": {"name": "fraud-b"}},
        {"Error": "Internal Server Error"},
        [],
    ],
)
def test_names_of_others_and_more_than_were_asked_for_are_no_answer(
    asked: Asked, answer: object
) -> None:
    asked.answer = answer

    with pytest.raises(UnansweredError):
        Schedulers().retire("fraud", "fraud", ["tcp://a:1"])
