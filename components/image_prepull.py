"""The pods that pull images before Dask pods ask for them."""

from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import CustomTimeouts, ResourceOptions

from components.kubernetes_provider import KubernetesProvider
from daskfleet.contract.nodes import PREPULL_CPU_M, PREPULL_MEMORY_MIB, PREPULL_NAMESPACE
from daskfleet.planning.plan import FleetPlan, TeamPlan
from daskfleet.planning.prepull import Pull, pulls_of
from daskfleet.planning.registry import pause_image
from manifests import network_policy
from manifests.placement import only_on, tolerate

NAME = "image-prepull"
NOBODY = 65535
"""The user of the pause image; ``true`` needs no other."""

TIMEOUTS = CustomTimeouts(create="30m", update="30m")
"""The slowest pull that was published took 13 minutes (``daskfleet/catalog/data/durations.csv``).
When it is over, ``up`` fails, and the Dask clusters that wait for the image stay as they are."""


class ImagePrepull(pulumi.ComponentResource):
    """One DaemonSet for each image on each GPU pool, each for itself.

    Owns them, and a namespace without rights and without a network for their pods, which run a
    binary of a team's image. An image that cannot be pulled holds up the teams that want it and
    nobody else; another image is another DaemonSet beside the old one, which goes when the Dask
    clusters have been replaced. Created before the pools, so that a new node pulls as soon as it
    is there: a DaemonSet without nodes is ready, and holds up no first ``up``.
    """

    TYPE = "daskfleet:gke:ImagePrepull"

    def __init__(
        self,
        name: str,
        *,
        pulls: tuple[Pull, ...],
        pause: str,
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare the DaemonSets; creating one ends when all nodes that it selects are done.

        ``pause`` is the image of the container that keeps the pulled one in use.
        """
        super().__init__(self.TYPE, name, None, opts)
        # No logical name of a team's namespace or policy: what these do when they go is harmless.
        namespace = kubernetes.core.v1.Namespace(
            name,
            metadata={
                "name": PREPULL_NAMESPACE,
                "labels": {"pod-security.kubernetes.io/enforce": "restricted"},
            },
            opts=via.options(parent=self),
        )
        closed = kubernetes.networking.v1.NetworkPolicy(
            f"{name}-closed",
            metadata={"name": "default-deny", "namespace": PREPULL_NAMESPACE},
            spec=network_policy.default_deny(),
            opts=via.options(parent=self, depends_on=[namespace]),
        )
        self._by_pool_and_image: dict[tuple[str, str], pulumi.Resource] = {
            (pull.generation.pool, pull.image): kubernetes.apps.v1.DaemonSet(
                f"{name}-{pull.name}",
                metadata={
                    "name": pull.name,
                    "namespace": PREPULL_NAMESPACE,
                    "labels": labels(pull),
                },
                spec=daemon_set_spec(pull, pause=pause),
                opts=via.options(parent=self, depends_on=[closed], timeouts=TIMEOUTS),
            )
            for pull in pulls
        }
        self.register_outputs({"images": sorted({pull.image for pull in pulls})})

    def needed_by(self, plan: TeamPlan) -> list[pulumi.Resource]:
        """Return the pulls that a team's next Dask cluster waits for."""
        pools = {
            plan.scheduler_generation.pool: None,
            **{step.generation.pool: None for group in plan.groups for step in group.steps},
        }
        return [self._by_pool_and_image[pool, plan.image.ref] for pool in pools]


def image_prepulls(plan: FleetPlan, *, via: KubernetesProvider) -> list[ImagePrepull]:
    """Declare the pulls of a fleet, where its stack wants them."""
    pulls = pulls_of(plan.stack)
    pause = pause_image(plan.stack).reference
    return [ImagePrepull(NAME, pulls=pulls, pause=pause, via=via)] if pulls else []


def labels(pull: Pull) -> dict[str, str]:
    """Labels of a DaemonSet and its pods."""
    return {"app.kubernetes.io/name": NAME, "app.kubernetes.io/instance": pull.name}


def daemon_set_spec(pull: Pull, *, pause: str) -> dict[str, Any]:
    """Pull an image on each node of a pool, and keep it there.

    Kubelets collect images of which there is no container when a disk is 85 % full; the ended
    init container is one. ``true`` in place of the image's entrypoint, which for RAPIDS' images
    may install packages.
    """
    return {
        "selector": {"matchLabels": labels(pull)},
        # Nobody uses these pods: one node need not wait for another.
        "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "100%"}},
        "template": {
            "metadata": {"labels": labels(pull)},
            "spec": {
                "automountServiceAccountToken": False,
                "enableServiceLinks": False,
                "terminationGracePeriodSeconds": 1,
                "securityContext": {
                    "runAsNonRoot": True,
                    "runAsUser": NOBODY,
                    "seccompProfile": {"type": "RuntimeDefault"},
                },
                "affinity": {"nodeAffinity": only_on(pull.generation.name)},
                "tolerations": [tolerate(taint) for taint in pull.taints],
                "initContainers": [
                    _container(
                        "pull",
                        image=pull.image,
                        limit_mib=64,
                        command=["true"],
                    )
                ],
                "containers": [_container("pause", image=pause, limit_mib=16)],
            },
        },
    }


def _container(name: str, *, image: str, limit_mib: int, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "image": image,
        "imagePullPolicy": "IfNotPresent",
        **more,
        "resources": {
            "requests": {"cpu": f"{PREPULL_CPU_M}m", "memory": f"{PREPULL_MEMORY_MIB}Mi"},
            "limits": {"memory": f"{limit_mib}Mi"},
        },
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
    }
