"""Pure: whether this machine has a way to a control plane that answers at an address.

What `pulumi up` and the other commands need of a machine: docs/network.md, "Ways in".
"""

from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlsplit

from daskfleet.platform.doctor.model import Area, Finding, Outcome, not_looked_at
from daskfleet.settings.stack import Stack

SUBJECT = "way to the Kubernetes API"
HTTPS = 443

NEEDED: Mapping[Literal["dns", "ip", "private"], str] = {
    "dns": "",
    "ip": "an address of this machine's in cluster.endpoint.authorized_networks",
    "private": "a machine in the network, or one whose addresses are in "
    "cluster.endpoint.authorized_networks and lead there",
}
"""What has to be true of the machine that runs `up`. Whom ``dns`` lets in, IAM decides."""


def needed_way(stack: Stack) -> str:
    """What this machine needs; empty where any place will do."""
    return NEEDED[stack.cluster.endpoint.kind]


def address_of(server: str) -> tuple[str, int]:
    """Host and port of the API server of a kubeconfig. Raises ValueError where it has none."""
    parts = urlsplit(server)
    if not parts.hostname:
        raise ValueError(f"the state names no address of the Kubernetes API: {server}")
    return parts.hostname, parts.port or HTTPS


def way_unknown(stack: Stack, why: str) -> Finding:
    """Say what has to be true, where nothing can be tried."""
    return not_looked_at(Area.TOOLS, SUBJECT, f"{why}. `up` needs {needed_way(stack)}")


def way_finding(stack: Stack, address: tuple[str, int], *, problem: str) -> Finding:
    """Judge a connection; ``problem`` is empty where there was one."""
    where = f"{address[0]}:{address[1]}"
    return Finding(
        area=Area.TOOLS,
        subject=SUBJECT,
        outcome=Outcome.WRONG if problem else Outcome.OK,
        needed=needed_way(stack),
        there=f"{where}: {problem}" if problem else f"{where} takes connections",
        fix="Run it where the control plane is reached, or add this machine's addresses to "
        "authorized_networks from there."
        if problem
        else "",
    )
