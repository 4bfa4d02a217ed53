"""gcp:container/nodePool:NodePool."""

from typing import Final

from typing_extensions import override

from rehearsal.providers.gcp import node_pool_tables
from rehearsal.providers.gcp.cluster import CLUSTER_ID
from rehearsal.providers.gcp.field_updates import refuse_unserved, rows_for
from rehearsal.providers.gcp.resource import GoogleResource
from rehearsal.providers.gcp.rest_mapping import Document, relative_name
from rehearsal.providers.gcp.resting_state import require_running
from rehearsal.providers.gcp.to_rest import to_rest
from rehearsal.providers.protocol import Call, Properties, ProviderError, State

_POOL_ID: Final = "projects/{project}/locations/{location}/clusters/{cluster}/nodePools/{name}"


class NodePool(GoogleResource):
    """Create, change and delete as the provider does, one request per group of fields."""

    pulumi_type = "gcp:container/nodePool:NodePool"
    sdk_module = "pulumi_gcp.container"
    sdk_class = "NodePoolArgs"
    table = node_pool_tables.MAPPING
    computed = node_pool_tables.COMPUTED
    imported = node_pool_tables.IMPORTED
    default_timeout_s = 120 * 60
    service = "container"
    id_pattern = _POOL_ID

    @override
    def identify(self, inputs: Properties) -> str:
        cluster: str = inputs["cluster"]
        if "/" not in cluster:
            cluster = CLUSTER_ID.format(
                project=self.cloud.of(inputs, "project"),
                location=self.cloud.of(inputs, "location"),
                name=cluster,
            )
        return f"{relative_name(cluster)}/nodePools/{inputs['name']}"

    @override
    def fetch(self, resource_id: str, call: Call) -> Document | None:
        """Read the pool with its size: GKE does not tell, the instance groups do."""
        live = super().fetch(resource_id, call)
        if live is not None:
            groups = [relative_name(url) for url in live.get("instanceGroupUrls", [])]
            sizes = [self._target_size(group, call) for group in groups]
            live["nodeCount"] = sum(sizes) // len(sizes) if sizes else 0
            live["managedInstanceGroupUrls"] = [
                url.replace("/instanceGroupManagers/", "/instanceGroups/")
                for url in live.get("instanceGroupUrls", [])
            ]
        return live

    @override
    def insert(self, resource_id: str, inputs: Properties, call: Call) -> None:
        if super().fetch(resource_id, call) is not None:
            raise ProviderError(f"resource - {resource_id} - already exists")
        pool = self._document(inputs)
        size = pool.pop("nodeCount", None)
        if size is not None:
            pool["initialNodeCount"] = size
        parent = resource_id.rpartition("/")[0]
        self.run("POST", parent, call, "creating GKE NodePool", {"nodePool": pool})
        require_running(self, resource_id, inputs, call)

    @override
    def apply(self, old: State, inputs: Properties, changed: set[str], call: Call) -> None:
        served = (*node_pool_tables.UPDATES, *node_pool_tables.OWN_CALLS)
        refuse_unserved(
            self.pulumi_type,
            changed=changed,
            served=served,
            table=self.full_table,
            lacking=node_pool_tables.NOT_SERVED,
        )
        document = self._document(inputs)
        cluster, _, name = old.id.rpartition("/nodePools/")
        for row in rows_for(node_pool_tables.OWN_CALLS, changed, document):
            match row.inputs[0]:
                case "autoscaling" | "nodeConfig.imageType":
                    update = row.body(document)
                    update["update"]["desiredNodePoolId"] = name
                    self.run("PUT", cluster, call, "updating GKE node pool", update)
                case "nodeCount":
                    self._change("POST", f"{old.id}:setSize", row.body(document), call)
                case "management":
                    self._change("POST", f"{old.id}:setManagement", row.body(document), call)
                case "nodeConfig.machineType":
                    self._change("PUT", old.id, machine_body(name, document), call)
        for row in rows_for(node_pool_tables.UPDATES, changed, document):
            self._change("PUT", old.id, {"name": name, **row.body(document)}, call)
        require_running(self, old.id, inputs, call)

    @override
    def remove(self, old: State, call: Call) -> None:
        self.run("DELETE", old.id, call, "deleting GKE NodePool")

    def _document(self, inputs: Properties) -> Document:
        """Build the wanted NodePool; a declared autoscaling block switches autoscaling on."""
        document = to_rest(inputs, self.block, self.full_table)
        if "autoscaling" in inputs:
            document["autoscaling"] = {"enabled": True, **document.get("autoscaling", {})}
        return document

    def _target_size(self, group: str, call: Call) -> int:
        manager = self.api.get("compute", group, call=call) or {}
        size: int = manager.get("targetSize", 0)
        return size

    def _change(self, method: str, path: str, body: Document, call: Call) -> None:
        self.run(method, path, call, "updating GKE node pool", body)


def machine_body(name: str, document: Document) -> Document:
    """Build the update of machine and disk; the disk's size is a string in this request."""
    config = document.get("config", {})
    body: Document = {"name": name}
    if "diskSizeGb" in config:
        body["diskSizeGb"] = str(config["diskSizeGb"])
    return body | {
        field: config[field]
        for field in ("machineType", "diskType", "bootDisk", "storagePools")
        if field in config
    }
