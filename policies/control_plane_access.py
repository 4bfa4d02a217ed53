"""The Kubernetes API is not open to everybody; the rule is that of the settings."""

from collections.abc import Iterator, Sequence

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from daskfleet.settings.cluster import Endpoint
from policies.declared import UNKNOWN, Declared, at, gke_clusters, items_of
from policies.rule import NoParameters, Rule, Violation

ENDPOINT = ("controlPlaneEndpointsConfig", "ipEndpointsConfig")
NETWORKS = "masterAuthorizedNetworksConfig"


def _check(fleet: Sequence[Declared], parameters: NoParameters) -> Iterator[Violation]:
    del parameters
    for cluster in gke_clusters(fleet):
        if _has_public_address(cluster):
            if cluster.at(NETWORKS, "gcpPublicCidrsAccessEnabled") is True:
                yield Violation(
                    resource=cluster,
                    message=f"{NETWORKS}.gcpPublicCidrsAccessEnabled lets every customer of Google "
                    "Cloud reach the Kubernetes API: switch it off.",
                )
            if reason := _open_networks(cluster):
                yield Violation(resource=cluster, message=reason)


def _has_public_address(cluster: Declared) -> bool:
    """Whether it surely has one; GKE's default is that it has."""
    switches = [cluster.at(*ENDPOINT, key) for key in ("enabled", "enablePublicEndpoint")]
    if any(switch is False or switch is UNKNOWN for switch in switches):
        return False
    return cluster.at("privateClusterConfig", "enablePrivateEndpoint") is not True


def _open_networks(cluster: Declared) -> str:
    """Why these networks are refused, in the settings' words; empty when they are not."""
    blocks = cluster.at(NETWORKS, "cidrBlocks")
    if blocks is UNKNOWN:
        return ""
    networks = [
        {"name": str(at(block, "displayName") or ""), "cidr": at(block, "cidrBlock")}
        for block in items_of(blocks)
        if at(block, "cidrBlock") is not UNKNOWN
    ]
    if blocks and not networks:
        return ""
    try:
        Endpoint.model_validate({"kind": "ip", "authorized_networks": networks})
    except ValidationError as refusal:
        return " ".join(map(_in_words, refusal.errors()))
    return ""


def _in_words(error: ErrorDetails) -> str:
    allowed = error.get("ctx", {}).get("allowed", "networks in CIDR form")
    return f"{error['msg']} Allowed: {allowed}."


RULE = Rule(
    name="control-plane-access",
    description="The control plane has no public address, or one for authorized networks alone.",
    level="mandatory",
    scope="resource",
    parameters=NoParameters,
    check=_check,
)
