"""What was real in a rehearsal and what stood in, told without flattery."""

import importlib.metadata

from rehearsal.report.model import StagePart
from rehearsal.toolchain import Binaries


def stage_parts(binaries: Binaries, *, providers: tuple[StagePart, ...]) -> tuple[StagePart, ...]:
    """Name every part of the stage."""
    version = {tool.name: tool.version for tool in binaries.tools}
    operator = importlib.metadata.version("dask-kubernetes")
    return (
        _real("Pulumi engine", f"pulumi {version['pulumi']}, state in a local directory"),
        _real(
            "Kubernetes",
            f"kube-apiserver, controller-manager, scheduler {version['kube-apiserver']}, "
            f"etcd {version['etcd']}",
        ),
        _real("Dask operator", f"the controller of dask-kubernetes {operator}, and its chart"),
        _real("Helm", version["helm"]),
        *providers,
        _stand_in(
            "nodes and GPUs",
            f"kwok {version['kwok']} calls pods ready and runs nothing: this proves placement; "
            "no image was pulled, no driver loaded, no GPU used; a node offers its GPUs once "
            "GKE or a ready installer pod would have installed the driver",
        ),
        _stand_in(
            "Dask schedulers",
            "none runs; their HTTP API answers which workers to retire and whether they are idle",
        ),
        _stand_in(
            "Google Cloud",
            "an emulator on this machine; each request checked against Google's API documents",
        ),
    )


def _real(part: str, what_ran: str) -> StagePart:
    return StagePart(part=part, is_real=True, what_ran=what_ran)


def _stand_in(part: str, what_ran: str) -> StagePart:
    return StagePart(part=part, is_real=False, what_ran=what_ran)
