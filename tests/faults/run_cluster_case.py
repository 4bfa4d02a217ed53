"""Running one case inside the cluster, and what has to hold at its end."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

from tests.faults.cluster_cases import Happening

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping

    from rehearsal.engine.events import ResourceEvent
    from tests.faults.case import Command
    from tests.faults.cluster_cases import ClusterCase
    from tests.faults.cluster_stage import ClusterStage, Fleet, Picture

_BACK_S = 60.0
_OTHER: Mapping[Fleet, Fleet] = {"two teams": "three teams", "three teams": "two teams"}


def run_cluster_case(
    stage: ClusterStage, case: ClusterCase, clean: Mapping[Fleet, Picture]
) -> tuple[Command, ...]:
    """Let it happen, follow the documentation, and compare with a clean run.

    Returns the commands that were needed. Raises AssertionError with what differs.
    """
    stage.rehearsal.inject()
    if case.step is None:
        stage.bring_to(case.target)
        stage.until_ready(clean[case.target])
        needed = _at_rest(stage, case, clean[case.target])
    else:
        stage.bring_to(_OTHER[case.target])
        stage.until_ready(clean[_OTHER[case.target]])
        needed = _at_step(stage, case)
    for command in needed:
        done = stage.recover() if command == "recover" else stage.up(case.target)
        assert done.exit_code == 0, f"{command}: {done.said}"
    assert len(needed) <= len(case.commands), needed
    _check(stage, case.target, clean[case.target])
    return needed


def _at_rest(stage: ClusterStage, case: ClusterCase, clean: Picture) -> tuple[Command, ...]:
    assert isinstance(case.trouble, Happening)
    stage.at = None
    if zone := case.trouble.stays_out:
        # It is still out of stock when the fleet has come back: the next case clears it.
        stage.rehearsal.inject({"kind": "stockout", "pool": ".*", "zone": zone, "times": 10_000})
    if not case.trouble.stocked_out:
        _happen(stage, case.trouble)
        stage.until_ready(clean)
        return ()
    stage.rehearsal.inject({"kind": "stockout", "pool": ".*", "times": 10_000})
    _happen(stage, case.trouble)
    failed = stage.up(case.target)
    assert failed.exit_code != 0, failed.said
    stage.rehearsal.inject()
    stage.until_ready(clean)
    return case.commands


def _at_step(stage: ClusterStage, case: ClusterCase) -> tuple[Command, ...]:
    trouble, step = case.trouble, case.step
    assert step is not None

    def is_there(event: ResourceEvent) -> bool:
        return (event.moment, event.operation, event.name, event.is_component) == (
            "began",
            step.operation,
            step.name,
            False,
        )

    def act(process: subprocess.Popen[str]) -> None:
        if isinstance(trouble, Happening):
            _happen(stage, trouble)
        else:
            process.send_signal(trouble)

    run = stage.up_until(case.target, is_there, act)
    assert run.acted, f"{step} was not seen: {run.said[-2000:]}"
    if isinstance(trouble, Happening) and run.exit_code == 0:
        return ()
    return case.commands


def _happen(stage: ClusterStage, happening: Happening) -> None:
    if happening.machine_of is not None:
        machines = [
            n.name for n in stage.rehearsal.see().nodes.values() if n.pool == happening.machine_of
        ]
        stage.rehearsal.happen(kind="machine-loss", machine=min(machines))
    elif happening.incident:
        stage.rehearsal.happen(**happening.incident)
    else:
        _restart_operator(stage)


def _restart_operator(stage: ClusterStage) -> None:
    before = stage.rehearsal.cluster.operator
    assert before is not None
    os.kill(before.process.pid, signal.SIGKILL)
    deadline = time.monotonic() + _BACK_S
    while (now := stage.rehearsal.cluster.operator) is None or now.process == before.process:
        assert time.monotonic() < deadline, "the operator does not come back"
        time.sleep(0.2)


def _check(stage: ClusterStage, target: Fleet, clean: Picture) -> None:
    """Nothing is missing, nothing is there twice, nothing is unknown, nothing is left to do."""
    stage.until_ready(clean)
    assert stage.picture() == clean
    assert stage.state.unfinished == []
    assert stage.state.locks == []
    silent = stage.up(target, "--expect-no-changes")
    assert silent.exit_code == 0, silent.said
    stage.at = target
