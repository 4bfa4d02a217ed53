"""Unit: probes as declared, and what their answers add up to."""

from typing import Any

import pytest

from rehearsal.dask_pods.probe_spec import (
    EXTRA_PERIOD_S,
    Exec,
    HttpGet,
    NotProbed,
    ProbeCount,
    ProbeSpec,
    TcpSocket,
    probes_of,
)
from tests.rehearsal.dask_pods.pods import team_pod

PORTS = [{"name": "http-dashboard", "containerPort": 8788}]


def spec(kind: str = "readiness", **probe: Any) -> ProbeSpec:
    (only,) = probes_of({f"{kind}Probe": {"exec": {"command": ["true"]}, **probe}})
    return only


def count(kind: str = "readiness", *, started_at: float = 100, **probe: Any) -> ProbeCount:
    return ProbeCount(spec=spec(kind, **probe), started_at=started_at)


def answer(counted: ProbeCount, *answers: bool) -> None:
    for well in answers:
        counted.answered(well=well, counts=True)


@pytest.mark.parametrize(
    ("probe", "handler"),
    [
        (
            {"httpGet": {"path": "/health", "port": "http-dashboard"}},
            HttpGet(port=8788, path="/health", scheme="http", headers=()),
        ),
        (
            {
                "httpGet": {
                    "port": 80,
                    "scheme": "HTTPS",
                    "httpHeaders": [{"name": "A", "value": "b"}],
                }
            },
            HttpGet(port=80, path="/", scheme="https", headers=(("A", "b"),)),
        ),
        ({"tcpSocket": {"port": "8786"}}, TcpSocket(port=8786)),
        ({"exec": {"command": ["a", "b"]}}, Exec(argv=("a", "b"))),
        ({"tcpSocket": {"port": "none"}}, NotProbed(why="couldn't find port: none")),
        ({"grpc": {"port": 1}}, NotProbed(why="no probe of this kind here: grpc")),
    ],
)
def test_each_kind_of_probe_is_read_with_its_port_by_name_or_number(
    probe: dict[str, Any], handler: object
) -> None:
    (read,) = probes_of({"readinessProbe": probe, "ports": PORTS})
    assert read.handler == handler


def test_what_is_not_said_is_kubernetes_default() -> None:
    read = spec()
    assert (read.period_s, read.timeout_s, read.initial_delay_s) == (10, 1, 0)
    assert (read.success_threshold, read.failure_threshold, read.grace_s) == (1, 3, None)


def test_the_teams_scheduler_has_three_probes_of_its_health() -> None:
    (container,) = team_pod("scheduler")["spec"]["containers"]
    read = {probe.kind: probe for probe in probes_of(container)}
    assert set(read) == {"startup", "readiness", "liveness"}
    assert {probe.handler for probe in read.values()} == {
        HttpGet(port=8787, path="/health", scheme="http", headers=())
    }
    assert read["startup"].failure_threshold == 60


def test_a_kubelet_takes_a_container_for_alive_and_not_for_ready_until_it_knows() -> None:
    assert count("liveness").is_well
    assert not count("readiness").is_well
    assert not count("startup").is_well


def test_it_is_asked_at_once_and_then_each_period() -> None:
    counted = count("liveness", periodSeconds=10)
    assert counted.is_due(100)
    assert counted.asked(100)
    assert not counted.is_due(109.9)
    assert counted.is_due(110)
    assert counted.asked(110.2)
    assert not counted.is_due(120.1)


def test_nothing_is_asked_before_the_initial_delay() -> None:
    counted = count(initialDelaySeconds=7)
    assert not counted.is_due(106.9)
    assert counted.is_due(107)


def test_until_it_is_well_it_is_asked_more_often_and_those_failures_do_not_count() -> None:
    counted = count("startup", periodSeconds=10, failureThreshold=2)
    assert counted.asked(100)
    answer(counted, False)
    for look in range(1, 10):
        now = 100 + look * EXTRA_PERIOD_S
        assert counted.is_due(now)
        counts = counted.asked(now)
        assert not counts
        counted.answered(well=False, counts=counts)
    assert not counted.has_failed
    assert counted.asked(110)
    answer(counted, False)
    assert counted.has_failed


def test_an_extra_look_that_finds_it_well_counts_and_is_the_last_extra_one() -> None:
    counted = count("readiness", periodSeconds=10)
    counted.asked(100)
    answer(counted, False)
    counted.answered(well=True, counts=counted.asked(100.5))
    assert counted.is_well
    assert not counted.is_due(105)
    assert counted.is_due(110)


def test_readiness_is_lost_after_so_many_failures_in_a_row_and_won_back() -> None:
    counted = count(failureThreshold=3, successThreshold=2)
    answer(counted, True)
    assert not counted.is_well
    answer(counted, True)
    assert counted.is_well
    answer(counted, False, False, True, False, False)
    assert counted.is_well
    answer(counted, False)
    assert not counted.is_well
    answer(counted, True, True)
    assert counted.is_well


def test_liveness_fails_after_so_many_failures_in_a_row() -> None:
    counted = count("liveness", failureThreshold=2)
    answer(counted, False, True, False)
    assert not counted.has_failed
    answer(counted, False)
    assert counted.has_failed
