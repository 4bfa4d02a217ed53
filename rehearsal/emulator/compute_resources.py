"""compute: addresses, firewall rules, reservations and resource policies.

They are kept and answered with what Compute Engine fills in. Of what they do, only this is played:
a pool finds the placement policy that it names, and its machines in the reservation that it names.
Nothing here filters packets.
"""

from __future__ import annotations

import hashlib
import ipaddress
from functools import partial
from typing import TYPE_CHECKING

from rehearsal.emulator import network_spec
from rehearsal.emulator.compute_collections import Collection, ComputeCollections, scope_of
from rehearsal.emulator.document import last_segment, merged, without_nulls
from rehearsal.emulator.errors import GoogleError, InvalidArgumentError
from rehearsal.emulator.request_log import now
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from rehearsal.emulator.calls import Call, Handler, Handlers
    from rehearsal.emulator.compute_operations import ComputeOperations
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.reservations import Reservations
    from rehearsal.emulator.world import World

_EXTERNAL = ipaddress.IPv4Network("203.0.113.0/24")
_INTERNAL = ipaddress.IPv4Network("10.255.0.0/24")
"""Of addresses that nobody asked for by name: documentation's (RFC 5737), and private ones."""


_ADDRESSES = Collection(name="addresses", segment="addresses", singular="address")
_GLOBAL_ADDRESSES = Collection(name="globalAddresses", segment="addresses", singular="address")
_FIREWALLS = Collection(name="firewalls", segment="firewalls", singular="firewall")
_RESERVATIONS = Collection(name="reservations", segment="reservations", singular="reservation")
_RESOURCE_POLICIES = Collection(
    name="resourcePolicies", segment="resourcePolicies", singular="resourcePolicy"
)
_ALL = (_ADDRESSES, _GLOBAL_ADDRESSES, _FIREWALLS, _RESERVATIONS, _RESOURCE_POLICIES)


class ComputeResources:
    """Resources of a project that clusters and pools refer to."""

    def __init__(
        self, *, world: World, operations: ComputeOperations, reservations: Reservations
    ) -> None:
        self._reservations = reservations
        self._world = world
        self._collections = ComputeCollections(world=world, operations=operations)

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        table: dict[str, Handler] = {
            "compute.reservations.resize": self._resize,
            "compute.firewalls.patch": partial(self._patch, _FIREWALLS),
            "compute.firewalls.update": partial(self._replace, _FIREWALLS),
            "compute.resourcePolicies.patch": partial(self._patch, _RESOURCE_POLICIES),
            "compute.addresses.setLabels": partial(self._set_labels, _ADDRESSES),
            "compute.globalAddresses.setLabels": partial(self._set_labels, _GLOBAL_ADDRESSES),
        }
        for kind in _ALL:
            table |= self._collections.readers(kind)
            table[f"compute.{kind.name}.insert"] = partial(self._insert, kind)
            table[f"compute.{kind.name}.delete"] = partial(self._delete, kind)
        readers = self._collections.readers(_RESERVATIONS)
        table["compute.reservations.get"] = partial(self._with_use, readers)
        table["compute.reservations.list"] = partial(self._list_with_use, readers)
        return table

    async def _with_use(self, readers: Handlers, call: Call) -> Document:
        found = await readers["compute.reservations.get"](call)
        return self._reservations.shown(found, project=call["project"])

    async def _list_with_use(self, readers: Handlers, call: Call) -> Document:
        found = await readers["compute.reservations.list"](call)
        items = [self._reservations.shown(e, project=call["project"]) for e in found["items"]]
        return {**found, "items": items}

    async def _insert(self, kind: Collection, call: Call) -> Document:
        project, scope = self._world.project(call["project"]), scope_of(call)
        path = self._collections.new_path(kind, call)
        parent = f"{call.service_url}/projects/{project.name}"
        document: Document = merged(_filled_in(kind, call.body, path), without_nulls(call.body)) | {
            "kind": f"compute#{kind.singular}",
            "id": self._world.new_id(),
            "creationTimestamp": now(),
            "selfLink": f"{parent}/{path}",
        }
        if scope != "global":
            document[scope.split("/")[0].removesuffix("s")] = f"{parent}/{scope}"
        if "network" in document or kind.segment == "firewalls":
            network = f"global/networks/{last_segment(document.get('network', 'default'))}"
            if not network.endswith("/default") and network not in project.compute:
                raise network_spec.not_found(project.name, network)
            document["network"] = f"{parent}/{network}"
        return await self._collections.write("insert", call, path, document)

    async def _patch(self, kind: Collection, call: Call) -> Document:
        _, path, document = self._collections.find(kind, call)
        cleared = {key for key, value in call.body.items() if value is None}
        kept = {key: value for key, value in document.items() if key not in cleared}
        changed: Document = {**kept, **without_nulls(call.body)}
        return await self._collections.write("patch", call, path, changed)

    async def _replace(self, kind: Collection, call: Call) -> Document:
        _, path, document = self._collections.find(kind, call)
        own = ("kind", "id", "creationTimestamp", "selfLink", "network")
        kept = {key: value for key, value in document.items() if key in own}
        changed = {**_filled_in(kind, call.body, path), **without_nulls(call.body), **kept}
        return await self._collections.write("update", call, path, changed)

    async def _set_labels(self, kind: Collection, call: Call) -> Document:
        _, path, document = self._collections.find(kind, call)
        if call.body.get("labelFingerprint") != document["labelFingerprint"]:
            raise GoogleError(
                412,
                "Labels fingerprint either invalid or resource labels have changed",
                reason="conditionNotMet",
                status="FAILED_PRECONDITION",
            )
        labels = call.body.get("labels", {})
        changed = document | {"labels": labels, "labelFingerprint": fingerprint(labels)}
        return await self._collections.write("setLabels", call, path, changed)

    async def _resize(self, call: Call) -> Document:
        _, path, document = self._collections.find(_RESERVATIONS, call)
        count = int(call.body.get("specificSkuCount", "0"))
        if count < 1:
            raise InvalidArgumentError(f"specificSkuCount is {count}; it must be 1 or more.")
        changed = merged(document, {"specificReservation": {"count": str(count)}})
        return await self._collections.write("resize", call, path, changed)

    async def _delete(self, kind: Collection, call: Call) -> Document:
        _, path, _ = self._collections.find(kind, call)
        return await self._collections.delete(call, path)


def _filled_in(kind: Collection, body: Document, path: str) -> Document:
    """Return what Compute Engine fills in, as its discovery document describes each field."""
    if kind.segment == "addresses":
        is_internal = body.get("addressType") == "INTERNAL"
        return {
            "address": _address(path, _INTERNAL if is_internal else _EXTERNAL),
            "addressType": "EXTERNAL",
            "networkTier": "PREMIUM",
            "status": "RESERVED",
            "labelFingerprint": fingerprint(body.get("labels", {})),
        }
    if kind.segment == "firewalls":
        everybody = {"sourceRanges": ["0.0.0.0/0"]}
        has_source = any(
            body.get(f"source{what}") for what in ("Ranges", "Tags", "ServiceAccounts")
        )
        is_ingress = body.get("direction", "INGRESS") == "INGRESS"
        return {
            "direction": "INGRESS",
            "disabled": False,
            "logConfig": {"enable": False},
            "priority": 1000,
            **(everybody if is_ingress and not has_source else {}),
        }
    if kind.segment == "reservations":
        return {"status": "READY"}
    return {"status": "READY"}


def _address(path: str, network: ipaddress.IPv4Network) -> str:
    """Return an address of a network, the same one for the same path."""
    digest = int(hashlib.sha256(path.encode()).hexdigest(), 16)
    return str(network[1 + digest % (network.num_addresses - 2)])
