"""The command line of each process of a control plane.

Flags and figures were tried on Kubernetes 1.36.3, etcd 3.6.8 and kwok 0.8.0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rehearsal.control_plane.credentials import (
    CONTROLLER_MANAGER,
    KWOK,
    SCHEDULER,
    Credentials,
    kubeconfig_name,
    service_account_key,
)
from rehearsal.control_plane.dask_mode import DaskMode
from rehearsal.control_plane.kwok_definitions import KINDS
from rehearsal.control_plane.layout import Layout
from rehearsal.control_plane.ports import LOOPBACK, Ports
from rehearsal.toolchain import Binaries

AUDIT_POLICY = Path(__file__).with_name("audit-policy.yaml")

# Nodes that the emulator posts carry this; kwok leaves all others alone.
KWOK_NODE_ANNOTATION = "kwok.x-k8s.io/node=fake"

# As in Kubernetes, nearly: with 8 s, nodes of a busy machine seemed dead, and their pods unready.
# Those of a dead one move soon after, and not after five minutes more.
NODE_LEASE_S = 40
NODE_MONITOR_PERIOD_S = 1
EVICTION_TOLERATION_S = 3

QUOTA_ROUND_S = 15

API_REQUESTS_PER_S = 200

DASK_DASHBOARD_PORT = 8787

Command = tuple[str | Path, ...]


@dataclass(frozen=True, kw_only=True)
class ControlPlaneSpec:
    """What the commands follow from."""

    binaries: Binaries
    layout: Layout
    ports: Ports
    credentials: Credentials
    service_cidr: str
    pod_cidr: str
    dask: DaskMode


def etcd(spec: ControlPlaneSpec) -> Command:
    """Build etcd's command: nobody reads it without a certificate of its own authority."""
    client = f"https://{LOOPBACK}:{spec.ports.etcd_client}"
    peer = f"https://{LOOPBACK}:{spec.ports.etcd_peer}"
    server, authority = spec.credentials.etcd_server, spec.credentials.etcd_authority
    tls: dict[str, str | int | Path] = {
        "cert-file": server.certificate,
        "key-file": server.key,
        "trusted-ca-file": authority.certificate,
        "client-cert-auth": "true",
    }
    return (
        spec.binaries.etcd,
        f"--data-dir={spec.layout.etcd_data}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=default={peer}",
        *_flags(tls),
        *_flags({f"peer-{name}": value for name, value in tls.items()}),
        # A rehearsal outlives its processes, not the machine's power supply.
        "--unsafe-no-fsync",
        "--log-level=warn",
    )


def kube_apiserver(spec: ControlPlaneSpec) -> Command:
    """Build the API server's command: authorisation and admission as in a real cluster."""
    layout, credentials = spec.layout, spec.credentials
    return (
        spec.binaries.kube_apiserver,
        *_flags(
            {
                "bind-address": LOOPBACK,
                "advertise-address": LOOPBACK,
                "secure-port": spec.ports.api_server,
                "tls-cert-file": credentials.api_server.certificate,
                "tls-private-key-file": credentials.api_server.key,
                "client-ca-file": credentials.authority.certificate,
                "token-auth-file": layout.tokens,
                "authorization-mode": "Node,RBAC",
                # kwok answers port-forward in their place.
                "kubelet-certificate-authority": credentials.authority.certificate,
                "kubelet-preferred-address-types": "InternalIP",
                # On top of the defaults, as on GKE: pods that ask for a GPU tolerate its taint.
                "enable-admission-plugins": "ExtendedResourceToleration",
                "etcd-servers": f"https://{LOOPBACK}:{spec.ports.etcd_client}",
                "etcd-cafile": credentials.etcd_authority.certificate,
                "etcd-certfile": credentials.etcd_client.certificate,
                "etcd-keyfile": credentials.etcd_client.key,
                "service-cluster-ip-range": spec.service_cidr,
                "service-account-issuer": "https://kubernetes.default.svc",
                "service-account-key-file": service_account_key(layout),
                "service-account-signing-key-file": service_account_key(layout),
                # The driver installer is privileged.
                "allow-privileged": "true",
                # A loopback address is no valid endpoint of the `kubernetes` Service.
                "endpoint-reconciler-type": "none",
                "default-not-ready-toleration-seconds": EVICTION_TOLERATION_S,
                "default-unreachable-toleration-seconds": EVICTION_TOLERATION_S,
                "audit-policy-file": AUDIT_POLICY,
                "audit-log-path": layout.audit_log,
                # One file from the first request to the last: claims are checked against it.
                "audit-log-maxsize": 0,
            }
        ),
    )


def kube_controller_manager(spec: ControlPlaneSpec) -> Command:
    """Build the controller manager's command: every controller under its own account."""
    return (
        spec.binaries.kube_controller_manager,
        *_flags(
            {
                **_api_client(spec, CONTROLLER_MANAGER),
                "use-service-account-credentials": "true",
                "service-account-private-key-file": service_account_key(spec.layout),
                "root-ca-file": spec.credentials.authority.certificate,
                # Of a kind that is new to Kubernetes, a quota's use is counted at the next round,
                # and until then nobody can make one. Rounds come every 5 minutes on GKE.
                "resource-quota-sync-period": f"{QUOTA_ROUND_S}s",
                "node-monitor-period": f"{NODE_MONITOR_PERIOD_S}s",
                "node-monitor-grace-period": f"{NODE_LEASE_S}s",
            }
        ),
    )


def kube_scheduler(spec: ControlPlaneSpec) -> Command:
    """Build the scheduler's command: the default profile, as on GKE."""
    return (spec.binaries.kube_scheduler, *_flags(_api_client(spec, SCHEDULER)))


def kwok(spec: ControlPlaneSpec) -> Command:
    """Build kwok's command: the kubelets of the nodes that carry its annotation."""
    return (
        spec.binaries.kwok,
        *_flags(
            {
                "kubeconfig": spec.layout.kubeconfigs / kubeconfig_name(KWOK),
                # For pods on a node that brings no range of its own.
                "cidr": spec.pod_cidr,
                # Where the API server finds the kubelets of all nodes.
                "node-ip": LOOPBACK,
                "node-port": spec.ports.kubelets,
                "server-address": f"{LOOPBACK}:{spec.ports.kubelets}",
                "tls-cert-file": spec.credentials.kubelets.certificate,
                "tls-private-key-file": spec.credentials.kubelets.key,
                "manage-all-nodes": "false",
                "manage-nodes-with-annotation-selector": KWOK_NODE_ANNOTATION,
                "node-lease-duration-seconds": NODE_LEASE_S,
            }
        ),
        f"--config={spec.layout.kwok_stages}",
        *_how_pods_answer(spec),
    )


def _how_pods_answer(spec: ControlPlaneSpec) -> Command:
    """Where pods run, an object each says how to reach it; elsewhere one rule holds for all."""
    if spec.dask == "run":
        return (f"--enable-crds={','.join(KINDS)}",)
    return (f"--config={spec.layout.port_forwards}",)


def port_forwards(spec: ControlPlaneSpec) -> Mapping[str, object]:
    """Describe where kwok forwards the pods' ports to: a Dask scheduler's HTTP to its stand-in."""
    target = {"address": LOOPBACK, "port": spec.ports.dask_schedulers}
    return {
        "apiVersion": "kwok.x-k8s.io/v1alpha1",
        "kind": "ClusterPortForward",
        "metadata": {"name": "dask-schedulers"},
        "spec": {"forwards": [{"ports": [DASK_DASHBOARD_PORT], "target": target}]},
    }


def _api_client(spec: ControlPlaneSpec, user: str) -> Mapping[str, str | int | Path]:
    return {
        "kubeconfig": spec.layout.kubeconfigs / kubeconfig_name(user),
        "leader-elect": "false",
        # One of each, nobody to serve: no port, and none on all interfaces as is the default.
        "secure-port": 0,
        # At the default of 20 requests a second, the controller manager needs 5 s at its first
        # start for the accounts of its controllers alone.
        "kube-api-qps": API_REQUESTS_PER_S,
        "kube-api-burst": 2 * API_REQUESTS_PER_S,
    }


def _flags(values: Mapping[str, str | int | Path]) -> tuple[str, ...]:
    return tuple(f"--{name}={value}" for name, value in values.items())
