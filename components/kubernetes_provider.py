"""The Kubernetes provider that every in-cluster resource uses."""

from collections.abc import Sequence

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import CustomTimeouts, ResourceOptions

from components.gke_cluster import GkeCluster
from daskfleet.settings.stack import Stack
from manifests.kubeconfig import Kubeconfig, kubeconfig_for


class KubernetesProvider(pulumi.ComponentResource):
    """The way from the program into the cluster.

    Owns the provider and no object in the cluster. Never reads an ambient kubeconfig, and
    is no reason to replace what is in the cluster when only the control plane's address moves.

    Its output ``kubeconfig`` is how commands find the cluster. It holds no credential, so it is no
    secret, and whoever reads it needs no key of the state: with that key all of the state's secrets
    could be read.
    """

    TYPE = "daskfleet:gke:KubernetesProvider"

    def __init__(
        self,
        name: str,
        *,
        stack: Stack,
        cluster: GkeCluster,
        opts: ResourceOptions | None = None,
    ) -> None:
        super().__init__(self.TYPE, name, None, opts)
        self._cluster = cluster.resource

        self.kubeconfig: pulumi.Output[Kubeconfig] = pulumi.Output.secret(
            pulumi.Output.all(cluster.name, cluster.host, cluster.ca_certificate).apply(
                lambda known: kubeconfig_for(name=known[0], host=known[1], ca_certificate=known[2])
            )
        )
        self._provider = kubernetes.Provider(
            f"{name}-provider",
            kubeconfig=pulumi.Output.json_dumps(self.kubeconfig),
            # From literals: while it stays, a new endpoint or certificate is an update of the
            # provider. Without it, it is a replacement of every object in the cluster.
            cluster_identifier=f"{stack.project}/{stack.location}/{stack.cluster.name}",
            # Else a team's notice would be deleted and made anew whenever a word of it changes.
            enable_config_map_mutable=True,
            opts=ResourceOptions(parent=self),
        )
        self.register_outputs(
            {"kubeconfig": pulumi.Output.unsecret(pulumi.Output.json_dumps(self.kubeconfig))}
        )

    def options(
        self,
        *,
        parent: pulumi.Resource,
        depends_on: Sequence[pulumi.Resource] = (),
        replace_on_changes: Sequence[str] = (),
        ignore_changes: Sequence[str] = (),
        delete_before_replace: bool | None = None,
        protect: bool | None = None,
        timeouts: CustomTimeouts | None = None,
    ) -> ResourceOptions:
        """Return the options of an in-cluster resource.

        When the cluster itself goes, so does everything in it: such resources are then forgotten
        instead of deleted one by one.
        """
        return ResourceOptions(
            parent=parent,
            provider=self._provider,
            deleted_with=self._cluster,
            depends_on=list(depends_on),
            replace_on_changes=list(replace_on_changes),
            ignore_changes=list(ignore_changes),
            delete_before_replace=delete_before_replace,
            protect=protect,
            custom_timeouts=timeouts,
        )
