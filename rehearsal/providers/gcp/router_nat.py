"""Cloud NAT: an entry in the `nats` of a router, with the name of a resource of its own."""

import threading
from typing import Any, ClassVar, Final

from typing_extensions import override

from rehearsal.providers.gcp.resource import LOCAL, GoogleResource
from rehearsal.providers.gcp.resource_id import parse_id
from rehearsal.providers.gcp.rest_mapping import Document, Table
from rehearsal.providers.gcp.to_rest import to_rest
from rehearsal.providers.protocol import Call, Properties, ProviderError, State

_ID: Final = "{project}/{region}/{router}/{name}"
_ROUTER_LOCK: Final = threading.Lock()
"""Each change reads and writes the router's whole list, so they take turns."""


class RouterNat(GoogleResource):
    """gcp:compute/routerNat:RouterNat."""

    pulumi_type = "gcp:compute/routerNat:RouterNat"
    sdk_module = "pulumi_gcp.compute"
    sdk_class = "RouterNatArgs"
    service = "compute"
    id_pattern = _ID
    table: ClassVar[Table] = {"router": LOCAL, "region": LOCAL}
    imported = frozenset({"name", "natIpAllocateOption", "sourceSubnetworkIpRangesToNat"})

    @override
    def fetch(self, resource_id: str, call: Call) -> Document | None:
        router = super().fetch(_router_path(resource_id), call) or {}
        name = parse_id(_ID, resource_id)["name"]
        return next((nat for nat in router.get("nats", []) if nat["name"] == name), None)

    @override
    def insert(self, resource_id: str, inputs: Properties, call: Call) -> None:
        nat = to_rest(inputs, self.block, self.full_table)
        self._rewrite(resource_id, nat, call, "creating", must_be_new=True)

    @override
    def apply(self, old: State, inputs: Properties, changed: set[str], call: Call) -> None:
        nat = to_rest(inputs, self.block, self.full_table)
        self._rewrite(old.id, nat, call, "updating")

    @override
    def remove(self, old: State, call: Call) -> None:
        self._rewrite(old.id, None, call, "deleting")

    def _rewrite(
        self,
        resource_id: str,
        nat: Document | None,
        call: Call,
        doing: str,
        *,
        must_be_new: bool = False,
    ) -> None:
        """Put this NAT into the router's list, or take it out."""
        path, name = _router_path(resource_id), parse_id(_ID, resource_id)["name"]
        with _ROUTER_LOCK:
            router = super().fetch(path, call)
            if router is None and nat is None:
                return
            if router is None:
                raise ProviderError(f"Router {path} does not exist, so it can have no NAT {name}")
            nats: list[Any] = router.get("nats", [])
            if must_be_new and any(entry["name"] == name for entry in nats):
                raise ProviderError(f"RouterNat {resource_id} already exists")
            others = [entry for entry in nats if entry["name"] != name]
            body = {"nats": [*others, nat] if nat else others}
            self.run("PATCH", path, call, f"{doing} RouterNat", body)


def _router_path(resource_id: str) -> str:
    parts = parse_id(_ID, resource_id)
    return "projects/{project}/regions/{region}/routers/{router}".format(**parts)
