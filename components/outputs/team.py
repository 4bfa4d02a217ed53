"""Pure: what the stack tells of one team. Nothing here is secret."""

from collections.abc import Iterator

from daskfleet.contract.dask import COMM_PORT, DASHBOARD_PORT, SERVICE_NAME
from daskfleet.contract.declared import DeclaredGroup
from daskfleet.contract.outputs import JupyterOutput, RetiredTeamOutput, TeamOutput
from daskfleet.planning.plan import JupyterPlan, TeamPlan, WorkerGroup
from daskfleet.settings.team import Team
from manifests import jupyter_pod
from manifests.dask_generation import generation
from manifests.dask_tls import client_parts, secret_name
from manifests.dask_worker_group import group_name


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
    if plan.team.tls is not None:
        yield "tls_client_secret", secret_name(plan.team.tls, "client")
    if plan.team.adaptive is not None:
        yield "most_workers", plan.team.maximum_workers
    if plan.further_groups:
        groups = {each.name: _group_output(each, cluster=cluster) for each in plan.further_groups}
        yield "groups", groups
    if plan.jupyter is not None:
        yield "jupyter", _jupyter_output(plan.jupyter, namespace=plan.team.name)


def _jupyter_output(jupyter: JupyterPlan, *, namespace: str) -> JupyterOutput:
    name, port = jupyter_pod.NAME, jupyter_pod.PORT
    told = JupyterOutput(
        service=name,
        port=port,
        image=jupyter.image.ref,
        token_secret=jupyter_pod.TOKEN_SECRET,
        port_forward=f"kubectl port-forward --namespace {namespace} service/{name} {port}",
    )
    if jupyter.generation is None:
        return told
    return told.model_copy(update={"worker_pool": jupyter.generation.name})


def _group_output(group: WorkerGroup, *, cluster: str) -> DeclaredGroup:
    return DeclaredGroup(
        dask_worker_group=group_name(cluster, group),
        workers=group.workers,
        worker_pool=group.generation.name,
        threads_per_worker=group.threads,
        worker_resources=group.resources,
    )


def retired_team_output(team: Team) -> RetiredTeamOutput:
    """Return a retired team's part of the outputs."""
    return RetiredTeamOutput(
        namespace=team.name,
        next_step=f"Save what is worth keeping, then remove the entry of {team.name} from "
        "daskfleet:teams and run `pulumi up`: that deletes the namespace with everything in it.",
    )
