"""What runs on the nodes: the NVIDIA driver, the Dask operator, the RAPIDS image."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from daskfleet.settings.base import Settings, conflict
from daskfleet.settings.names import (
    CalendarVersion,
    DriverVersion,
    ImageDigest,
    ImageReference,
    NamespaceName,
    RapidsVersion,
)


class DaemonSetDriver(Settings):
    """Our DaemonSet installs one named driver version on all GPU pools."""

    install: Literal["daemonset"] = "daemonset"
    """Who installs the driver: our DaemonSet."""

    version: DriverVersion = "580.126.20"
    """NVIDIA driver version as ``cos-gpu-installer --version`` takes it. The default is the R580
    driver that NVIDIA's own GKE recipes install this way (github.com/NVIDIA/aicr,
    docs/integrator/gke-gb200-networking.md, 2026). A node image offers a few versions per GPU, and
    the installer fails on any other: check it for your GPUs and node version before the first
    ``up`` (README, "The first real environment")."""

    unmarked_version: DriverVersion | None = None
    """The version on the nodes of pools whose settings do not name it, as release 0.1.0 made them.
    When the settings name it, GKE re-creates the nodes. A stack that comes from 0.1.0 writes its
    current ``version`` here, so that the upgrade re-creates no node. Remove this line with the next
    change of ``version``."""

    @model_validator(mode="after")
    def _is_what_the_nodes_have(self) -> Self:
        if self.unmarked_version not in {None, self.version}:
            raise conflict(
                "unmarked_version",
                f"version is {self.version} now, and pools that are to get it name it.",
                allowed=f"{self.version}, or nothing",
                next_step="remove unmarked_version.",
            )
        return self


class GkeDriver(Settings):
    """GKE installs a driver that it picks for the node's version; there is no DaemonSet."""

    install: Literal["gke"]
    """Who installs the driver: GKE."""

    channel: Literal["DEFAULT", "LATEST"]
    """GKE's ``gpuDriverVersion``."""


def _driver_kind(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value.get("install", "daemonset"))
    return str(getattr(value, "install", "daemonset"))


Driver = Annotated[
    Annotated[DaemonSetDriver, Tag("daemonset")] | Annotated[GkeDriver, Tag("gke")],
    Discriminator(_driver_kind),
]
"""One choice for all GPU pools: pools whose drivers differ would give schedulers and workers
different CUDA worlds."""


class Operator(Settings):
    """The dask-kubernetes operator's Helm release."""

    namespace: NamespaceName = "dask-operator"
    """Namespace of the operator. No team may have this name."""

    chart: str = "dask-kubernetes-operator"
    """Chart name in ``repository``, or a chart directory when it begins with ``./``."""

    repository: str = "https://helm.dask.org"
    """Helm repository of the chart."""

    version: CalendarVersion = "2026.3.0"
    """Version of the chart, of the operator's image, and of the CRDs."""

    image_digest: ImageDigest | None = None
    """Digest of the operator's image of that ``version``, for example
    ``sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef``. Without it the tag
    says which image runs, and its owner could move the tag. ``crane digest IMAGE:VERSION`` prints
    it."""

    @model_validator(mode="after")
    def _moves_with_its_version(self) -> Self:
        if self.image_digest and "version" not in self.model_fields_set:
            raise conflict(
                "image_digest",
                "A digest belongs to one version. When daskfleet's default version changes, the "
                "old image would go on running.",
                allowed=f"version: {self.version} beside it, or no image_digest",
                next_step="write the version that the digest belongs to.",
            )
        return self


class Image(Settings):
    """A container image whose tag does not say what is inside."""

    ref: ImageReference
    """Image reference, best with a digest."""

    rapids: RapidsVersion
    """RAPIDS release inside, for example ``26.10``."""

    cuda: Annotated[int, Field(ge=11)]
    """CUDA major version inside."""


def _image_kind(value: Any) -> str:
    return "mapping" if isinstance(value, Mapping | Image) else "reference"


ImageSetting = Annotated[
    Annotated[ImageReference, Tag("reference")] | Annotated[Image, Tag("mapping")],
    Discriminator(_image_kind),
]
"""A reference whose tag follows RAPIDS' scheme, or a mapping that says what the tag does not."""
