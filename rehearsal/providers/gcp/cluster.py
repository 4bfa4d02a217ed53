"""gcp:container/cluster:Cluster: a GKE Standard cluster."""

from typing import Final

from typing_extensions import override

from rehearsal.providers.gcp import cluster_tables, cluster_updates
from rehearsal.providers.gcp.field_updates import FieldUpdate, refuse_unserved, rows_for
from rehearsal.providers.gcp.google_api import GoogleApiError
from rehearsal.providers.gcp.resource import GoogleResource
from rehearsal.providers.gcp.resource_id import parse_id
from rehearsal.providers.gcp.rest_mapping import Document, get_path, put_path
from rehearsal.providers.gcp.resting_state import require_running
from rehearsal.providers.gcp.to_rest import to_rest
from rehearsal.providers.protocol import Call, Properties, ProviderError, State

CLUSTER_ID: Final = "projects/{project}/locations/{location}/clusters/{name}"
_IP_ENDPOINTS: Final = "controlPlaneEndpointsConfig.ipEndpointsConfig"
_STAYS_ON: Final = ("enableL4IlbSubsetting", "enableFqdnNetworkPolicy")
"""Switched off, they need another cluster: `isBeenEnabled` in the `CustomizeDiff` of
`ResourceContainerCluster`, terraform-provider-google-beta at 93c65b2d60fe. A network policy of
Cilium for the whole cluster (`enableCiliumClusterwideNetworkPolicy`) is not among them."""
_ZONE_DASHES: Final = 2
"""Dashes in a zone's name (`us-central1-c`); a region's has one fewer."""


class Cluster(GoogleResource):
    """Create, change and delete as the provider does, minus the fields that nobody declared."""

    pulumi_type = "gcp:container/cluster:Cluster"
    sdk_module = "pulumi_gcp.container"
    sdk_class = "ClusterArgs"
    table = cluster_tables.MAPPING
    computed = cluster_tables.COMPUTED
    imported = cluster_tables.IMPORTED
    filled = ("deletionProtection",)
    # `containerClusterNetworkPolicyDiffSuppress` and its siblings, same commit as above.
    off_is_absent = frozenset(
        {"networkPolicy", "podSecurityPolicyConfig", "secretManagerConfig", "secretSyncConfig"}
    )
    default_timeout_s = 90 * 60
    service = "container"
    id_pattern = CLUSTER_ID

    @override
    def fetch(self, resource_id: str, call: Call) -> Document | None:
        """Read the cluster; `locations` without a zonal cluster's own zone, as it is declared."""
        live = super().fetch(resource_id, call)
        location = parse_id(CLUSTER_ID, resource_id)["location"]
        if live and location.count("-") == _ZONE_DASHES:
            live["locations"] = [zone for zone in live.get("locations", []) if zone != location]
        return live

    @override
    def replaced_by_value(self, old_inputs: Properties, inputs: Properties) -> tuple[str, ...]:
        """Replace for what GKE cannot take back: two switches, and beta APIs that are on.

        The controller cannot clean up the objects of a beta API
        (`containerClusterEnableK8sBetaApisCustomizeDiffFunc`).
        """
        off = [
            name
            for name in _STAYS_ON
            if old_inputs.get(name) is True and inputs.get(name) is not True
        ]
        is_left_out = _beta_apis(old_inputs) - _beta_apis(inputs)
        return (*off, *(("enableK8sBetaApis",) if is_left_out else ()))

    @override
    def insert(self, resource_id: str, inputs: Properties, call: Call) -> None:
        if self.fetch(resource_id, call) is not None:
            raise ProviderError(f"resource - {resource_id} - already exists")
        parent = resource_id.rpartition("/")[0]
        body = {"cluster": self._document(resource_id, inputs)}
        self.run("POST", parent, call, "creating GKE cluster", body)
        if inputs.get("removeDefaultNodePool"):
            self._remove_default_pool(resource_id, inputs, call)
        update = cluster_updates.LINUX_OF_AUTOMATIC_POOLS.body(body["cluster"])
        if update["update"]:
            self.run("PUT", resource_id, call, "updating LinuxNodeConfig", update)
        require_running(self, resource_id, inputs, call)

    def _remove_default_pool(self, resource_id: str, inputs: Properties, call: Call) -> None:
        """Remove it; when that is refused, the cluster stands all the same, and in the state.

        The provider has set the ID by then, and the bridge keeps what has one.
        """
        pool = f"{resource_id}/nodePools/default-pool"
        try:
            self.run("DELETE", pool, call, "removing default node pool")
        except GoogleApiError as error:
            live = self.fetch(resource_id, call)
            if live is None:
                raise
            raise self.incomplete(resource_id, inputs, live, [str(error)]) from error

    @override
    def apply(self, old: State, inputs: Properties, changed: set[str], call: Call) -> None:
        refuse_unserved(
            self.pulumi_type,
            changed=changed,
            served=cluster_updates.UPDATES,
            table=self.full_table,
            lacking=cluster_updates.NOT_SERVED,
        )
        document = self._document(old.id, inputs)
        for row in rows_for(cluster_updates.UPDATES, changed, document):
            path = f"{old.id}:{row.method}" if row.method else old.id
            body = self._body(row, document, old.id, inputs, call)
            verb = "POST" if row.method else "PUT"
            self.run(verb, path, call, f"updating GKE cluster {row.inputs[0]}", body)
        require_running(self, old.id, inputs, call)

    @override
    def remove(self, old: State, call: Call) -> None:
        if old.outputs.get("deletionProtection"):
            raise ProviderError(
                "Cannot destroy cluster because deletion_protection is set to true. "
                "Set it to false to proceed with cluster deletion."
            )
        self.run("DELETE", old.id, call, "deleting GKE cluster")

    def _document(self, resource_id: str, inputs: Properties) -> Document:
        """Build the wanted Cluster with what the provider adds to it by itself."""
        document = to_rest(inputs, self.block, self.full_table)
        location = parse_id(CLUSTER_ID, resource_id)["location"]
        if "locations" in document and location.count("-") == _ZONE_DASHES:
            document["locations"] = [location, *document["locations"]]
        if inputs.get("networkingMode", "VPC_NATIVE") == "VPC_NATIVE":
            document.setdefault("ipAllocationPolicy", {})["useIpAliases"] = True
        if "masterAuthorizedNetworksConfig" in inputs:
            at = f"{_IP_ENDPOINTS}.authorizedNetworksConfig"
            put_path(document, at, {"enabled": True} | (get_path(document, at) or {}))
        ip_endpoints = get_path(document, _IP_ENDPOINTS)
        if ip_endpoints and ip_endpoints.get("enabled", True):
            # Also where the program says nothing of it: terraform-provider-google,
            # `expandControlPlaneEndpointsConfig`.
            ip_endpoints.setdefault("enablePublicEndpoint", True)
        if self.cloud.labels:
            document["resourceLabels"] = {**self.cloud.labels, **document.get("resourceLabels", {})}
        return document

    def _body(
        self, row: FieldUpdate, document: Document, resource_id: str, inputs: Properties, call: Call
    ) -> Document:
        """Build a row's body; some hold what the live cluster has, or another input."""
        body = row.body(document)
        match row.inputs[0]:
            case "loggingService":
                return services_body(document, self.fetch(resource_id, call) or {})
            case "networkPolicy":
                # Without a provider where it is off (`expandNetworkPolicy`).
                is_on = body["networkPolicy"].get("enabled")
                return body if is_on else {"networkPolicy": {}}
            case "minMasterVersion" if "rollbackSafeUpgrade" in inputs:
                body["update"]["desiredRollbackSafeUpgrade"] = inputs["rollbackSafeUpgrade"]
            case "resourceLabels":
                live = self.fetch(resource_id, call) or {}
                body["labelFingerprint"] = live.get("labelFingerprint", "")
            case "maintenancePolicy":
                live = self.fetch(resource_id, call) or {}
                version = live.get("maintenancePolicy", {}).get("resourceVersion", "")
                body["maintenancePolicy"]["resourceVersion"] = version
        return body


def _beta_apis(inputs: Properties) -> set[str]:
    return set((inputs.get("enableK8sBetaApis") or {}).get("enabledApis") or [])


def services_body(document: Document, live: Document) -> Document:
    """Build the update of logging and monitoring; what is not declared stays as it is."""
    both = {
        f"desired{name[0].upper()}{name[1:]}": document.get(name) or live.get(name)
        for name in cluster_updates.SERVICES.inputs
    }
    return {"update": {field: value for field, value in both.items() if value}}
