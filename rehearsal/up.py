"""``rehearse up``: the engine on the stage, twice, and what was measured."""

from daskfleet.files import write_private_file
from rehearsal.engine.engine import Outcome
from rehearsal.progress import Step, Steps
from rehearsal.report.model import UP_STEP, LastUp, SecondUp, read_last_up
from rehearsal.report.requests import Mark, google_writes, kubernetes_writes, lines_since
from rehearsal.stage.stage import Stage
from rehearsal.supervisor.launch import live_supervisor
from rehearsal.supervisor.look import what_is_dead
from rehearsal.supervisor.serve import parse_latency
from rehearsal.timeline.build import build_timeline
from rehearsal.timeline.model import Timeline
from rehearsal.workspace import Workspace

PROGRAM_USER = "platform-engineer"
"""The account behind the token that the engine's Kubernetes provider is given."""


def bring_up(stage: Stage, steps: Steps) -> None:
    """Preview and update the stack, update it again, and keep what was measured.

    Raises:
        RehearsalError: the engine failed or was interrupted, or the stage broke.

    """
    with steps.step("pulumi preview") as step:
        planned = _run(stage, "preview", step=step)
        step.outcome = f"{planned.worked_on} resources to work on"
    with steps.step(UP_STEP) as step:
        done = _run(stage, "up", "--yes", "--skip-preview", step=step, total=planned.worked_on)
        step.outcome = f"{done.worked_on} resources done"
    timeline = timeline_of(stage, done) or _timeline_before(stage.workspace)
    with steps.step("pulumi up again") as step:
        second = second_up(stage, step)
        step.outcome = f"{second.changed_resources} changes"
    measured = LastUp(
        steps=tuple(steps.results),
        second_up=second,
        providers=stage.providers,
        timeline=timeline,
    )
    write_private_file(stage.workspace.report_file, measured.model_dump_json(indent=2))


def timeline_of(stage: Stage, up: Outcome) -> Timeline | None:
    """Return the timeline of an `up`, whose state is still there; None when it did nothing."""
    latency = stage.supervisor.latency
    return build_timeline(
        up.times,
        state=stage.engine.output("stack", "export"),
        latency=parse_latency(latency),
        latency_text=latency,
    )


def _timeline_before(workspace: Workspace) -> Timeline | None:
    last_up = read_last_up(workspace.report_file)
    return last_up.timeline if last_up else None


def second_up(stage: Stage, step: Step) -> SecondUp:
    """Update a stack whose settings are unchanged, and see what is written all the same.

    Raises:
        RehearsalError: the engine failed or was interrupted, or the stage broke.

    """
    record = live_supervisor(stage.workspace)
    audit_logs = [cluster.audit_log for cluster in record.clusters] if record else []
    google = Mark.now(stage.workspace.request_log)
    kubernetes = [Mark.now(log) for log in audit_logs]
    outcome = _run(stage, "up", "--yes", "--skip-preview", step=step)
    return SecondUp(
        changed_resources=outcome.changed,
        google_writes=google_writes(lines_since(google)),
        kubernetes_writes=tuple(
            write
            for mark in kubernetes
            for write in kubernetes_writes(lines_since(mark), user=PROGRAM_USER)
        ),
    )


def _run(stage: Stage, *arguments: str, step: Step, total: int | None = None) -> Outcome:
    return stage.engine.run(
        *arguments, step=step, total=total, watch=lambda: what_is_dead(stage.workspace)
    )
