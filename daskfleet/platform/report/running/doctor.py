"""What `daskfleet doctor` finds of a stack that is up, as problems of the page."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path

from daskfleet.platform.doctor.look import examine
from daskfleet.platform.doctor.model import Outcome
from daskfleet.platform.doctor.model import Report as DoctorReport
from daskfleet.platform.doctor.stack_settings import read_settings
from daskfleet.platform.report.running.model import Kind, Problem


async def examined(
    stack: str, *, stacks_dir: Path, project_dir: Path, environment: Mapping[str, str]
) -> DoctorReport:
    """Let the doctor look.

    Raises:
        UnknownStackError: the stack has no file here.

    """
    settings = await asyncio.to_thread(read_settings, stacks_dir, stack, environment)
    return await examine(
        settings, environment=environment, project_dir=project_dir, progress=lambda _: None
    )


def doctor_problems(report: DoctorReport) -> Iterator[Problem]:
    """Return what is wrong, or will be."""
    for finding in report.findings:
        if finding.outcome in {Outcome.WRONG, Outcome.WARNING}:
            needed = f"needed: {finding.needed}; " if finding.needed else ""
            yield Problem(
                kind=Kind.BEFORE_UP,
                about=f"{finding.area}: {finding.subject}",
                says=f"{needed}there: {finding.there}",
                next_step=finding.fix,
                command=finding.command,
            )


def not_looked_at(report: DoctorReport) -> tuple[str, ...]:
    """Return what the doctor could not look at."""
    return tuple(
        f"{finding.area}: {finding.subject}: {finding.there}"
        for finding in report.findings
        if finding.outcome is Outcome.NOT_LOOKED_AT
    )
