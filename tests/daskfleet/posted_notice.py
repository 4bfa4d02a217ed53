"""What `pulumi up` tells the members of a team, for tests of whoever reads it."""

from components.outputs.notice import notice, notice_text
from daskfleet.planning.node_pool_spec import gpu_pool_specs
from daskfleet.planning.plan import FleetPlan, TeamPlan


def posted_notice(plan: FleetPlan, team: TeamPlan | None = None, *, stack: str = "prod") -> str:
    """Return the text of a team's notice, of the first team if none is given."""
    told = notice(
        team or plan.teams[0],
        stack=plan.stack,
        pools=gpu_pool_specs(plan.stack),
        stack_name=stack,
    )
    return notice_text(told)
