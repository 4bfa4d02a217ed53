"""compute: addresses, firewall rules, reservations and resource policies.

They are kept and answered with what Compute Engine fills in. Of what they do, only this is played:
a pool finds the reservation and the placement policy that it names. Nothing here filters packets.
"""

from __future__ import annotations

import hashlib
import ipaddress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from rehearsal.emulator import network_spec
from rehearsal.emulator.document import last_segment, merged, without_nulls
from rehearsal.emulator.errors import AlreadyExistsError, GoogleError, InvalidArgumentError
from rehearsal.emulator.not_emulated import refuse_filter
from rehearsal.emulator.request_log import now
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from rehearsal.emulator.calls import Call, Handler, Handlers
    from rehearsal.emulator.compute_operations import ComputeOperations
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Project, World

_EXTERNAL = ipaddress.IPv4Network("203.0.113.0/24")
_INTERNAL = ipaddress.IPv4Network("10.255.0.0/24")
"""Of addresses that nobody asked for by name: documentation's (RFC 5737), and private ones."""


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """One collection of the compute API."""

    collection: str
    """As in the method's id, ``globalAddresses``."""
    segment: str
    """As in the path, ``addresses``."""
    singular: str
    """As the variable of the path is called, and the ``kind`` of the resource."""
    change: str = ""
    """The verb that changes a resource; empty: it is replaced instead."""


_ADDRESSES = _Kind(collection="addresses", segment="addresses", singular="address")
_GLOBAL_ADDRESSES = _Kind(collection="globalAddresses", segment="addresses", singular="address")
_FIREWALLS = _Kind(collection="firewalls", segment="firewalls", singular="firewall", change="patch")
_RESERVATIONS = _Kind(collection="reservations", segment="reservations", singular="reservation")
_RESOURCE_POLICIES = _Kind(
    collection="resourcePolicies",
    segment="resourcePolicies",
    singular="resourcePolicy",
    change="patch",
)
_KINDS = (_ADDRESSES, _GLOBAL_ADDRESSES, _FIREWALLS, _RESERVATIONS, _RESOURCE_POLICIES)


class ComputeResources:
    """Resources of a project that clusters and pools refer to."""

    def __init__(self, *, world: World, operations: ComputeOperations) -> None:
        self._world = world
        self._operations = operations

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        table: dict[str, Handler] = {
            "compute.reservations.resize": self._resize,
            "compute.firewalls.update": partial(self._replace, _FIREWALLS),
            "compute.addresses.setLabels": partial(self._set_labels, _ADDRESSES),
            "compute.globalAddresses.setLabels": partial(self._set_labels, _GLOBAL_ADDRESSES),
        }
        for kind in _KINDS:
            prefix = f"compute.{kind.collection}."
            table[f"{prefix}get"] = partial(self._get, kind)
            table[f"{prefix}list"] = partial(self._list, kind)
            table[f"{prefix}insert"] = partial(self._insert, kind)
            table[f"{prefix}delete"] = partial(self._delete, kind)
            if kind.change:
                table[prefix + kind.change] = partial(self._patch, kind)
        return table

    def _find(self, kind: _Kind, call: Call) -> tuple[Project, str, Document]:
        project = self._world.project(call["project"])
        name = call.variables.get(kind.singular) or call["resource"]
        path = f"{_scope(call)}/{kind.segment}/{name}"
        if path not in project.compute:
            raise network_spec.not_found(project.name, path)
        return project, path, project.compute[path]

    async def _get(self, kind: _Kind, call: Call) -> Document:
        return self._find(kind, call)[2]

    async def _list(self, kind: _Kind, call: Call) -> Document:
        refuse_filter(call.query, what=kind.segment)
        folder = f"{_scope(call)}/{kind.segment}/"
        resources = self._world.project(call["project"]).compute
        items = [document for path, document in resources.items() if path.startswith(folder)]
        return {"kind": f"compute#{kind.singular}List", "items": items}

    async def _insert(self, kind: _Kind, call: Call) -> Document:
        project, scope = self._world.project(call["project"]), _scope(call)
        path = f"{scope}/{kind.segment}/{network_spec.check_name(call.body)}"
        if path in project.compute:
            raise AlreadyExistsError(
                f"The resource 'projects/{project.name}/{path}' already exists"
            )
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
        return await self._write("insert", call, project, path, document)

    async def _patch(self, kind: _Kind, call: Call) -> Document:
        project, path, document = self._find(kind, call)
        cleared = {key for key, value in call.body.items() if value is None}
        kept = {key: value for key, value in document.items() if key not in cleared}
        changed: Document = {**kept, **without_nulls(call.body)}
        return await self._write("patch", call, project, path, changed)

    async def _replace(self, kind: _Kind, call: Call) -> Document:
        project, path, document = self._find(kind, call)
        own = ("kind", "id", "creationTimestamp", "selfLink", "network")
        kept = {key: value for key, value in document.items() if key in own}
        changed = {**_filled_in(kind, call.body, path), **without_nulls(call.body), **kept}
        return await self._write("update", call, project, path, changed)

    async def _set_labels(self, kind: _Kind, call: Call) -> Document:
        project, path, document = self._find(kind, call)
        if call.body.get("labelFingerprint") != document["labelFingerprint"]:
            raise GoogleError(
                412,
                "Labels fingerprint either invalid or resource labels have changed",
                reason="conditionNotMet",
                status="FAILED_PRECONDITION",
            )
        labels = call.body.get("labels", {})
        changed = document | {"labels": labels, "labelFingerprint": fingerprint(labels)}
        return await self._write("setLabels", call, project, path, changed)

    async def _resize(self, call: Call) -> Document:
        project, path, document = self._find(_RESERVATIONS, call)
        count = int(call.body.get("specificSkuCount", "0"))
        if count < 1:
            raise InvalidArgumentError(f"specificSkuCount is {count}; it must be 1 or more.")
        changed = merged(document, {"specificReservation": {"count": str(count)}})
        return await self._write("resize", call, project, path, changed)

    async def _delete(self, kind: _Kind, call: Call) -> Document:
        project, path, _ = self._find(kind, call)

        def effect() -> None:
            del project.compute[path]

        return await self._operations.run("delete", call, path, effect)

    async def _write(
        self, verb: str, call: Call, project: Project, path: str, document: Document
    ) -> Document:
        def effect() -> None:
            project.compute[path] = document

        return await self._operations.run(verb, call, path, effect)


def _scope(call: Call) -> str:
    if "region" in call.variables:
        return f"regions/{call['region']}"
    return f"zones/{call['zone']}" if "zone" in call.variables else "global"


def _filled_in(kind: _Kind, body: Document, path: str) -> Document:
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
        return {"status": "READY", "specificReservation": {"inUseCount": "0"}}
    return {"status": "READY"}


def _address(path: str, network: ipaddress.IPv4Network) -> str:
    """Return an address of a network, the same one for the same path."""
    digest = int(hashlib.sha256(path.encode()).hexdigest(), 16)
    return str(network[1 + digest % (network.num_addresses - 2)])
