"""``daskfleet cluster-spec``: a DaskCluster like a team's fixed one, for ``KubeCluster``."""

from typing import Annotated, NoReturn

import typer
import yaml
from rich.console import Console
from rich.text import Text

from daskfleet.access.errors import AccessError
from daskfleet.access.own_cluster_bounds import NoSpecError, NoStackError, Wanted, checked
from daskfleet.access.own_cluster_spec import Spec, chosen_spec, published_spec, told
from daskfleet.checkout import STACKS_DIR
from daskfleet.consoles import open_console
from daskfleet.contract.own_clusters import IDLE_TIMEOUT_S, LEAST_IDLE_TIMEOUT_S
from daskfleet.options import StackOfTeam

REFUSED = 1
USAGE = 2

WITH_TLS = (
    "The team has TLS, and KubeCluster connects by tcp:// alone (dask-kubernetes 2026.3.0): it "
    "would wait for ever. Create the cluster with kubectl: docs/ephemeral.md, section TLS."
)


def command(
    team: Annotated[str, typer.Argument(help="Team whose fixed cluster is the template.")],
    *,
    stack: StackOfTeam = None,
    name: Annotated[
        str | None, typer.Option(help="Name of the cluster. Default: TEAM-own.")
    ] = None,
    workers: Annotated[int, typer.Option(min=0, help="Workers that it starts with.")] = 1,
    idle_timeout_s: Annotated[
        int,
        typer.Option(min=LEAST_IDLE_TIMEOUT_S, help="Seconds without work until it is deleted."),
    ] = IDLE_TIMEOUT_S,
) -> None:
    """Print a DaskCluster with the image, pools and resources of a team's fixed one.

    It is for KubeCluster(custom_cluster_spec=...) of dask_kubernetes. Members need a kubeconfig;
    with a stack only its file is read. Exit status: 0 it was printed, 1 it is not available or the
    team may have no clusters of its own, 2 there is no such stack.
    """
    said = open_console(stderr=True)
    wanted = Wanted(name=name, workers=workers, idle_timeout_s=idle_timeout_s)
    try:
        spec, has_tls = _of_team(team, wanted) if stack is None else _of_stack(team, stack, wanted)
    except NoStackError as error:
        _refuse(said, str(error), USAGE)
    except (AccessError, NoSpecError) as error:
        _refuse(said, str(error), REFUSED)
    typer.echo(yaml.safe_dump(spec, sort_keys=False), nl=False)
    if has_tls:
        said.print(Text(WITH_TLS, style="yellow"), soft_wrap=True)


def _of_team(name: str, wanted: Wanted) -> tuple[Spec, bool]:
    """Return the spec, and whether the team has TLS."""
    team, kubeconfig = told(name)
    own = checked(team.own_clusters, team=name, wanted=wanted)
    spec = chosen_spec(
        published_spec(kubeconfig, own, team=name),
        was_called=own.spec_name,
        name=wanted.name or own.spec_name,
        workers=wanted.workers,
        idle_timeout_s=wanted.idle_timeout_s,
    )
    return spec, team.tls_client_secret is not None


def _of_stack(name: str, stack: str, wanted: Wanted) -> tuple[Spec, bool]:
    # What plans a stack file is no part of what members install.
    from daskfleet.team.cluster_spec.planned import planned_spec  # noqa: PLC0415

    return planned_spec(name, stack, wanted, stacks_dir=STACKS_DIR)


def _refuse(said: Console, text: str, status: int) -> NoReturn:
    said.print(Text(text, style="red"), soft_wrap=True)
    raise typer.Exit(status) from None
