"""The one step between Pulumi's configuration and the components."""

import pulumi

from daskfleet.planning.fleet import plan_draft
from daskfleet.planning.plan import FleetPlan
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.pulumi_config import read_stack


def plan_current_stack() -> FleetPlan:
    """The fleet of the stack that Pulumi is running; its warnings go to Pulumi's diagnostics.

    So does, in a preview, what a new generation of a pool would take.

    Raises:
        pulumi.RunError: the stack is refused; Pulumi prints the text and no traceback.
    """
    try:
        plan = plan_draft(read_stack())
    except StackRefusedError as refusal:
        raise pulumi.RunError(str(refusal)) from None
    for warning in plan.warnings:
        pulumi.log.warn(warning)
    if pulumi.runtime.is_dry_run():
        for quota in plan.surge_quotas:
            pulumi.log.info(quota.notice)
    return plan
