"""Members of teams whom GKE would not know."""

from collections.abc import Iterator

from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack

GROUP = "group:"


def member_problems(stack: Stack) -> Iterator[Problem]:
    """Groups on a cluster that knows none: their members would have rights that never apply."""
    if stack.cluster.security_group is not None:
        return
    for team_index, team in enumerate(stack.teams):
        for index, member in enumerate(team.members):
            if member.startswith(GROUP):
                domain = member.partition("@")[2]
                yield Problem(
                    key=f"teams[{team_index}].members[{index}]",
                    value=member,
                    reason="GKE knows groups only through the one that cluster.security_group "
                    "names, and the stack names none.",
                    allowed="user: and serviceAccount:, or group: together with "
                    "cluster.security_group",
                    next_step=f"set cluster.security_group to gke-security-groups@{domain} and "
                    "make the group a member of it.",
                )
