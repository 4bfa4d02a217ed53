"""Which pods are processes of this machine in mode ``run``; kwok calls all others ready."""

from collections.abc import Mapping
from typing import Any

from daskfleet.contract.jupyter import COMPONENTS

DASK = ("scheduler", "worker", "job-runner")
"""What the operator makes for a DaskCluster, and for a DaskJob beside it."""
OF_DASKFLEET = (*COMPONENTS, "idle-controller", "gpu-health", "verify")
"""What this program runs for a team beside Dask: pods that are part of daskfleet, and of these."""

_COMPONENT = "app.kubernetes.io/component"
_PART_OF = "app.kubernetes.io/part-of"

LABEL_SELECTORS = (
    f"dask.org/component in ({', '.join(DASK)})",
    f"{_PART_OF}=daskfleet,{_COMPONENT} in ({', '.join(OF_DASKFLEET)})",
)
"""For the API server: a pod runs when one of them matches."""


def _one_of(names: tuple[str, ...]) -> str:
    return " or ".join(f'. == "{name}"' for name in names)


LEFT_TO_KWOK = (
    {
        "key": f'.metadata.labels["dask.org/component"] | select( {_one_of(DASK)} )',
        "operator": "DoesNotExist",
    },
    {
        "key": f'.metadata.labels | select( .["{_PART_OF}"] == "daskfleet" ) '
        f'| .["{_COMPONENT}"] | select( {_one_of(OF_DASKFLEET)} )',
        "operator": "DoesNotExist",
    },
)
"""The same for kwok's stages, the other way round: all of them hold for a pod that is kwok's."""


def has_ended(pod: Mapping[str, Any]) -> bool:
    """Whether all that it ran has ended for good: no kubelet starts it again."""
    return pod.get("status", {}).get("phase") in {"Succeeded", "Failed"}
