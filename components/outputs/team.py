"""Pure: what the stack tells of one team. Nothing here is secret."""

from typing import NotRequired, TypedDict

from pulumi import Output

from daskfleet.contract.dask import COMM_PORT, DASHBOARD_PORT, SERVICE_NAME
from daskfleet.planning.plan import TeamPlan, WorkerGroup
from daskfleet.settings.team import Team
from manifests import jupyter_pod
from manifests.dask_generation import generation
from manifests.dask_tls import client_parts, secret_name
from manifests.dask_worker_group import group_name


class JupyterOutput(TypedDict):
    """How a team reaches its JupyterLab."""

    service: str
    port: int
    image: str
    token_secret: str
    """Name of the Secret; its key is ``token``."""

    port_forward: str
    """For people outside of the cluster: then ``http://localhost:8888``."""

    worker_pool: NotRequired[str]
    """Where it has a GPU."""


class GroupOutput(TypedDict):
    """A further group of a team's workers."""

    dask_worker_group: str
    workers: int
    worker_pool: str
    threads_per_worker: int
    worker_resources: dict[str, float]


class TeamOutput(TypedDict):
    """How a team reaches its Dask cluster."""

    namespace: str
    dask_cluster: str
    address: str
    """For clients in the team's namespace."""

    dashboard: str
    port_forward: str
    """For clients outside of the cluster: then ``localhost:8786``."""

    image: str
    """What a client must run too: the scheduler unpacks what the client has packed."""

    rapids: str
    """RAPIDS release inside the image."""

    cuda: int
    """CUDA major version inside the image."""

    connect: str
    """Python that connects."""

    workers: int
    """How many there are; of an adaptive team, the fewest."""

    most_workers: NotRequired[int]
    """Of an adaptive team."""

    worker_pool: str
    """GKE's name of the pool; its nodes carry it as a label."""

    scheduler_pool: str
    """GKE's name of the pool; its nodes carry it as a label."""

    scheduler_fallback: str
    """Where else the scheduler may be: ``none`` or ``worker-pool``."""

    threads_per_worker: int
    worker_resources: dict[str, float]
    """Dask resources of each worker."""

    tls_client_secret: NotRequired[str]
    """Secret with a client's certificate, in the team's namespace, of teams that have ``tls``."""
    groups: NotRequired[dict[str, GroupOutput]]
    """Further groups of workers, of teams that have them; all of the above is the first group."""

    internal_address: NotRequired[Output[str]]
    """For clients in the VPC, of teams that have ``access.internal_load_balancer``."""

    jupyter: NotRequired[JupyterOutput]
    """Of teams that have a JupyterLab."""


class RetiredTeamOutput(TypedDict):
    """What is left of a retired team."""

    namespace: str
    next_step: str


def team_output(plan: TeamPlan, *, internal_address: Output[str] | None = None) -> TeamOutput:
    """Return a team's part of the outputs."""
    name = plan.team.name
    host = f"{SERVICE_NAME}.{name}.svc.cluster.local"
    address = client_parts(plan.team).address
    output: TeamOutput = {
        "namespace": name,
        "dask_cluster": generation(plan)["metadata"]["name"],
        "address": address,
        "dashboard": f"http://{host}:{DASHBOARD_PORT}/status",
        "port_forward": (
            f"kubectl port-forward --namespace {name} service/{SERVICE_NAME} "
            f"{COMM_PORT} {DASHBOARD_PORT}"
        ),
        "image": plan.image.ref,
        "rapids": plan.image.rapids,
        "cuda": plan.image.cuda,
        "connect": f'from dask.distributed import Client\n\nclient = Client("{address}")\n',
        "workers": plan.team.minimum_workers,
        "worker_pool": plan.worker_generation.name,
        "scheduler_pool": plan.scheduler_generation.name,
        "scheduler_fallback": plan.team.scheduler.fallback,
        "threads_per_worker": plan.first_group.threads,
        "worker_resources": plan.first_group.resources,
    }
    if plan.team.tls is not None:
        output["tls_client_secret"] = secret_name(plan.team.tls, "client")
    if plan.team.adaptive is not None:
        output["most_workers"] = plan.team.maximum_workers
    if plan.further_groups:
        output["groups"] = {
            group.name: _group_output(group, cluster=output["dask_cluster"])
            for group in plan.further_groups
        }
    if internal_address is not None:
        output["internal_address"] = internal_address
    if plan.jupyter is not None:
        output["jupyter"] = {
            "service": jupyter_pod.NAME,
            "port": jupyter_pod.PORT,
            "image": plan.jupyter.image.ref,
            "token_secret": jupyter_pod.TOKEN_SECRET,
            "port_forward": (
                f"kubectl port-forward --namespace {name} service/{jupyter_pod.NAME} "
                f"{jupyter_pod.PORT}"
            ),
        }
        if plan.jupyter.generation is not None:
            output["jupyter"]["worker_pool"] = plan.jupyter.generation.name
    return output


def _group_output(group: WorkerGroup, *, cluster: str) -> GroupOutput:
    return {
        "dask_worker_group": group_name(cluster, group),
        "workers": group.workers,
        "worker_pool": group.generation.name,
        "threads_per_worker": group.threads,
        "worker_resources": group.resources,
    }


def retired_team_output(team: Team) -> RetiredTeamOutput:
    """Return a retired team's part of the outputs."""
    return {
        "namespace": team.name,
        "next_step": f"Save what is worth keeping, then remove the entry of {team.name} from "
        "daskfleet:teams and run `pulumi up`: that deletes the namespace with everything in it.",
    }
