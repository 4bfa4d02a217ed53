"""From a requested Cluster to the one that GKE answers: checks and defaults. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehearsal.emulator.cluster_network import network_of
from rehearsal.emulator.document import Document, merged
from rehearsal.emulator.errors import InvalidArgumentError
from rehearsal.emulator.machines import region_of, zones_of
from rehearsal.emulator.node_pool_spec import check_name, defaults
from rehearsal.emulator.not_emulated import CLUSTER, check_emulated
from rehearsal.emulator.proto3 import created
from rehearsal.emulator.request_log import now
from rehearsal.emulator.versions import resolve_version
from rehearsal.emulator.world import Project, fingerprint, parent_of

if TYPE_CHECKING:
    from rehearsal.emulator.backend import Endpoint

_POOL_FIELDS = ("initialNodeCount", "nodeConfig", "nodePools")


def default_locations(location: str) -> list[str]:
    """Return the node zones of a new cluster in a zone or region."""
    return [location] if location.count("-") > 1 else list(zones_of(location))


def check(requested: Document) -> None:
    """Raise for what GKE refuses, or the emulator does not model, in a new cluster."""
    check_name(requested.get("name", ""), what="cluster")
    check_emulated(requested, CLUSTER, what="cluster")
    if not requested.get("nodePools") and not requested.get("initialNodeCount"):
        raise InvalidArgumentError("Cluster.initial_node_count must be greater than zero.")
    if requested.get("nodePools") and requested.get("initialNodeCount"):
        raise InvalidArgumentError(
            "Cluster.initial_node_count and Cluster.node_pools are mutually exclusive."
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


def settle(
    requested: Document,
    *,
    project: Project,
    network_project: Project | None = None,
    location: str,
    service_url: str,
    cluster_id: str,
) -> Document:
    """Return the Cluster document that GKE makes of a request, PROVISIONING, without pools.

    Its network is in ``network_project``, which is the cluster's own unless a host shares it.
    Raises InvalidArgumentError or UnimplementedError, as GKE or the emulator refuses it.
    """
    check(requested)
    locations = requested.get("locations") or default_locations(location)
    region = region_of(location) if location.count("-") > 1 else location
    host = network_project or project
    names, addresses = network_of(requested, project=project, host=host, region=region)
    wished = {key: value for key, value in requested.items() if key not in _POOL_FIELDS}
    cluster = created("Cluster", wished, defaults=defaults("cluster"))
    cluster |= one_authorization(cluster, requested)
    cluster |= one_endpoint(cluster)
    cluster |= one_encryption(cluster)
    cluster.update(names)
    cluster["ipAllocationPolicy"] |= addresses
    cluster = _silent(cluster)
    private = requested.get("privateClusterConfig", {}).get("enablePrivateNodes")
    network_config = cluster["networkConfig"]
    network_config |= {
        "network": f"projects/{host.name}/global/networks/{names['network']}",
        "subnetwork": f"projects/{host.name}/regions/{region}/subnetworks/{names['subnetwork']}",
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


def _silent(cluster: Document) -> Document:
    """Return a new cluster without two things that GKE keeps silent about where they are off.

    A policy for networks, and an endpoint's reach beyond its region: clients name both, and read
    neither (``bench/recordings``, all 22 answers of Google's).
    """
    kept = {**cluster, **without_far_reach(cluster)}
    if not kept.get("networkPolicy", {}).get("enabled"):
        kept.pop("networkPolicy", None)
    return kept


def without_far_reach(cluster: Document) -> Document:
    """Return a cluster's endpoints without a global access that is off."""
    endpoints = cluster["controlPlaneEndpointsConfig"]
    of_ip = endpoints.get("ipEndpointsConfig", {})
    told = {key: value for key, value in of_ip.items() if (key, value) != ("globalAccess", False)}
    return {"controlPlaneEndpointsConfig": {**endpoints, "ipEndpointsConfig": told}}


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


def one_encryption(cluster: Document) -> Document:
    """Return how Secrets are encrypted, with where that stands: nothing of it takes time here.

    Each desired state has a current one that is named after it (container v1beta1,
    DatabaseEncryption); recorded by Google for DECRYPTED alone (``bench/recordings``).
    """
    wished = cluster["databaseEncryption"]
    stands = {"currentState": f"CURRENT_STATE_{wished['state']}"} if "state" in wished else {}
    return {"databaseEncryption": {**wished, **stands}}


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
