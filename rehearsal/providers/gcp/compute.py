"""Network, Subnetwork and Router of Compute Engine."""

import ipaddress
from collections.abc import Mapping
from typing import Any, ClassVar

from typing_extensions import override

from rehearsal.providers.gcp.resource import LOCAL, REFERENCE, GoogleResource
from rehearsal.providers.gcp.rest_mapping import Rule, Table
from rehearsal.providers.gcp.to_rest import to_rest
from rehearsal.providers.protocol import Call, Properties, ProviderError, State


class ComputeResource(GoogleResource):
    """A resource of Compute Engine: POST to a collection, PATCH and DELETE by name."""

    sdk_module = "pulumi_gcp.compute"
    service = "compute"
    kind: ClassVar[str]
    computed: ClassVar[Mapping[str, str]] = {
        "selfLink": "selfLink",
        "creationTimestamp": "creationTimestamp",
    }

    @override
    def insert(self, resource_id: str, inputs: Properties, call: Call) -> None:
        body = to_rest(inputs, self.block, self.full_table)
        self.run("POST", resource_id.rpartition("/")[0], call, f"creating {self.kind}", body)

    @override
    def apply(self, old: State, inputs: Properties, changed: set[str], call: Call) -> None:
        """Send what changed as a PATCH with the live fingerprint."""
        document = to_rest(inputs, self.block, self.full_table)
        fields = {rest for rest in self._rest_fields(changed) if rest}
        if not fields:
            return
        live = self.fetch(old.id, call) or {}
        body = {name: document.get(name) for name in sorted(fields)}
        if "fingerprint" in live:
            body["fingerprint"] = live["fingerprint"]
        self.run("PATCH", old.id, call, f"updating {self.kind}", body)

    @override
    def remove(self, old: State, call: Call) -> None:
        self.run("DELETE", old.id, call, f"deleting {self.kind}")

    def _rest_fields(self, changed: set[str]) -> set[str]:
        """Top-level REST fields of changed inputs; an input that stays local has none."""
        tops = {path.partition(".")[0] for path in changed}
        rules = {top: self.full_table.get(top, Rule()) for top in tops}
        return {
            (rule.rest or top).partition(".")[0] for top, rule in rules.items() if rule != LOCAL
        }


class Network(ComputeResource):
    """gcp:compute/network:Network."""

    pulumi_type = "gcp:compute/network:Network"
    sdk_class = "NetworkArgs"
    kind = "Network"
    id_pattern = "projects/{project}/global/networks/{name}"
    table: ClassVar[Table] = {
        "deleteDefaultRoutesOnCreate": LOCAL,
        "routingMode": Rule("routingConfig.routingMode"),
    }
    filled = ("autoCreateSubnetworks",)
    imported = frozenset({"name", "autoCreateSubnetworks", "description"})

    @override
    def insert(self, resource_id: str, inputs: Properties, call: Call) -> None:
        if inputs.get("deleteDefaultRoutesOnCreate"):
            raise ProviderError(
                "deleteDefaultRoutesOnCreate is not served by the gcp stand-in, which has no "
                "routes; leave it out or run the rehearsal with `--providers real`"
            )
        super().insert(resource_id, inputs, call)


class Subnetwork(ComputeResource):
    """gcp:compute/subnetwork:Subnetwork."""

    pulumi_type = "gcp:compute/subnetwork:Subnetwork"
    sdk_class = "SubnetworkArgs"
    kind = "Subnetwork"
    id_pattern = "projects/{project}/regions/{region}/subnetworks/{name}"
    table: ClassVar[Table] = {"network": REFERENCE, "region": LOCAL}
    computed: ClassVar[Mapping[str, str]] = {
        **ComputeResource.computed,
        "gatewayAddress": "gatewayAddress",
    }
    imported = frozenset(
        {
            "name",
            "network",
            "ipCidrRange",
            "secondaryIpRanges",
            "privateIpGoogleAccess",
            "description",
        }
    )

    @override
    def replaced_by_value(self, old_inputs: Properties, inputs: Properties) -> tuple[str, ...]:
        """Replace when the primary range does not contain the old one: it can only grow."""
        grows = _grows(old_inputs.get("ipCidrRange"), inputs.get("ipCidrRange"))
        return () if grows else ("ipCidrRange",)

    @override
    def apply(self, old: State, inputs: Properties, changed: set[str], call: Call) -> None:
        """Use the calls of their own that growing and private Google access have."""
        if "ipCidrRange" in changed:
            body = {"ipCidrRange": inputs["ipCidrRange"]}
            self.run("POST", f"{old.id}/expandIpCidrRange", call, "updating Subnetwork", body)
        if "privateIpGoogleAccess" in changed:
            access = {"privateIpGoogleAccess": inputs.get("privateIpGoogleAccess", False)}
            path = f"{old.id}/setPrivateIpGoogleAccess"
            self.run("POST", path, call, "updating Subnetwork", access)
        super().apply(old, inputs, changed - {"ipCidrRange", "privateIpGoogleAccess"}, call)


class Router(ComputeResource):
    """gcp:compute/router:Router."""

    pulumi_type = "gcp:compute/router:Router"
    sdk_class = "RouterArgs"
    kind = "Router"
    id_pattern = "projects/{project}/regions/{region}/routers/{name}"
    table: ClassVar[Table] = {"network": REFERENCE, "region": LOCAL}
    imported = frozenset({"name", "network", "description", "bgp"})


def _grows(before: Any, after: Any) -> bool:
    try:
        return bool(ipaddress.IPv4Network(after).supernet_of(ipaddress.IPv4Network(before)))
    except (ValueError, TypeError):
        return False
