"""End to end: the unmodified program on the real engine, control plane and operator."""

import contextlib
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
import pytest

from daskfleet.contract.outputs import FleetOutputs
from rehearsal.report.build import build_report
from rehearsal.report.requests import Mark, google_writes, kubernetes_writes, lines_since
from rehearsal.supervisor.launch import live_supervisor
from rehearsal.timeline.model import Span
from rehearsal.up import PROGRAM_USER, timeline_of
from tests.rehearsal.end_to_end.running_rehearsal import STACK_FILE, RunningRehearsal

pytestmark = pytest.mark.rehearsal

MANY_LOOKS = 400
"""More than an `up` takes: the engine is watched twice a second."""


def test_every_claim_of_the_report_holds_after_up(fleet: RunningRehearsal) -> None:
    outputs = fleet.stage.engine.output("stack", "output", "--json")
    report = build_report(
        stack="rehearsal",
        fleet=FleetOutputs.model_validate_json(outputs),
        observation=fleet.see(),
        cluster=fleet.cluster,
        last_up=None,
        stage=(),
    )
    assert [(claim.text, claim.evidence) for claim in report.failed_claims] == []
    assert {(pod.team, pod.role, pod.pool) for pod in report.pods} == {
        ("climate", "scheduler", "scheduler-pool"),
        ("climate", "worker", "a100-fixed"),
        ("genomics", "scheduler", "scheduler-pool"),
        ("genomics", "worker", "a100-auto"),
    }


def test_a_second_up_changes_nothing_and_sends_no_write(fleet: RunningRehearsal) -> None:
    stack_file = STACK_FILE.read_bytes()
    google, kubernetes = Mark.now(fleet.workspace.request_log), Mark.now(fleet.cluster.audit_log)
    outcome = fleet.up()
    assert outcome.changed == 0
    assert google_writes(lines_since(google)) == ()
    assert kubernetes_writes(lines_since(kubernetes), user=PROGRAM_USER) == ()
    assert STACK_FILE.read_bytes() == stack_file


def test_a_refresh_finds_nothing_that_the_state_does_not_know(fleet: RunningRehearsal) -> None:
    outcome = fleet.run("refresh", "--yes", "--skip-preview")
    assert {op for op, count in outcome.changes.items() if count} <= {"same"}


def test_destroy_leaves_google_as_it_was_and_no_process_behind(fleet: RunningRehearsal) -> None:
    (cluster,) = fleet.workspace.clusters_dir.iterdir()
    operator = fleet.cluster.operator
    assert operator is not None
    fleet.run("destroy", "--yes", "--skip-preview")
    assert fleet.google_resources() == fleet.resources_before
    assert not cluster.exists()
    # The supervisor ends it when it sees that its pod has gone, which may be after `destroy`.
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(operator.process.pid).wait(timeout=60)
    assert not operator.process.is_alive
    assert [
        p.info["name"] for p in psutil.process_iter(["name", "cmdline"]) if names(p, cluster)
    ] == []


def test_gpu_nodes_boot_side_by_side_while_the_operator_is_installed(
    rehearsal: RunningRehearsal,
) -> None:
    rehearsal.inject()
    rehearsal.bring_down()
    rehearsal.inject({**HELD_POOLS, "kind": "hold", "when": "before", "times": 2})
    done = rehearsal.up(watch=Held(rehearsal).let_go_when_the_operator_runs)
    timeline = timeline_of(rehearsal.stage, done)
    assert timeline is not None
    spans = {span.name: span for span in timeline.spans}
    operator, schedulers = spans["Release dask-release"], spans["NodePool scheduler-pool-nodes"]
    a100s = spans["NodePool a100-fixed-nodes"]
    assert overlap(schedulers, a100s)
    assert overlap(operator, schedulers)
    assert overlap(operator, a100s)
    ends_s = {span.urn: span.end_s for span in timeline.spans}
    early = [
        (span.name, need)
        for span in timeline.spans
        for need in span.waits_for
        if ends_s[need] > span.start_s
    ]
    assert early == []
    assert timeline.critical_path[-1].group in {"team climate", "team genomics"}


HELD_POOLS = {"method": "GET", "path": "/nodePools/(scheduler-pool|a100-fixed)$"}
"""The provider looks whether a pool exists before it creates it."""


@dataclass
class Held:
    """Two GPU pools, held until the operator has a process, which no GPU pool should hinder."""

    fleet: RunningRehearsal
    looks: int = 0

    def let_go_when_the_operator_runs(self) -> str | None:
        """Look once; say what is wrong when it does not come to that."""
        self.looks += 1
        url = f"{self.fleet.base_url}/rehearsal/held"
        supervisor = live_supervisor(self.fleet.workspace)
        operators = [cluster.operator for cluster in supervisor.clusters] if supervisor else []
        if any(operators) and len(httpx.get(url).json()) == len(("schedulers", "a100s")):
            httpx.delete(url)
        return "the operator waits for GPU pools" if self.looks > MANY_LOOKS else None


def overlap(one: Span, other: Span) -> bool:
    """Whether both were worked on at some moment."""
    return one.start_s < other.end_s and other.start_s < one.end_s


def names(process: psutil.Process, directory: Path) -> bool:
    """Whether a process was started with a path below ``directory``."""
    return any(str(directory) in word for word in process.info["cmdline"] or ())
