"""What was real in a rehearsal and what stood in, told without flattery."""

import importlib.metadata

from rehearsal.dask_pods.addresses import has_loopback_blocks
from rehearsal.report.model import StagePart
from rehearsal.supervisor.record import DaskRecord
from rehearsal.toolchain import Binaries


def stage_parts(
    binaries: Binaries, *, providers: tuple[StagePart, ...], dask: DaskRecord | None
) -> tuple[StagePart, ...]:
    """Name every part of the stage; ``dask`` is None where Dask's pods were placed and not run."""
    version = {tool.name: tool.version for tool in binaries.tools}
    operator = importlib.metadata.version("dask-kubernetes")
    return (
        _real("Pulumi engine", f"pulumi {version['pulumi']}, state in a local directory"),
        _real(
            "Kubernetes",
            f"kube-apiserver, controller-manager, scheduler {version['kube-apiserver']}, "
            f"etcd {version['etcd']}",
        ),
        _real(
            "Dask operator",
            f"the controller of dask-kubernetes {operator}, with its chart and the files that its "
            "pod mounts: the guard against pickles",
        ),
        _real("Helm", version["helm"]),
        *providers,
        _stand_in(
            "nodes and GPUs",
            f"kwok {version['kwok']} calls {'other ' if dask else ''}pods ready and runs nothing: "
            "this proves placement; no image was pulled, no driver loaded, no GPU used; a node "
            "offers its GPUs once GKE or a ready installer pod would have installed the driver",
        ),
        _run_dask(dask) if dask else _placed_dask(),
        _stand_in(
            "Google Cloud",
            "an emulator on this machine; each request checked against Google's API documents; "
            "load balancers have addresses behind which nothing listens",
        ),
    )


def _run_dask(dask: DaskRecord) -> StagePart:
    version = importlib.metadata.version("dask")
    said = "".join(f"; {sentence.removesuffix('.')}" for sentence in dask.departures)
    return _real(
        "Dask pods",
        f"processes of dask {version} on this machine's CPUs, by the pods' own commands and "
        f"probes; no image was pulled{said}",
    )


def _placed_dask() -> StagePart:
    why = "" if has_loopback_blocks() else " (on this system none can: it has 127.0.0.1 alone)"
    return _stand_in(
        "Dask pods",
        f"none runs{why}; the schedulers' HTTP API answers which workers to retire and whether "
        "they are idle",
    )


def _real(part: str, what_ran: str) -> StagePart:
    return StagePart(part=part, is_real=True, what_ran=what_ran)


def _stand_in(part: str, what_ran: str) -> StagePart:
    return StagePart(part=part, is_real=False, what_ran=what_ran)
