"""The network of a new cluster: where it is, who may use it, and the cluster's addresses. Pure."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING

from rehearsal.emulator.document import Document, last_segment
from rehearsal.emulator.errors import GoogleError, InvalidArgumentError
from rehearsal.emulator.service_accounts import ACCOUNT_DOMAIN
from rehearsal.emulator.world import Project, World, fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable

_DEFAULT_POD_CIDR = "10.112.0.0/14"
_DEFAULT_SERVICE_CIDR = "34.118.224.0/20"
_IN_PROJECT = re.compile(r"(?:.*/)?projects/([^/]+)/")

_HOST_ROLE = "roles/container.hostServiceAgentUser"
_NETWORK_ROLE = "roles/compute.networkUser"


def network_project(world: World, project: Project, requested: Document) -> Project:
    """Return where the network of a new cluster is: in the cluster's project or in a host's.

    Raises GoogleError 403 unless GKE of ``project`` may use the host's. It needs one role in the
    host project, and one there or on the subnetwork
    (cloud.google.com/kubernetes-engine/docs/how-to/cluster-shared-vpc). Texts:
    terraform-google-modules/terraform-google-kubernetes-engine, issues 616 and 302.
    """
    subnetwork = requested.get("subnetwork", "")
    found = _IN_PROJECT.match(requested.get("network", "")) or _IN_PROJECT.match(subnetwork)
    host = world.project(found[1] if found else project.name)
    if host is project:
        return host
    agent = f"serviceAccount:service-{project.number}@container-engine-robot{ACCOUNT_DOMAIN}"
    of_host = host.policy.get("bindings", [])
    if not _has(of_host, _HOST_ROLE, agent):
        raise _forbidden(
            "Kubernetes Engine Service Agent is missing required permissions on this project. See "
            "https://cloud.google.com/kubernetes-engine/docs/troubleshooting"
            "#gke_service_account_deleted for more info: required "
            f'"container.hostServiceAgent.use" permission(s) for "projects/{host.name}".'
        )
    path = f"projects/{host.name}/regions/{subnetwork.partition('/regions/')[2]}"
    of_subnetwork = world.iam_bindings.get(path, [])
    if not _has([*of_host, *of_subnetwork], _NETWORK_ROLE, agent):
        raise _forbidden(
            f"Google Compute Engine: Required 'compute.subnetworks.get' permission for '{path}'"
        )
    return host


def _has(bindings: Iterable[Document], role: str, member: str) -> bool:
    return any(each["role"] == role and member in each.get("members", ()) for each in bindings)


def _forbidden(message: str) -> GoogleError:
    return GoogleError(403, message, reason="forbidden", status="PERMISSION_DENIED")


def network_of(
    requested: Document, *, project: Project, host: Project, region: str
) -> tuple[Document, Document]:
    """Return (top-level fields, address fields) of the cluster's network, which ``host`` has.

    Raises InvalidArgumentError for what there is not.
    """
    network = last_segment(requested.get("network", "default"))
    subnetwork = last_segment(requested.get("subnetwork") or network)
    ranges: dict[str, str] = {}
    # Every project has a network `default` with a subnetwork in each region; it is not listed.
    if network != "default":
        if f"global/networks/{network}" not in host.compute:
            raise InvalidArgumentError(f'Project "{host.name}" has no network named "{network}".')
        found = host.compute.get(f"regions/{region}/subnetworks/{subnetwork}")
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
    return (
        {"network": network, "subnetwork": subnetwork},
        {
            **_mode(policy, secondary_range=names[0] or _pod_range(project, region, requested)),
            "clusterIpv4Cidr": pods,
            "clusterIpv4CidrBlock": pods,
            "servicesIpv4Cidr": services,
            "servicesIpv4CidrBlock": services,
        },
    )


def _pod_range(project: Project, region: str, requested: Document) -> str:
    """Return how GKE calls a range of pods that it makes."""
    digest = fingerprint(project.name, region, requested["name"])
    return f"gke-{requested['name']}-pods-{digest}"


def _mode(policy: Document, *, secondary_range: str) -> Document:
    """Return what a cluster says of how its pods get addresses.

    They are of a secondary range unless routes are asked for: who asks for neither gets the
    default, and reads ``useIpAliases: true`` (the API's document of ``useRoutes``; 15 clusters in
    ``bench/recordings``). Raises InvalidArgumentError for both.
    """
    if not policy.get("useRoutes"):
        return {"clusterSecondaryRangeName": secondary_range, "useIpAliases": True}
    if policy.get("useIpAliases"):
        raise InvalidArgumentError("ip_allocation_policy: use_ip_aliases and use_routes exclude.")
    return {}


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
