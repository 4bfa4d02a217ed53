"""The stack file: whether it becomes a fleet, and what of it Pulumi itself reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from daskfleet.planning.fleet import plan_draft
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack_file import read_stack_file
from daskfleet.settings.stacks import PREFIX, SUFFIX, stack_file
from daskfleet.stack_text.read import read_file

CONFIG_FILE = "PULUMI_OPTION_CONFIG_FILE"
"""The engine reads the file that it names in place of the stack's own; a rehearsal sets it."""


@dataclass(frozen=True, kw_only=True)
class StackSettings:
    """One stack and its file."""

    name: str
    plan: FleetPlan | None
    """None: the file is refused."""
    secrets_provider: str
    finding: Finding


def read_settings(
    stacks_dir: Path, stack: str | None, environment: Mapping[str, str]
) -> StackSettings:
    """Read and plan a stack.

    Raises:
        UnknownStackError: it cannot be told which one is meant.

    """
    file = stack_file(stacks_dir, stack)
    name = file.name.removeprefix(PREFIX).removesuffix(SUFFIX)
    if environment.get(CONFIG_FILE):
        file = Path(environment[CONFIG_FILE])
    plan: FleetPlan | None = None
    draft = read_stack_file(file)
    try:
        plan = plan_draft(draft)
    except StackRefusedError as refusal:
        finding = Finding(
            area=Area.STACK_FILE,
            subject=file.name,
            outcome=Outcome.WRONG,
            needed="settings that become a fleet",
            there=str(refusal),
            fix="Correct the file; the preview says the same.",
            command=f"pulumi preview --stack {name}",
        )
        return StackSettings(name=name, plan=None, secrets_provider="", finding=finding)
    finding = Finding(
        area=Area.STACK_FILE,
        subject=file.name,
        outcome=Outcome.OK,
        needed="settings that become a fleet",
        there=f"{len(plan.teams)} teams fit the pools",
    )
    content = read_file(file).content
    provider = content.get("secretsprovider") if isinstance(content, Mapping) else ""
    return StackSettings(
        name=name, plan=plan, secrets_provider=str(provider or ""), finding=finding
    )
