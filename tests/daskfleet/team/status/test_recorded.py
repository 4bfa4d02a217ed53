"""Unit: a namespace as a real API server, kube-scheduler and Dask operator left it.

Recorded in a rehearsal whose A100s other pods had taken, after one worker was deleted and three
were asked for, of two that are declared; of each object what is read here and its context.
"""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from daskfleet.pod_status import KubernetesObject
from daskfleet.team.status.assess import assess
from daskfleet.team.status.model import Loss, Report, Verdict
from daskfleet.team.status.observed import Observed
from daskfleet.team.status.render import rendered
from tests.daskfleet.team.status.objects import NOW, TEAM

RECORDED = json.loads((Path(__file__).parent / "data" / "waits_for_gpu.json").read_text("utf-8"))
CLIMATE = TEAM.model_copy(update={"namespace": "climate", "dask_cluster": "climate"})
WAITING = "climate-default-worker-51d769f16c-cdf8dfcb7-nqrt9"


def of_kind(kind: str) -> tuple[KubernetesObject, ...]:
    return tuple(each for each in RECORDED if each["kind"] == kind)


@pytest.fixture
def report() -> Report:
    observed = Observed(
        pods=of_kind("Pod"),
        events=of_kind("Event"),
        clusters=of_kind("DaskCluster"),
        groups=of_kind("DaskWorkerGroup"),
        quotas=of_kind("ResourceQuota"),
        not_known=("clients and tasks of climate: no whole answer within 10 s",),
    )
    return assess(CLIMATE, observed, name="climate", stack="rehearsal", at=NOW)


def test_a_pod_that_waits_for_a_gpu_is_told_so(report: Report) -> None:
    (waiting,) = [pod for pod in report.pods if not pod.is_ready]

    assert report.verdict is Verdict.NOT_READY
    assert waiting.name == WAITING
    assert waiting.waits_for.startswith("not scheduled: 0/5 nodes are available: 1 node(s) had")
    assert waiting.means.startswith("Every GPU of its pool is in use")


def test_the_worker_that_the_quota_refuses_is_told_with_its_reason(report: Report) -> None:
    (problem,) = report.problems

    assert problem.about == "climate-default lacks 1 of 3 workers"
    assert problem.says.startswith('Error creating: pods "climate-default-worker-')
    assert "exceeded quota: gpus" in problem.says
    assert problem.means.startswith("The stack file declares 2")


def test_people_read_all_of_it(report: Report) -> None:
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(rendered(report))
    text = console.export_text()

    assert "climate: not ready, stack rehearsal, 2026-11-23 09:00 UTC" in text
    assert "climate: scheduler ready; default: 1 of 3 workers ready, 2 declared" in text
    assert f"{WAITING}: not scheduled" in text
    assert "quota: GPUs 3 of 3" in text
    assert "not known: clients and tasks of climate" in text
    assert all(pod.name in text for pod in report.pods)


def test_a_time_that_no_calendar_has_hides_nothing(report: Report) -> None:
    at = "0001-01-01T00:00:00+23:00"
    odd = report.model_copy(update={"losses": (Loss(at=at, pod="w-1", why="it ended"),)})
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(rendered(odd))

    assert f"{at} w-1: it ended" in console.export_text()
