"""``daskfleet cluster-spec``: a DaskCluster like a team's fixed one, for ``KubeCluster``."""

from typing import Annotated, NoReturn

import typer
import yaml
from rich.console import Console
from rich.text import Text

from daskfleet.checkout import STACKS_DIR
from daskfleet.consoles import open_console
from daskfleet.planning.fleet import plan_draft
from daskfleet.planning.plan import TeamPlan
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack_file import read_stack_file
from daskfleet.settings.stacks import UnknownStackError, stack_file
from manifests.ephemeral_spec import (
    IDLE_TIMEOUT_S,
    LEAST_IDLE_TIMEOUT_S,
    default_name,
    make_cluster_spec,
)

REFUSED = 1
USAGE = 2

WITH_TLS = (
    "The team has TLS, and KubeCluster connects by tcp:// alone (dask-kubernetes 2026.3.0): it "
    "would wait in vain. Create the cluster with kubectl: docs/ephemeral.md, section TLS."
)


def command(
    team: Annotated[str, typer.Argument(help="Team whose cluster the spec is like.")],
    *,
    stack: Annotated[
        str | None,
        typer.Option(
            envvar="PULUMI_STACK",
            help="Stack whose file is read; may be left out where there is only one.",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the cluster; else TEAM-own.")] = None,
    workers: Annotated[int, typer.Option(min=0, help="Workers that it begins with.")] = 1,
    idle_timeout_s: Annotated[
        int,
        typer.Option(
            min=LEAST_IDLE_TIMEOUT_S, help="Seconds without work after which it is deleted."
        ),
    ] = IDLE_TIMEOUT_S,
) -> None:
    """Print a DaskCluster with the image, pools and resources of a team's fixed one.

    It is for KubeCluster(custom_cluster_spec=...) of dask_kubernetes. Reads the stack file alone.
    Exit status: 0 it was printed, 1 the stack file is refused or the team may have no clusters of
    its own, 2 it cannot be told which stack is meant.
    """
    said = open_console(stderr=True)
    try:
        plan = plan_draft(read_stack_file(stack_file(STACKS_DIR, stack)))
    except UnknownStackError as error:
        _refuse(said, str(error), USAGE)
    except StackRefusedError as refusal:
        _refuse(said, str(refusal), REFUSED)
    planned = next((each for each in plan.teams if each.team.name == team), None)
    if planned is None:
        known = ", ".join(each.team.name for each in plan.teams) or "none"
        _refuse(said, f"The stack has no Dask cluster of a team {team}; it has: {known}.", REFUSED)
    if problem := why_not(planned, name=name, workers=workers):
        _refuse(said, problem, REFUSED)
    spec = make_cluster_spec(
        planned,
        name=name or default_name(planned),
        workers=workers,
        idle_timeout_s=idle_timeout_s,
    )
    typer.echo(yaml.safe_dump(spec, sort_keys=False), nl=False)
    if planned.team.tls is not None:
        said.print(Text(WITH_TLS, style="yellow"), soft_wrap=True)


def why_not(plan: TeamPlan, *, name: str | None, workers: int) -> str | None:
    """Why the API server would refuse such a cluster, or its quota some of its workers."""
    team = plan.team
    if team.ephemeral is None:
        return (
            f"Team {team.name} may have no clusters of its own. Give it `ephemeral` in the stack "
            "file (docs/ephemeral.md)."
        )
    if name == team.name:
        return f"{name} is the fixed cluster's name. Choose another --name."
    if workers > team.ephemeral.max_workers:
        return (
            f"teams[{team.name}].ephemeral.max_workers is {team.ephemeral.max_workers}. Ask for so "
            "many --workers at most."
        )
    return None


def _refuse(said: Console, text: str, status: int) -> NoReturn:
    said.print(Text(text, style="red"), soft_wrap=True)
    raise typer.Exit(status) from None
