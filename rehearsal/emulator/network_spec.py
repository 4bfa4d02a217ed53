"""Networks, subnetworks and routers: what Compute Engine checks and fills in. Pure."""

from __future__ import annotations

import base64
import ipaddress
import re
from typing import TYPE_CHECKING

from rehearsal.emulator.document import Document, last_segment, merged, without_nulls
from rehearsal.emulator.errors import (
    GoogleError,
    InvalidArgumentError,
    NotFoundError,
    UnimplementedError,
)
from rehearsal.emulator.request_log import now
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?")
_DELETES_MED = "deleteBgpAlwaysCompareMed"
_SINGULAR = {"networks": "network", "subnetworks": "subnetwork", "routers": "router"}
_DEFAULTS: dict[str, Document] = {
    "networks": {
        "routingConfig": {"routingMode": "REGIONAL", "bgpBestPathSelectionMode": "LEGACY"},
        "networkFirewallPolicyEnforcementOrder": "AFTER_CLASSIC_FIREWALL",
    },
    "subnetworks": {
        "logConfig": {"enable": False},
        "privateIpGoogleAccess": False,
        "privateIpv6GoogleAccess": "DISABLE_GOOGLE_ACCESS",
        "purpose": "PRIVATE",
        "stackType": "IPV4_ONLY",
    },
    "routers": {"encryptedInterconnectRouter": False},
}
"""From answers of the real API: ``compute*`` of ``bench/recordings``."""
_TIME_WAIT_S = 120
_NAT_DEFAULTS: Document = {
    "autoNetworkTier": "PREMIUM",
    "endpointTypes": ["ENDPOINT_TYPE_VM"],
    "type": "PUBLIC",
}
"""Both: recorded in ``bench/recordings/computerouternatbasic.jsonl``, and the API's documents."""
_WRITABLE = {
    "networks": {"name", "description", "autoCreateSubnetworks", "routingConfig", "mtu",
                 "networkFirewallPolicyEnforcementOrder"},
    "subnetworks": {"name", "description", "ipCidrRange", "network", "region", "logConfig",
                    "privateIpGoogleAccess", "secondaryIpRanges", "purpose", "role", "stackType",
                    "fingerprint"},
    "routers": {"name", "description", "network", "region", "bgp", "nats",
                "encryptedInterconnectRouter"},
}  # fmt: skip


def check_request(kind: str, body: Document) -> None:
    """Raise UnimplementedError for a field that is Google's but not modelled here."""
    # What is false, zero or empty asks for nothing that would be lacking here.
    asked = {name for name, value in without_nulls(body).items() if value}
    unknown = sorted(asked - _WRITABLE[kind])
    if unknown:
        raise UnimplementedError(
            f"The emulator does not implement {_SINGULAR[kind]}.{', '.join(unknown)}."
        )


def check_name(body: Document) -> str:
    """Return the resource's name. Raises InvalidArgumentError for a malformed one."""
    name = str(body.get("name", ""))
    if not _NAME.fullmatch(name):
        raise InvalidArgumentError(
            f"Invalid value for field 'resource.name': '{name}'. Must be a match of regex "
            f"'{_NAME.pattern}'"
        )
    return name


def not_found(project: str, path: str) -> NotFoundError:
    """Return Compute Engine's 404."""
    return NotFoundError(f"The resource 'projects/{project}/{path}' was not found")


def new_resource(
    kind: str, body: Document, *, project: str, path: str, service_url: str, resource_id: str
) -> Document:
    """Return the resource that Compute Engine makes of ``body`` at ``path``."""
    link = f"{service_url}/projects/{project}/{path}"
    document = merged(_DEFAULTS[kind], _written(kind, body)) | {
        "kind": f"compute#{_SINGULAR[kind]}",
        "id": resource_id,
        "creationTimestamp": now(),
        "selfLink": link,
    }
    if kind == "networks":
        document["routingConfig"] = _routing(document["routingConfig"])
        document["selfLinkWithId"] = (
            f"{service_url}/projects/{project}/global/networks/{resource_id}"
        )
        return document
    region = path.split("/")[1]
    document["region"] = f"{service_url}/projects/{project}/regions/{region}"
    network = last_segment(document.get("network", "default"))
    document["network"] = f"{service_url}/projects/{project}/global/networks/{network}"
    if kind == "subnetworks":
        first = next(ipaddress.ip_network(document["ipCidrRange"]).hosts())
        document["gatewayAddress"] = str(first)
    return patched(kind, document, {})


def patched(kind: str, document: Document, patch: Document) -> Document:
    """Return ``document`` after a PATCH: null clears a field, lists are replaced."""
    check_request(kind, patch)
    expected = document.get("fingerprint")
    if "fingerprint" in patch and patch["fingerprint"] != expected:
        raise GoogleError(
            412, "Supplied fingerprint does not match current one.",
            reason="conditionNotMet", status="FAILED_PRECONDITION",
        )  # fmt: skip
    cleared = {key for key, value in patch.items() if value is None}
    result = merged(document, _written(kind, patch))
    result = {key: value for key, value in result.items() if key not in cleared}
    if kind == "networks":
        result["routingConfig"] = _routing(result["routingConfig"])
    if kind == "routers":
        result["nats"] = [_nat(nat) for nat in result.get("nats", ())]
        if not result["nats"]:
            del result["nats"]
    if kind == "subnetworks":
        result.pop("fingerprint", None)
        digest = fingerprint(result).encode()
        result["fingerprint"] = base64.b64encode(digest).decode()
    return result


def _written(kind: str, body: Document) -> Document:
    """Return what of a body is kept; what is not asks for nothing (``check_request``)."""
    return {k: v for k, v in without_nulls(body).items() if k in _WRITABLE[kind]}


def _nat(nat: Document) -> Document:
    wait = nat.get("tcpTimeWaitTimeoutSec", _TIME_WAIT_S)
    return {**_NAT_DEFAULTS, **nat, "effectiveTcpTimeWaitTimeoutSec": wait}


def _routing(config: Document) -> Document:
    """Return a network's routing as it is answered: the wish to delete a field is no field."""
    kept = {key: value for key, value in config.items() if key != _DELETES_MED}
    if config.get(_DELETES_MED):
        kept.pop("bgpAlwaysCompareMed", None)
    return kept


def check_growth(document: Document, change: Document) -> None:
    """Raise InvalidArgumentError for a new primary range that does not contain the old one."""
    wanted = change.get("ipCidrRange")
    old = document["ipCidrRange"]
    if wanted and not _network(old).subnet_of(_network(wanted)):
        raise InvalidArgumentError(
            f"Invalid value for field 'ipCidrRange': '{wanted}'. It must contain {old}."
        )


def check_ranges(body: Document, *, others: Mapping[str, Document]) -> None:
    """Raise InvalidArgumentError for malformed ranges or ones that overlap in the network.

    ``others`` are the network's other subnetworks by path.
    """
    ranges = _ranges(body)
    mine = [(text, _network(text)) for text in ranges]
    taken = [
        (f"existing subnetwork '{path}'", _network(text))
        for path, other in others.items()
        for text in _ranges(other)
    ]
    for index, (text, network) in enumerate(mine):
        for label, other in [*mine[:index], *taken]:
            if network.overlaps(other):
                raise InvalidArgumentError(
                    f"Invalid IPCidrRange: {text} conflicts with {label} ({other})."
                )


def _ranges(subnetwork: Document) -> list[str]:
    secondary = subnetwork.get("secondaryIpRanges", ())
    return [subnetwork.get("ipCidrRange", ""), *(r["ipCidrRange"] for r in secondary)]


def _network(text: str) -> ipaddress.IPv4Network:
    try:
        return ipaddress.IPv4Network(text)
    except ValueError as error:
        raise InvalidArgumentError(
            f"Invalid value for field 'resource.ipCidrRange': '{text}'. {error}."
        ) from error
