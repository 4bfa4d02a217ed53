"""From a requested Cluster to the one that GKE answers: checks and defaults. Pure."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from rehearsal.emulator.document import Document, last_segment, merged
from rehearsal.emulator.errors import InvalidArgumentError, UnimplementedError
from rehearsal.emulator.machines import region_of, zones_of
from rehearsal.emulator.node_pool_spec import check_name, defaults
from rehearsal.emulator.proto3 import created
from rehearsal.emulator.request_log import now
from rehearsal.emulator.world import Project, fingerprint, parent_of

if TYPE_CHECKING:
    from rehearsal.emulator.backend import Endpoint

_DEFAULT_POD_CIDR = "10.112.0.0/14"
_DEFAULT_SERVICE_CIDR = "34.118.224.0/20"
_POOL_FIELDS = ("initialNodeCount", "nodeConfig", "nodePools")
_UNMODELLED = ("enableTpu", "enableKubernetesAlpha")


def default_locations(location: str) -> list[str]:
    """Return the node zones of a new cluster in a zone or region."""
    return [location] if location.count("-") > 1 else list(zones_of(location))


def check(requested: Document) -> None:
    """Raise for what GKE refuses, or the emulator does not model, in a new cluster."""
    check_name(requested.get("name", ""), what="cluster")
    if requested.get("autopilot", {}).get("enabled"):
        raise UnimplementedError("The emulator does not model Autopilot clusters.")
    for field in _UNMODELLED:
        if requested.get(field):
            raise UnimplementedError(f"The emulator does not model cluster.{field}.")
    if not requested.get("nodePools") and not requested.get("initialNodeCount"):
        raise InvalidArgumentError("Cluster.initial_node_count must be greater than zero.")
    if requested.get("nodePools") and requested.get("initialNodeCount"):
        raise InvalidArgumentError(
            "Cluster.initial_node_count and Cluster.node_pools are mutually exclusive."
        )


def resolve_version(wanted: str) -> str:
    """Return the full version for an alias or prefix (``latest``, ``1.36``).

    Raises InvalidArgumentError for a version that is not served.
    """
    served = str(defaults("versions")["master"])
    if wanted in ("", "-", "latest") or served.startswith(wanted):
        return served
    raise InvalidArgumentError(
        f'Master version "{wanted}" is unsupported. Served: {served} and its prefixes.'
    )


def requested_pools(requested: Document) -> list[Document]:
    """Return the pools that a new cluster starts with; ``default-pool`` where none is named."""
    if requested.get("nodePools"):
        return list(requested["nodePools"])
    return [
        {
            "name": "default-pool",
            "initialNodeCount": requested["initialNodeCount"],
            "config": requested.get("nodeConfig", {}),
        }
    ]


def _range(wished: str, *, free: str) -> str:
    """Return a range of addresses: as wished, of the wished size (``/16``), or all that is free.

    Raises InvalidArgumentError for a size that no range has.
    """
    if not wished.startswith("/"):
        return wished or free
    try:
        return str(ipaddress.IPv4Network(free.partition("/")[0] + wished, strict=False))
    except ValueError as error:
        raise InvalidArgumentError(f"Invalid size of a range of addresses: '{wished}'.") from error


def _network(requested: Document, *, project: Project, region: str) -> tuple[Document, Document]:
    """Return (top-level and networkConfig fields, address fields) of the cluster's network."""
    network = last_segment(requested.get("network", "default"))
    subnetwork = last_segment(requested.get("subnetwork") or network)
    ranges: dict[str, str] = {}
    # Every project has a network `default` with a subnetwork in each region; it is not listed.
    if network != "default":
        if f"global/networks/{network}" not in project.compute:
            raise InvalidArgumentError(
                f'Project "{project.name}" has no network named "{network}".'
            )
        found = project.compute.get(f"regions/{region}/subnetworks/{subnetwork}")
        if found is None or last_segment(found["network"]) != network:
            raise InvalidArgumentError(
                f'Network "{network}" has no subnetwork "{subnetwork}" in region {region}.'
            )
        ranges = {r["rangeName"]: r["ipCidrRange"] for r in found.get("secondaryIpRanges", ())}
    policy = requested.get("ipAllocationPolicy", {})
    names = (policy.get("clusterSecondaryRangeName"), policy.get("servicesSecondaryRangeName"))
    for name in names:
        if name and name not in ranges:
            raise InvalidArgumentError(
                f'Subnetwork "{subnetwork}" has no secondary range "{name}"; it has: '
                f"{', '.join(ranges) or 'none'}."
            )
    pods = ranges.get(names[0] or "") or _range(
        policy.get("clusterIpv4CidrBlock") or requested.get("clusterIpv4Cidr", ""),
        free=_DEFAULT_POD_CIDR,
    )
    services = ranges.get(names[1] or "") or _range(
        policy.get("servicesIpv4CidrBlock", ""), free=_DEFAULT_SERVICE_CIDR
    )
    digest = fingerprint(project.name, region, requested["name"])
    return (
        {"network": network, "subnetwork": subnetwork},
        {
            "clusterIpv4Cidr": pods,
            "clusterIpv4CidrBlock": pods,
            "clusterSecondaryRangeName": names[0] or f"gke-{requested['name']}-pods-{digest}",
            "servicesIpv4Cidr": services,
            "servicesIpv4CidrBlock": services,
        },
    )


def settle(
    requested: Document, *, project: Project, location: str, service_url: str, cluster_id: str
) -> Document:
    """Return the Cluster document that GKE makes of a request, PROVISIONING, without pools.

    Raises InvalidArgumentError or UnimplementedError, as GKE or the emulator refuses it.
    """
    check(requested)
    locations = requested.get("locations") or default_locations(location)
    region = region_of(location) if location.count("-") > 1 else location
    names, addresses = _network(requested, project=project, region=region)
    wished = {key: value for key, value in requested.items() if key not in _POOL_FIELDS}
    cluster = created("Cluster", wished, defaults=defaults("cluster"))
    cluster |= one_authorization(cluster, requested)
    cluster |= one_endpoint(cluster)
    cluster.update(names)
    cluster["ipAllocationPolicy"] |= addresses
    private = requested.get("privateClusterConfig", {}).get("enablePrivateNodes")
    network_config = cluster["networkConfig"]
    network_config |= {
        "network": f"projects/{project.name}/global/networks/{names['network']}",
        "subnetwork": f"projects/{project.name}/regions/{region}/subnetworks/{names['subnetwork']}",
    }
    if private is not None:
        network_config.setdefault("defaultEnablePrivateNodes", private)
    version = resolve_version(requested.get("initialClusterVersion", ""))
    cluster |= {
        "id": fingerprint(project.name, location, requested["name"], cluster_id) * 8,
        "location": location,
        "locations": locations,
        "zone": location,
        "selfLink": f"{service_url}/{parent_of(project.name, location)}/clusters/{cluster['name']}",
        "createTime": now(),
        "status": "PROVISIONING",
        "initialNodeCount": requested.get("initialNodeCount", 0),
        "initialClusterVersion": version,
        "currentMasterVersion": version,
        "currentNodeVersion": version,
        "clusterIpv4Cidr": addresses["clusterIpv4Cidr"],
        "servicesIpv4Cidr": addresses["servicesIpv4Cidr"],
    }
    cluster["maintenancePolicy"] = settle_maintenance(requested.get("maintenancePolicy", {}))
    return cluster


def one_authorization(cluster: Document, requested: Document | None = None) -> Document:
    """Return both fields that hold the authorized networks, the older one and its successor.

    They are one thing under two names; the successor counts unless a new cluster is
    ``requested`` with the older one.
    """
    endpoints = cluster["controlPlaneEndpointsConfig"]
    ip_endpoints = endpoints.get("ipEndpointsConfig", {})
    older = cluster.get("masterAuthorizedNetworksConfig", {})
    is_older = "masterAuthorizedNetworksConfig" in (requested or {})
    networks = older if is_older else ip_endpoints.get("authorizedNetworksConfig", {})
    return {
        "masterAuthorizedNetworksConfig": networks,
        "controlPlaneEndpointsConfig": {
            **endpoints,
            "ipEndpointsConfig": {**ip_endpoints, "authorizedNetworksConfig": networks},
        },
    }


def one_endpoint(cluster: Document) -> Document:
    """Return where a control plane serves, as the older field for its private endpoint says."""
    endpoints = cluster["controlPlaneEndpointsConfig"]
    is_private = cluster.get("privateClusterConfig", {}).get("enablePrivateEndpoint")
    if is_private is None:
        return {}
    of_ip = {**endpoints.get("ipEndpointsConfig", {}), "enablePublicEndpoint": not is_private}
    return {"controlPlaneEndpointsConfig": {**endpoints, "ipEndpointsConfig": of_ip}}


def settle_maintenance(policy: Document) -> Document:
    """Return a maintenance policy with its resource version; an empty window is no window."""
    kept = {key: value for key, value in policy.items() if value and key != "resourceVersion"}
    return {**kept, "resourceVersion": fingerprint(kept)}


def with_endpoint(cluster: Document, endpoint: Endpoint, *, ca_base64: str) -> Document:
    """Return the cluster once its control plane serves.

    The DNS endpoint has the same address: nothing here resolves ``gke.goog`` names.
    """
    endpoints = {
        "dnsEndpointConfig": {"endpoint": endpoint.address},
        "ipEndpointsConfig": {
            "publicEndpoint": endpoint.address,
            "privateEndpoint": endpoint.address,
        },
    }
    private: Document = {"publicEndpoint": endpoint.address, "privateEndpoint": endpoint.address}
    enabled = cluster["networkConfig"].get("defaultEnablePrivateNodes")
    if enabled is not None:
        private["enablePrivateNodes"] = enabled
    return merged(
        cluster,
        {
            "endpoint": endpoint.address,
            "masterAuth": {
                "clientCertificateConfig": {},
                "clusterCaCertificate": ca_base64,
            },
            "controlPlaneEndpointsConfig": endpoints,
            "privateClusterConfig": private,
        },
    )
