"""Pure: a Dask cluster as a stack file has it, as a team."""

from collections.abc import Iterable, Iterator

from daskfleet.access.redaction.keys import keeps_secrets, looks_random, may_keep_secrets
from daskfleet.access.redaction.shapes import without_credentials
from daskfleet.contract.nodes import ACCELERATOR_LABEL, GPU_RESOURCE, POOL_LABEL
from daskfleet.planning.images import read_image
from daskfleet.platform.drafting.dask_answers import Container, DaskCluster, PodSpec, Variable
from daskfleet.platform.drafting.found import FoundDask
from daskfleet.platform.drafting.pools_draft import PoolsDraft, Settings


def draft_team(cluster: DaskCluster, dask: FoundDask, pools: PoolsDraft) -> Settings:
    """Return the entry of a team; what it does not say, ``left_out`` does."""
    worker, scheduler = _main(cluster.spec.worker.spec), _main(cluster.spec.scheduler.spec)
    settings: Settings = {"name": cluster.metadata.name}
    if worker.image:
        settings["image"] = worker.image if read_image(worker.image) else {"ref": worker.image}
    if scaled := dask.autoscaler_of(cluster):
        settings["adaptive"] = {"minimum": scaled.spec.minimum, "maximum": scaled.spec.maximum}
    else:
        settings["workers"] = cluster.spec.worker.replicas
    if len(pools.workers) > 1 and (pool := _pool(cluster.spec.worker.spec, pools)):
        settings["worker_pool"] = pool
    entries = {"worker": _gpus(worker) | _environment(worker), "scheduler": _environment(scheduler)}
    return settings | {key: entry for key, entry in entries.items() if entry}


def left_out(cluster: DaskCluster, dask: FoundDask) -> Iterator[str]:
    """Name what the entry of the team does not say of its Dask cluster."""
    pods = {"worker": cluster.spec.worker.spec, "scheduler": cluster.spec.scheduler.spec}
    images = {name: _main(pod).image for name, pod in pods.items()}
    if images["scheduler"] != images["worker"]:
        yield f"the scheduler's image {images['scheduler']}: a team has one image for both"
    for name, pod in pods.items():
        for variable in _unsaid(_main(pod)):
            yield f"variable {variable.name} of the {name}: secrets of a team are for that"
        if pod.containers[1:]:
            yield f"{len(pod.containers) - 1} more containers of the {name}"
        for volume in pod.volumes:
            if volume.persistent_volume_claim:
                claim = volume.persistent_volume_claim.claim_name
                yield f"claim {claim} of the {name}: its disk stays in the old cluster"
    for group in dask.groups_of(cluster):
        yield f"worker group {group.metadata.name} with {group.spec.worker.replicas} workers"
    if cluster.spec.idle_timeout:
        yield f"idleTimeout {cluster.spec.idle_timeout}: a team's cluster stays"


def _main(pod: PodSpec) -> Container:
    """Return the container of Dask: the operator takes the first."""
    return pod.containers[0] if pod.containers else Container()


def _pool(pod: PodSpec, pools: PoolsDraft) -> str | None:
    """Return the pool that pods choose, by its name or by its GPU; None where they do not say."""
    if name := pools.names.get(pod.node_selector.get(POOL_LABEL, "")):
        return name
    kind = pod.node_selector.get(ACCELERATOR_LABEL)
    with_it = [name for name, accelerator in pools.accelerators.items() if accelerator == kind]
    return with_it[0] if len(with_it) == 1 else None


def _gpus(container: Container) -> Settings:
    asked = str(container.resources.limits.get(GPU_RESOURCE, "1"))
    return {"gpus": int(asked)} if asked.isascii() and asked.isdecimal() and asked != "1" else {}


def _environment(container: Container) -> Settings:
    unsaid = [*_unsaid(container)]
    said = {each.name: each.value for each in container.env if each not in unsaid}
    return {"environment": {**said}} if said else {}


def _unsaid(container: Container) -> Iterable[Variable]:
    """Variables whose value is somewhere else, or may be a secret."""
    return (each for each in container.env if each.value is None or _may_be_secret(each))


def _may_be_secret(variable: Variable) -> bool:
    value = variable.value or ""
    return (
        keeps_secrets(variable.name)
        or (may_keep_secrets(variable.name) and looks_random(value))
        or without_credentials(value) != value
    )
