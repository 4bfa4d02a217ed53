"""Pure: whether one pod may open a connection to another, by NetworkPolicies.

Kubernetes' rules (kubernetes.io/docs/concepts/services-networking/network-policies): a pod that no
policy selects is open; one that is selected may do what any of its policies allows; and both ends
must allow a connection. What cannot be told is taken as allowed: a named port, a pod without an
address.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Any, Literal

from rehearsal.report.fleet_state import KubernetesObject, Pod

Direction = Literal["Ingress", "Egress"]
Labels = Mapping[str, str]

HIGHEST_PORT = 65535


@dataclass(frozen=True, kw_only=True)
class Ports:
    """Ports of one protocol, from the first to the last."""

    protocol: str
    first: int = 1
    last: int = HIGHEST_PORT

    def overlaps(self, other: "Ports") -> bool:
        """Whether there is a port that is in both."""
        return (
            self.protocol == other.protocol
            and self.first <= other.last
            and other.first <= self.last
        )


EVERY_PORT = tuple(Ports(protocol=protocol) for protocol in ("TCP", "UDP", "SCTP"))


class NetworkReach:
    """Who may talk to whom, by all policies of a cluster."""

    def __init__(
        self, policies: Sequence[KubernetesObject], *, namespaces: Mapping[str, Labels]
    ) -> None:
        """Take the policies, and the labels of the namespaces by name."""
        self._policies = policies
        self._namespaces = namespaces

    def may_connect(self, source: Pod, target: Pod) -> bool:
        """Whether the source may open any connection to the target."""
        outward = list(self._allowed("Egress", of=source, peer=target))
        inward = list(self._allowed("Ingress", of=target, peer=source))
        return any(out.overlaps(into) for out in outward for into in inward)

    def _allowed(self, direction: Direction, *, of: Pod, peer: Pod) -> Iterator[Ports]:
        """The ports on which a pod may talk with its peer, in one direction."""
        selecting = [
            policy
            for policy in self._policies
            if policy["metadata"]["namespace"] == of.namespace
            and direction in _directions(policy["spec"])
            and _selects(policy["spec"].get("podSelector", {}), of.labels)
        ]
        if not selecting:
            yield from EVERY_PORT
        field, peers = ("ingress", "from") if direction == "Ingress" else ("egress", "to")
        for policy in selecting:
            for rule in policy["spec"].get(field) or ():
                meant = rule.get(peers) or ()
                if not meant or any(self._is(peer, each, at=of.namespace) for each in meant):
                    yield from _ports(rule.get("ports") or ())

    def _is(self, pod: Pod, peer: Mapping[str, Any], *, at: str) -> bool:
        """Whether a policy in the namespace ``at`` means the pod by one of its peers."""
        if "ipBlock" in peer:
            return _is_in(pod.ip, peer["ipBlock"])
        if "namespaceSelector" in peer:
            labels = self._namespaces.get(pod.namespace, {})
            is_there = _selects(peer["namespaceSelector"], labels)
        else:
            is_there = pod.namespace == at
        return is_there and _selects(peer.get("podSelector", {}), pod.labels)


def _directions(spec: Mapping[str, Any]) -> Sequence[str]:
    given: Sequence[str] | None = spec.get("policyTypes")
    return given or (["Ingress", "Egress"] if spec.get("egress") else ["Ingress"])


def _selects(selector: Mapping[str, Any], labels: Labels) -> bool:
    wanted: Labels = selector.get("matchLabels") or {}
    return wanted.items() <= labels.items() and all(
        _holds(expression, labels) for expression in selector.get("matchExpressions") or ()
    )


def _holds(expression: Mapping[str, Any], labels: Labels) -> bool:
    value = labels.get(expression["key"])
    match expression["operator"]:
        case "In":
            return value in expression["values"]
        case "NotIn":
            return value not in expression["values"]
        case "Exists":
            return value is not None
        case _:
            return value is None


def _is_in(ip: str, block: Mapping[str, Any]) -> bool:
    if not ip:
        return True
    address = ip_address(ip)
    return address in ip_network(block["cidr"]) and not any(
        address in ip_network(each) for each in block.get("except") or ()
    )


def _ports(given: Iterable[Mapping[str, Any]]) -> Iterator[Ports]:
    entries = list(given)
    if not entries:
        yield from EVERY_PORT
    for entry in entries:
        protocol, port = entry.get("protocol", "TCP"), entry.get("port")
        if isinstance(port, int):
            yield Ports(protocol=protocol, first=port, last=entry.get("endPort", port))
        else:
            yield Ports(protocol=protocol)
