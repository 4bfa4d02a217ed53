"""What runs on the nodes: the NVIDIA driver, the Dask operator, the RAPIDS image."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from settings.base import Settings


class DaemonSetDriver(Settings):
    """Our DaemonSet installs one named driver version on all GPU pools."""

    install: Literal["daemonset"] = "daemonset"
    version: Annotated[str, StringConstraints(pattern=r"^\d{3}\.\d{1,3}(\.\d{1,3})?$")] = (
        "580.95.05"
    )
    """NVIDIA driver version as ``cos-gpu-installer --version`` takes it."""


class GkeDriver(Settings):
    """GKE installs a driver that it picks for the node's version; there is no DaemonSet."""

    install: Literal["gke"]
    channel: Literal["DEFAULT", "LATEST"]
    """GKE's ``gpuDriverVersion``."""


Driver = Annotated[DaemonSetDriver | GkeDriver, Field(discriminator="install")]


class Operator(Settings):
    """The dask-kubernetes operator's Helm release."""

    namespace: str = "dask-operator"
    chart: str = "dask-kubernetes-operator"
    """Chart name in ``repository``, or a chart directory when it begins with ``./``."""

    repository: str = "https://helm.dask.org"
    version: Annotated[str, StringConstraints(pattern=r"^\d{4}\.\d{1,2}\.\d+$")] = "2026.3.0"
    """Version of the chart, of the operator's image, and of the CRDs."""


class Image(Settings):
    """A container image whose tag does not say what is inside."""

    ref: str
    """Image reference, best with a digest."""

    rapids: Annotated[str, StringConstraints(pattern=r"^\d{2}\.\d{2}$")]
    """RAPIDS release inside, for example ``26.10``."""

    cuda: Annotated[int, Field(ge=11)]
    """CUDA major version inside."""
