"""Pure: every check of a team's cluster, in the order in which people read them."""

from collections.abc import Iterator

from daskfleet.contract.declared import DeclaredFleet, DeclaredTeam
from daskfleet.team.verify.checks.computing import (
    COMPUTATION,
    GPU_COMPUTATION,
    computation,
    gpu_computation,
)
from daskfleet.team.verify.checks.connection import CONNECTION, connection
from daskfleet.team.verify.checks.dashboard import dashboard
from daskfleet.team.verify.checks.encryption import TLS, encryption
from daskfleet.team.verify.checks.gpus import CUDA, GPUS, cuda_and_driver, gpus
from daskfleet.team.verify.checks.graphs import GRAPHS, task_graphs
from daskfleet.team.verify.checks.jupyter import jupyter
from daskfleet.team.verify.checks.metrics import metrics
from daskfleet.team.verify.checks.pods import image_of_every_pod, pods_on_their_pools, pods_ready
from daskfleet.team.verify.checks.versions import VERSIONS, versions
from daskfleet.team.verify.checks.workers import (
    COUNT,
    RESOURCES,
    THREADS,
    resources,
    threads_per_worker,
    worker_count,
)
from daskfleet.team.verify.facts import TeamFacts
from daskfleet.team.verify.model import Check, not_measured

THROUGH_DASK = (
    *(VERSIONS, CUDA, GPUS, GRAPHS),
    *(COUNT, THREADS, RESOURCES, COMPUTATION, GPU_COMPUTATION),
)
"""What cannot be asked without a connection."""


def all_checks(fleet: DeclaredFleet, team: DeclaredTeam, facts: TeamFacts) -> Iterator[Check]:
    """Hold what was collected against what is declared."""
    if facts.asleep:
        yield from _of_sleeping(team, facts)
        return
    yield pods_ready(team, facts)
    yield pods_on_their_pools(team, facts)
    yield image_of_every_pod(team, facts)
    yield connection(team, facts)
    if team.tls_client_secret is not None:
        yield encryption(team, facts)
    if facts.dask.connection_error:
        for name in THROUGH_DASK:
            yield not_measured(name, expected="", seen=f"not asked: see {CONNECTION}")
    else:
        yield versions(team, facts)
        yield cuda_and_driver(team, facts)
        yield gpus(fleet, team, facts)
        yield task_graphs(fleet, team, facts)
        yield worker_count(team, facts)
        yield threads_per_worker(team, facts)
        yield resources(team, facts)
        yield computation(team, facts)
        yield gpu_computation(fleet, team, facts)
    yield dashboard(team, facts)
    if team.jupyter is not None:
        yield jupyter(team, team.jupyter, facts)
    if fleet.is_measured:
        yield metrics(team, facts)


def _of_sleeping(team: DeclaredTeam, facts: TeamFacts) -> Iterator[Check]:
    """Check scheduler and address; no worker is missing, and a task would bring them back."""
    alone = team.model_copy(update={"workers": 0})
    yield pods_ready(alone, facts)
    yield pods_on_their_pools(alone, facts)
    yield image_of_every_pod(alone, facts)
    if facts.certificate_error:
        yield encryption(team, facts)
    unasked_tls = (TLS,) if team.tls_client_secret and not facts.certificate_error else ()
    for name in (CONNECTION, *unasked_tls, *THROUGH_DASK):
        yield not_measured(
            name,
            expected="",
            seen=facts.asleep,
            next_step=f"`daskfleet wake {team.namespace}` brings them back; then look again.",
        )
    yield dashboard(alone, facts)
    if team.jupyter is not None:
        yield jupyter(team, team.jupyter, facts)
