"""Pure: what the stack tells of one team. Nothing here is secret."""

from collections.abc import Iterator

from daskfleet.contract.dask import COMM_PORT, DASHBOARD_PORT, SERVICE_NAME
from daskfleet.contract.declared import DeclaredGroup, DeclaredLab
from daskfleet.contract.outputs import JupyterOutput, RetiredTeamOutput, TeamOutput
from daskfleet.planning.plan import JupyterPlan, TeamPlan, WorkerGroup
from daskfleet.settings.team import Team
from manifests import jupyter_pod
from manifests.dask_generation import generation
from manifests.dask_tls import client_parts, secret_name
from manifests.dask_worker_group import group_name
from manifests.jupyter_lab import Lab, labs_of


def team_output(plan: TeamPlan) -> TeamOutput:
    """Return a team's part of the outputs, but for the address that Google gives it."""
    name, team = plan.team.name, plan.team
    host = f"{SERVICE_NAME}.{name}.svc.cluster.local"
    address = client_parts(team).address
    cluster = generation(plan)["metadata"]["name"]
    told = TeamOutput(
        namespace=name,
        dask_cluster=cluster,
        address=address,
        dashboard=f"http://{host}:{DASHBOARD_PORT}/status",
        port_forward=(
            f"kubectl port-forward --namespace {name} service/{SERVICE_NAME} "
            f"{COMM_PORT} {DASHBOARD_PORT}"
        ),
        image=plan.image.ref,
        rapids=plan.image.rapids,
        cuda=plan.image.cuda,
        connect=f'from dask.distributed import Client\n\nclient = Client("{address}")\n',
        workers=team.minimum_workers,
        worker_pool=plan.worker_generation.name,
        scheduler_pool=plan.scheduler_generation.name,
        scheduler_fallback=team.scheduler.fallback,
        threads_per_worker=plan.first_group.threads,
        worker_resources=plan.first_group.resources,
    )
    return told.model_copy(update=dict(_where_asked_for(plan, cluster=cluster)))


def _where_asked_for(plan: TeamPlan, *, cluster: str) -> Iterator[tuple[str, object]]:
    """What only the teams tell that have it."""
    if plan.worker_fallbacks:
        yield "worker_pools", _pools(plan.first_group)
    if plan.team.tls is not None:
        yield "tls_client_secret", secret_name(plan.team.tls, "client")
    if plan.team.adaptive is not None:
        yield "most_workers", plan.team.maximum_workers
    if plan.further_groups:
        groups = {each.name: _group_output(each, cluster=cluster) for each in plan.further_groups}
        yield "groups", groups
    if plan.jupyter is not None:
        yield "jupyter", _jupyter_output(plan.jupyter, team=plan.team)


def _jupyter_output(jupyter: JupyterPlan, *, team: Team) -> JupyterOutput:
    shared, port = Lab(team=team), jupyter_pod.PORT
    told = JupyterOutput(
        service=shared.name,
        port=port,
        image=jupyter.image.ref,
        token_secret=shared.token_secret,
        port_forward=f"kubectl port-forward --namespace {team.name} service/{shared.name} {port}",
    )
    people = {
        lab.person.name: DeclaredLab(service=lab.name, token_secret=lab.token_secret)
        for lab in labs_of(team)
        if lab.person
    }
    where_asked_for: dict[str, object] = {
        **({"worker_pool": jupyter.generation.name} if jupyter.generation else {}),
        **({"people": people} if people else {}),
    }
    return told.model_copy(update=where_asked_for)


def _group_output(group: WorkerGroup, *, cluster: str) -> DeclaredGroup:
    told = DeclaredGroup(
        dask_worker_group=group_name(cluster, group),
        workers=group.workers,
        worker_pool=group.generation.name,
        threads_per_worker=group.threads,
        worker_resources=group.resources,
    )
    return told.model_copy(update={"worker_pools": _pools(group)} if group.fallbacks else {})


def _pools(group: WorkerGroup) -> tuple[str, ...]:
    return tuple(step.generation.name for step in group.steps)


def retired_team_output(team: Team) -> RetiredTeamOutput:
    """Return a retired team's part of the outputs."""
    return RetiredTeamOutput(
        namespace=team.name,
        next_step=f"Save what is worth keeping, then remove the entry of {team.name} from "
        "daskfleet:teams and run `pulumi up`: that deletes the namespace with everything in it.",
    )
