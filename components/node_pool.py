"""One GKE node pool: system, scheduler or worker."""

from collections.abc import Sequence

import pulumi
import pulumi_gcp as gcp
from pulumi import CustomTimeouts, ResourceHookBinding, ResourceOptions

from components.gke_cluster import GkeCluster
from components.node_service_account import NodeServiceAccount
from components.pool_failure import explaining_failures
from daskfleet.contract.nodes import Taint
from daskfleet.planning.node_pool_spec import Gpus, NodePoolSpec, system_pool_spec
from daskfleet.planning.pool_zones import Bounds
from daskfleet.planning.reservations import AFFINITY_KEY, Affinity
from daskfleet.settings.stack import Stack

TIMEOUTS = CustomTimeouts(create="30m", update="30m", delete="30m")
"""A zone without spare GPUs does not fail, it waits: the provider's own limit is 2 hours."""


class NodePool(pulumi.ComponentResource):
    """A node pool with an explicit name, so that a replacement frees its GPUs first.

    Unless the name is that of a generation: then what would replace the pool is another resource
    beside it, and this one goes last.

    Owns the pool alone. Sets no version: the release channel moves it.
    """

    TYPE = "daskfleet:gke:NodePool"

    def __init__(
        self,
        name: str,
        *,
        spec: NodePoolSpec,
        stack: Stack,
        cluster: GkeCluster,
        service_account: NodeServiceAccount,
        sysctls: pulumi.Input[dict[str, str]] | None = None,
        after: Sequence[pulumi.Resource] = (),
        hooks: ResourceHookBinding | None = None,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare the pool, with ``sysctls`` in place of the spec's where those have to wait."""
        super().__init__(self.TYPE, name, None, opts)

        self.spec = spec
        failures = explaining_failures(spec, stack, component=self)
        self.resource: gcp.container.NodePool = gcp.container.NodePool(
            f"{spec.generation.name}-nodes",
            name=spec.generation.name,
            cluster=cluster.name,
            location=stack.location,
            node_locations=list(spec.zones),
            node_count=spec.size.node_count,
            # GKE's autoscaler keeps the minimum but does not fill up to it: without this, a pool
            # with min_nodes 2 begins, and may stay, at none (terraform-provider-google#8270).
            initial_node_count=spec.size.initial_node_count,
            autoscaling=spec.size.bounds and autoscaling_args(spec.size.bounds),
            max_pods_per_node=stack.network.max_pods_per_node,
            upgrade_settings=gpu_upgrade_settings() if spec.gpus else None,
            node_config=gcp.container.NodePoolNodeConfigArgs(
                machine_type=spec.machine_type,
                disk_size_gb=spec.disk_size_gb,
                disk_type=spec.disk_type,
                boot_disk_kms_key=stack.keys.nodes,
                image_type="COS_CONTAINERD",
                spot=spec.spot,
                reservation_affinity=reservation_args(spec.reservation),
                gcfs_config=streaming_args(spec.image_streaming),
                labels=spec.labels,
                linux_node_config=pulumi.Output.from_input(
                    spec.sysctls if sysctls is None else sysctls
                ).apply(linux_args),
                resource_labels=stack.labels,
                taints=[taint_args(taint) for taint in spec.taints],
                guest_accelerators=[accelerator_args(spec.gpus)] if spec.gpus else None,
                service_account=service_account.email,
                # Access is decided by the account's roles; scopes would only hide a grant.
                oauth_scopes=["https://www.googleapis.com/auth/cloud-platform"],
                workload_metadata_config=gcp.container.NodePoolNodeConfigWorkloadMetadataConfigArgs(
                    mode="GKE_METADATA"
                ),
                shielded_instance_config=gcp.container.NodePoolNodeConfigShieldedInstanceConfigArgs(
                    enable_secure_boot=True, enable_integrity_monitoring=True
                ),
            ),
            opts=ResourceOptions(
                parent=self,
                depends_on=[service_account, *after],
                delete_before_replace=True,
                ignore_changes=no_reason_to_replace(spec),
                # Protection cannot tell a generation that has had its day from a pool that somebody
                # took out of the stack file; so it is for pools that are not to be replaced.
                protect=stack.long_lived and not spec.generation.is_numbered,
                custom_timeouts=TIMEOUTS,
                hooks=ResourceHookBinding.merge(hooks, failures),
            ),
        )

        self.name: pulumi.Output[str] = self.resource.name
        self.register_outputs({"name": self.name})


def no_reason_to_replace(spec: NodePoolSpec) -> list[str]:
    """Fields that GKE sets or moves by itself, and whose difference would replace the pool.

    Machines with local disks of their own report them as configured (cluster-toolkit#2968). How
    many nodes a pool began with is history, unless it has a fixed size: the provider takes only
    one of the two.
    """
    began_with = ["initialNodeCount"] if spec.autoscaling else []
    return [
        *began_with,
        "nodeConfig.ephemeralStorageLocalSsdConfig",
        "nodeConfig.localNvmeSsdBlockConfig",
    ]


def system_node_pool(
    stack: Stack,
    *,
    cluster: GkeCluster,
    service_account: NodeServiceAccount,
    after: Sequence[pulumi.Resource],
    opts: ResourceOptions,
) -> NodePool:
    """Declare the pool of what tolerates no taint: the operator, and GKE's own."""
    return NodePool(
        stack.system_pool.name,
        spec=system_pool_spec(stack),
        stack=stack,
        cluster=cluster,
        service_account=service_account,
        after=after,
        opts=opts,
    )


def gpu_upgrade_settings() -> gcp.container.NodePoolUpgradeSettingsArgs:
    """Upgrade node by node in place: a surge node needs a GPU that nobody has to spare."""
    return gcp.container.NodePoolUpgradeSettingsArgs(
        strategy="SURGE", max_surge=0, max_unavailable=1
    )


def autoscaling_args(bounds: Bounds) -> gcp.container.NodePoolAutoscalingArgs:
    """Bounds in the provider's words."""
    return gcp.container.NodePoolAutoscalingArgs(
        min_node_count=bounds.min_node_count,
        max_node_count=bounds.max_node_count,
        total_min_node_count=bounds.total_min_node_count,
        total_max_node_count=bounds.total_max_node_count,
        location_policy=bounds.location_policy,
    )


def accelerator_args(gpus: Gpus) -> gcp.container.NodePoolNodeConfigGuestAcceleratorArgs:
    """GPUs in the provider's words; every field here replaces the pool when it changes."""
    return gcp.container.NodePoolNodeConfigGuestAcceleratorArgs(
        type=gpus.accelerator,
        count=gpus.per_node,
        gpu_partition_size=gpus.partition_size,
        gpu_driver_installation_config=(
            gcp.container.NodePoolNodeConfigGuestAcceleratorGpuDriverInstallationConfigArgs(
                gpu_driver_version=gpus.driver_version
            )
        ),
        gpu_sharing_config=(
            gcp.container.NodePoolNodeConfigGuestAcceleratorGpuSharingConfigArgs(
                gpu_sharing_strategy="TIME_SHARING",
                max_shared_clients_per_gpu=gpus.clients_per_gpu,
            )
            if gpus.clients_per_gpu > 1
            else None
        ),
    )


def reservation_args(
    affinity: Affinity | None,
) -> gcp.container.NodePoolNodeConfigReservationAffinityArgs | None:
    """Reservations in the provider's words; nothing where nothing is said."""
    if affinity is None:
        return None
    return gcp.container.NodePoolNodeConfigReservationAffinityArgs(
        consume_reservation_type=affinity.consume,
        key=AFFINITY_KEY if affinity.values else None,
        values=list(affinity.values) or None,
    )


def streaming_args(
    is_on: bool | None,  # noqa: FBT001 - a setting with three values
) -> gcp.container.NodePoolNodeConfigGcfsConfigArgs | None:
    """Image streaming in the provider's words; nothing where nothing is said."""
    return None if is_on is None else gcp.container.NodePoolNodeConfigGcfsConfigArgs(enabled=is_on)


def linux_args(
    sysctls: dict[str, str],
) -> gcp.container.NodePoolNodeConfigLinuxNodeConfigArgs | None:
    """Kernel parameters in the provider's words; none at all where there are none."""
    if not sysctls:
        return None
    return gcp.container.NodePoolNodeConfigLinuxNodeConfigArgs(sysctls=sysctls)


def taint_args(taint: Taint) -> gcp.container.NodePoolNodeConfigTaintArgs:
    """A taint in GKE's spelling."""
    return gcp.container.NodePoolNodeConfigTaintArgs(
        key=taint.key, value=taint.value, effect=taint.gke_effect
    )
