"""The spec by a stack file of a checkout, for platform engineers.

The one module of members' commands that plans a stack file: no other may load it before somebody
names a stack.
"""

from pathlib import Path

from daskfleet.access.own_cluster_bounds import NoSpecError, NoStackError, Wanted, checked
from daskfleet.access.own_cluster_spec import Spec
from daskfleet.planning.fleet import plan_draft
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack_file import read_stack_file
from daskfleet.settings.stacks import UnknownStackError, stack_file
from manifests.ephemeral_spec import default_name, make_cluster_spec


def planned_spec(name: str, stack: str, wanted: Wanted, *, stacks_dir: Path) -> tuple[Spec, bool]:
    """Return the spec, and whether the team has TLS.

    Raises:
        NoStackError: there is no such stack file.
        NoSpecError: it is refused, has no such team, or the team may have no such cluster.

    """
    try:
        plan = plan_draft(read_stack_file(stack_file(stacks_dir, stack)))
    except UnknownStackError as error:
        raise NoStackError(str(error)) from error
    except StackRefusedError as error:
        raise NoSpecError(str(error)) from error
    planned = next((each for each in plan.teams if each.team.name == name), None)
    if planned is None:
        known = ", ".join(each.team.name for each in plan.teams) or "none"
        raise NoSpecError(f"The stack has no Dask cluster for team {name}; it has: {known}.")
    checked(planned.team.ephemeral, team=name, wanted=wanted)
    spec = make_cluster_spec(
        planned,
        name=wanted.name or default_name(planned),
        workers=wanted.workers,
        idle_timeout_s=wanted.idle_timeout_s,
    )
    return spec, planned.team.tls is not None
