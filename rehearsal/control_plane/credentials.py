"""Who may speak to the API server and to etcd, and with what."""

import ipaddress
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from daskfleet.files import write_private_file
from rehearsal.control_plane.certificates import CertificateAuthority, KeyPair, create_key
from rehearsal.control_plane.layout import Layout

CONTROLLER_MANAGER = "system:kube-controller-manager"
SCHEDULER = "system:kube-scheduler"
# kwok plays every node's kubelet, so no single node's identity fits; its own name keeps its
# requests apart in the audit log.
KWOK = "kwok"

# What the program's own credentials stand for: the account that runs `pulumi up`.
ENGINEER = "platform-engineer"
REHEARSAL = "rehearsal"
CLUSTER_ADMINS = "system:masters"

Kubeconfig = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Credentials:
    """Everything secret of one control plane, as files; the tokens are the same at every start."""

    authority: KeyPair
    api_server: KeyPair
    etcd_authority: KeyPair
    etcd_server: KeyPair
    etcd_client: KeyPair
    kubelets: KeyPair
    components: Mapping[str, KeyPair]
    engineer_token: str
    rehearsal_token: str

    @classmethod
    def prepare(cls, layout: Layout, *, service_cidr: str) -> Self:
        """Load what must outlive a restart (authorities, tokens, signing key), sign the rest."""
        authority = CertificateAuthority.load_or_create(layout.pki, name="ca")
        # An authority of its own: a client of the API server is not a client of etcd, which
        # holds every Secret in plain text.
        etcd_authority = CertificateAuthority.load_or_create(layout.pki, name="etcd-ca")
        if not service_account_key(layout).exists():
            create_key(service_account_key(layout))
        tokens = _tokens(layout)
        groups = {CONTROLLER_MANAGER: (), SCHEDULER: (), KWOK: (CLUSTER_ADMINS,)}
        return cls(
            authority=authority.files,
            api_server=authority.issue(
                layout.pki, name="kube-apiserver", hosts=_api_server_names(service_cidr)
            ),
            etcd_authority=etcd_authority.files,
            etcd_server=etcd_authority.issue(
                layout.pki, name="etcd-server", hosts=("127.0.0.1", "localhost")
            ),
            etcd_client=etcd_authority.issue(layout.pki, name="etcd-client"),
            kubelets=authority.issue(layout.pki, name="kubelets", hosts=("127.0.0.1",)),
            components={
                user: authority.issue(layout.pki, name=user, groups=groups[user]) for user in groups
            },
            engineer_token=tokens[ENGINEER],
            rehearsal_token=tokens[REHEARSAL],
        )

    def write_kubeconfigs(self, layout: Layout, *, endpoint: str) -> None:
        """Write one kubeconfig per component, and the administrator's."""
        for user, pair in self.components.items():
            certificate = {
                "client-certificate": str(pair.certificate),
                "client-key": str(pair.key),
            }
            document = self._kubeconfig(user, certificate, endpoint=endpoint)
            write_private_file(
                layout.kubeconfigs / kubeconfig_name(user), json.dumps(document).encode()
            )
        admin = self._kubeconfig(REHEARSAL, {"token": self.rehearsal_token}, endpoint=endpoint)
        write_private_file(layout.admin_kubeconfig, json.dumps(admin, indent=2).encode())

    def _kubeconfig(self, user: str, secret: Mapping[str, str], *, endpoint: str) -> Kubeconfig:
        cluster = {
            "server": f"https://{endpoint}",
            "certificate-authority": str(self.authority.certificate),
        }
        return {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "rehearsal", "cluster": cluster}],
            "users": [{"name": user, "user": dict(secret)}],
            "contexts": [{"name": "rehearsal", "context": {"cluster": "rehearsal", "user": user}}],
            "current-context": "rehearsal",
        }


def kubeconfig_name(user: str) -> str:
    """Name the file of a user's kubeconfig."""
    return f"{user.replace(':', '-')}.kubeconfig"


def service_account_key(layout: Layout) -> Path:
    """Locate the key that signs the tokens of service accounts."""
    return layout.pki / "service-accounts.key"


def _tokens(layout: Layout) -> Mapping[str, str]:
    """Read the static tokens, or draw them: token,user,uid,"groups" (Kubernetes' own format)."""
    if not layout.tokens.exists():
        lines = (
            f'{secrets.token_urlsafe(32)},{user},{user},"{CLUSTER_ADMINS}"\n'
            for user in (ENGINEER, REHEARSAL)
        )
        write_private_file(layout.tokens, "".join(lines).encode())
    rows = (line.split(",") for line in layout.tokens.read_text(encoding="utf-8").splitlines())
    return {user: token for token, user, *_ in rows}


def _api_server_names(service_cidr: str) -> tuple[str, ...]:
    # Pods reach the API server at the first address of the service range.
    first_service_address = str(ipaddress.ip_network(service_cidr)[1])
    service = "kubernetes.default.svc"
    return (
        "127.0.0.1",
        "localhost",
        "kubernetes",
        "kubernetes.default",
        service,
        f"{service}.cluster.local",
        first_service_address,
    )
