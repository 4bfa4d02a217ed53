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

_Alike = tuple[Direction, str, frozenset[tuple[str, str]]]
"""Pods that the same policies select: of one namespace, with the same labels."""

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


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule of a policy, in one direction."""

    peers: Sequence[Mapping[str, Any]]
    """Whom it means; everybody when there is none."""
    ports: tuple[Ports, ...]


class NetworkReach:
    """Who may talk to whom, by all policies of a cluster.

    A fleet of n teams has n² pairs of pods, so of each pair no more is looked at than the rules of
    its two pods, and those are found once for all pods with the same labels.
    """

    def __init__(
        self, policies: Iterable[KubernetesObject], *, namespaces: Mapping[str, Labels]
    ) -> None:
        """Take the policies, and the labels of the namespaces by name."""
        self._policies: dict[str, list[KubernetesObject]] = {}
        for policy in policies:
            self._policies.setdefault(policy["metadata"]["namespace"], []).append(policy)
        self._namespaces = namespaces
        self._rules: dict[_Alike, tuple[Rule, ...]] = {}

    def may_connect(self, source: Pod, target: Pod) -> bool:
        """Whether the source may open any connection to the target."""
        inward = list(self._allowed("Ingress", of=target, peer=source))
        if not inward:
            return False
        outward = list(self._allowed("Egress", of=source, peer=target))
        return any(out.overlaps(into) for out in outward for into in inward)

    def _allowed(self, direction: Direction, *, of: Pod, peer: Pod) -> Iterator[Ports]:
        """The ports on which a pod may talk with its peer, in one direction."""
        for rule in self._rules_of(direction, of):
            if not rule.peers or any(self._is(peer, each, at=of.namespace) for each in rule.peers):
                yield from rule.ports

    def _rules_of(self, direction: Direction, pod: Pod) -> tuple[Rule, ...]:
        alike = (direction, pod.namespace, frozenset(pod.labels.items()))
        if alike not in self._rules:
            self._rules[alike] = tuple(self._found(direction, pod))
        return self._rules[alike]

    def _found(self, direction: Direction, pod: Pod) -> Iterator[Rule]:
        selecting = [
            policy["spec"]
            for policy in self._policies.get(pod.namespace, ())
            if direction in _directions(policy["spec"])
            and _selects(policy["spec"].get("podSelector", {}), pod.labels)
        ]
        if not selecting:
            yield Rule(peers=(), ports=EVERY_PORT)
        field, peers = ("ingress", "from") if direction == "Ingress" else ("egress", "to")
        for spec in selecting:
            for rule in spec.get(field) or ():
                yield Rule(
                    peers=rule.get(peers) or (), ports=tuple(_ports(rule.get("ports") or ()))
                )

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
