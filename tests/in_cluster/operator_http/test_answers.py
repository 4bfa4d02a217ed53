"""Unit: what of a scheduler's answer reaches the operator."""

import json
from typing import Any

import pytest

from in_cluster.operator_http.answers import (
    UnansweredError,
    desired_workers,
    idle_since,
    parsed,
    retired,
)

NO_TIMES: list[object] = [True, "1", [], 10**400, float("inf")]
NO_NUMBERS: list[object] = [True, -1, 1.5, "3", None]
WORKERS = {"tcp://10.0.0.1:1": "alpha-default-worker-1a", "tcp://10.0.0.2:1": "alpha-big-worker-2b"}


def said(**names: object) -> dict[str, dict[str, object]]:
    return {address: {"name": name, "memory": 1} for address, name in names.items()}


def test_workers_that_are_named_may_go() -> None:
    answer = {address: {"name": name} for address, name in WORKERS.items()}
    assert retired(answer, most=2, cluster="alpha") == [*WORKERS.values()]
    assert retired({}, most=2, cluster="alpha") == []


@pytest.mark.parametrize(
    "answer",
    [
        said(a="alpha-default-worker-1", b="alpha-default-worker-2", c="alpha-default-worker-3"),
        said(a="../../../../kube-system/deployments/alpha-x"),
        said(a="alpha-../../../kube-system/deployments/x"),
        said(a="alpha-x/scale"),
        said(a="alpha-x\n"),
        said(a="jupyter"),
        said(a="alphaville-worker-1"),
        said(a=["alpha-default-worker-1"]),
        said(a={"metadata": {"namespace": "kube-system", "name": "alpha-x"}}),
        said(a=None),
        {"a": {}},
        {"a": "alpha-default-worker-1"},
        [{"name": "alpha-default-worker-1"}],
        None,
        "alpha-default-worker-1",
    ],
)
def test_nothing_else_is_deleted(answer: Any) -> None:
    with pytest.raises(UnansweredError):
        retired(answer, most=2, cluster="alpha")


@pytest.mark.parametrize(("since", "seconds"), [(None, 0.0), (0, 0.0), (1.5e9, 1.5e9), (7, 7.0)])
def test_an_idle_scheduler_says_since_when(since: object, seconds: float) -> None:
    assert idle_since({"idle_since": since}) == seconds


@pytest.mark.parametrize(
    "answer",
    [*({"idle_since": each} for each in NO_TIMES), {}, [], None],
)
def test_no_time_is_no_answer(answer: Any) -> None:
    with pytest.raises(UnansweredError):
        idle_since(answer)


def test_a_scheduler_says_how_many_workers_it_wants() -> None:
    assert desired_workers({"workers": 3}) == 3


@pytest.mark.parametrize("answer", [*({"workers": each} for each in NO_NUMBERS), {}, [], 3])
def test_no_number_is_no_answer(answer: Any) -> None:
    with pytest.raises(UnansweredError):
        desired_workers(answer)


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"NaN", b'{"workers": Infinity}', b"\xff", b"1" * 5000, b"[" * 100_000],
)
def test_what_is_no_json_is_no_answer(text: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        parsed(text)
    assert parsed(json.dumps({"workers": 1}).encode()) == {"workers": 1}
