"""The GKE cluster: its control plane, and what holds for all of its nodes."""

from datetime import UTC, datetime

import pulumi
import pulumi_gcp as gcp
from pulumi import CustomTimeouts, ResourceOptions

from components.cluster_admission import binary_authorization, secrets_encryption
from components.existing_ranges import only_with_known_ranges
from components.network import Network
from components.node_service_account import NodeServiceAccount
from daskfleet.planning.monitoring import is_collected, measures_gpus
from daskfleet.planning.networks import pods_range, services_range
from daskfleet.settings.cluster import Cluster, Endpoint
from daskfleet.settings.stack import Stack

TIMEOUTS = CustomTimeouts(create="40m", update="60m", delete="40m")
"""Creating takes 5 to 10 minutes; an update may have to wait for an upgrade that Google runs."""

SYSTEM_METRICS = "SYSTEM_COMPONENTS"
GPU_METRICS = "DCGM"
METRICS = (
    *(SYSTEM_METRICS, "STORAGE", "HPA", "POD", "DAEMONSET", "DEPLOYMENT", "STATEFULSET"),
    *("CADVISOR", "KUBELET", GPU_METRICS, "JOBSET"),
)
"""What GKE collects of a new cluster by itself, in the order in which its API answers: recorded by
Google in k8s-config-connector (``containercluster-dataplanev2``)."""


class GkeCluster(pulumi.ComponentResource):
    """A Standard GKE cluster without any node pool.

    Owns the control plane. GKE insists on a default pool at creation; it is removed at once,
    and node pools are components of their own, because a pool written inside the cluster
    resource replaces the whole cluster when it changes. Sets no version: the release channel
    upgrades the control plane, and a pinned version would fight it.
    """

    TYPE = "daskfleet:gke:GkeCluster"

    def __init__(
        self,
        name: str,
        *,
        stack: Stack,
        network: Network,
        service_account: NodeServiceAccount,
        opts: ResourceOptions | None = None,
    ) -> None:
        super().__init__(self.TYPE, name, None, opts)
        settings = stack.cluster
        is_regional = stack.location == stack.region

        self.resource: gcp.container.Cluster = gcp.container.Cluster(
            f"{name}-control-plane",
            name=settings.name,
            location=stack.location,
            # A zonal cluster refuses its own zone here; a regional one would take three.
            node_locations=[stack.zone] if is_regional else None,
            network=network.vpc_id,
            subnetwork=network.subnet_id,
            networking_mode="VPC_NATIVE",
            ip_allocation_policy=gcp.container.ClusterIpAllocationPolicyArgs(
                cluster_secondary_range_name=pods_range(stack),
                services_secondary_range_name=services_range(stack),
            ),
            default_max_pods_per_node=stack.network.max_pods_per_node,
            private_cluster_config=gcp.container.ClusterPrivateClusterConfigArgs(
                enable_private_nodes=True,
                # Left out otherwise, as it was before there was a choice.
                enable_private_endpoint=True if settings.endpoint.kind == "private" else None,
            ),
            control_plane_endpoints_config=control_plane_endpoints(settings.endpoint),
            master_authorized_networks_config=authorized_networks(settings.endpoint),
            datapath_provider="ADVANCED_DATAPATH",  # enforces network policies
            remove_default_node_pool=True,
            initial_node_count=1,
            # For the default pool's few minutes. It would run as Compute Engine's default account,
            # and boot without Secure Boot: many organisations forbid the one or the other
            # (terraform-provider-google#4435, GoogleCloudPlatform/cluster-toolkit#3507).
            node_config=gcp.container.ClusterNodeConfigArgs(
                service_account=service_account.email,
                boot_disk_kms_key=stack.keys.nodes,
                shielded_instance_config=gcp.container.ClusterNodeConfigShieldedInstanceConfigArgs(
                    enable_secure_boot=True, enable_integrity_monitoring=True
                ),
            ),
            release_channel=gcp.container.ClusterReleaseChannelArgs(
                channel=settings.release_channel
            ),
            maintenance_policy=maintenance_policy(settings),
            workload_identity_config=gcp.container.ClusterWorkloadIdentityConfigArgs(
                workload_pool=f"{stack.project}.svc.id.goog"
            ),
            authenticator_groups_config=google_groups(settings),
            monitoring_config=monitoring_config(stack),
            database_encryption=secrets_encryption(stack),
            binary_authorization=binary_authorization(settings),
            enable_shielded_nodes=True,
            cost_management_config=gcp.container.ClusterCostManagementConfigArgs(enabled=True),
            resource_labels=stack.labels,
            deletion_protection=stack.long_lived,
            opts=ResourceOptions(
                parent=self,
                # Of the network only what the inputs name. The default pool's node takes Google's
                # own images, by private Google access; what needs NAT comes with other pools.
                depends_on=[service_account],
                # The provider asks for it when an input replaces, not under `up --replace`, and
                # nothing can be created beside a cluster of the same name.
                delete_before_replace=True,
                # Read back, it is the configuration of whichever pool comes first, and a
                # difference would replace the cluster (terraform-provider-google#12070).
                ignore_changes=["nodeConfig"],
                # The provider refuses only once the teams are gone; this refuses in the preview.
                protect=stack.long_lived,
                custom_timeouts=TIMEOUTS,
            ),
        )

        self.name: pulumi.Output[str] = self.resource.name
        # With a private endpoint alone, `endpoint` is that one (container.v1, Cluster.endpoint and
        # PrivateClusterConfig.enablePrivateEndpoint).
        self.host: pulumi.Output[str] = only_with_known_ranges(
            self.resource.control_plane_endpoints_config.dns_endpoint_config.endpoint
            if settings.endpoint.kind == "dns"
            else self.resource.endpoint,
            cluster=self.resource,
            network=stack.network,
        )
        self.ca_certificate: pulumi.Output[str | None] = (
            pulumi.Output.from_input(None)  # the DNS name has a public certificate
            if settings.endpoint.kind == "dns"
            else self.resource.master_auth.cluster_ca_certificate
        )
        self.register_outputs({"name": self.name, "host": self.host})


def control_plane_endpoints(
    endpoint: Endpoint,
) -> gcp.container.ClusterControlPlaneEndpointsConfigArgs:
    """Switch on exactly one kind of way to the control plane."""
    by_name = endpoint.kind == "dns"
    return gcp.container.ClusterControlPlaneEndpointsConfigArgs(
        dns_endpoint_config=gcp.container.ClusterControlPlaneEndpointsConfigDnsEndpointConfigArgs(
            allow_external_traffic=by_name
        ),
        ip_endpoints_config=gcp.container.ClusterControlPlaneEndpointsConfigIpEndpointsConfigArgs(
            enabled=not by_name
        ),
    )


def authorized_networks(
    endpoint: Endpoint,
) -> gcp.container.ClusterMasterAuthorizedNetworksConfigArgs | None:
    """Who may use the IP endpoint; the DNS endpoint is guarded by IAM instead.

    Also of a private one, which every address of the VPC could use otherwise.
    """
    if endpoint.kind == "dns":
        return None
    return gcp.container.ClusterMasterAuthorizedNetworksConfigArgs(
        cidr_blocks=[
            gcp.container.ClusterMasterAuthorizedNetworksConfigCidrBlockArgs(
                cidr_block=str(network.cidr), display_name=network.name
            )
            for network in endpoint.authorized_networks
        ]
    )


def google_groups(
    cluster: Cluster,
) -> gcp.container.ClusterAuthenticatorGroupsConfigArgs | None:
    """Let Kubernetes know of which Google groups somebody is; None: of none."""
    if cluster.security_group is None:
        return None
    return gcp.container.ClusterAuthenticatorGroupsConfigArgs(security_group=cluster.security_group)


def monitoring_config(stack: Stack) -> gcp.container.ClusterMonitoringConfigArgs | None:
    """What Google collects; None leaves it to GKE.

    The list of components is the whole list: a shorter one would switch off what GKE collects by
    itself.
    """
    if stack.monitoring is None:
        return None
    is_managed, has_gpu_metrics = is_collected(stack), measures_gpus(stack)
    return gcp.container.ClusterMonitoringConfigArgs(
        enable_components=[
            each
            for each in (METRICS if is_managed else (SYSTEM_METRICS,))
            if each != GPU_METRICS or has_gpu_metrics
        ],
        managed_prometheus=gcp.container.ClusterMonitoringConfigManagedPrometheusArgs(
            enabled=is_managed
        ),
    )


def maintenance_policy(cluster: Cluster) -> gcp.container.ClusterMaintenancePolicyArgs | None:
    """When Google may upgrade, and when it must not; None leaves it to Google."""
    window = cluster.maintenance_window
    if window is None:
        return None
    return gcp.container.ClusterMaintenancePolicyArgs(
        recurring_window=gcp.container.ClusterMaintenancePolicyRecurringWindowArgs(
            start_time=rfc3339(window.start_time),
            end_time=rfc3339(window.end_time),
            recurrence=window.recurrence,
        ),
        maintenance_exclusions=[
            gcp.container.ClusterMaintenancePolicyMaintenanceExclusionArgs(
                exclusion_name=exclusion.name,
                start_time=rfc3339(exclusion.start_time),
                end_time=rfc3339(exclusion.end_time),
                exclusion_options=(
                    gcp.container.ClusterMaintenancePolicyMaintenanceExclusionExclusionOptionsArgs(
                        scope=exclusion.scope
                    )
                ),
            )
            for exclusion in cluster.maintenance_exclusions
        ],
    )


def rfc3339(time: datetime) -> str:
    """Spell a time as Google's API answers it, so that reading it back shows no difference."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
