"""A team's certificate authority, and the certificates of scheduler, workers and clients."""

import pulumi
import pulumi_kubernetes as kubernetes
import pulumi_tls
from pulumi import ResourceOptions

from components.gates.certificate_life import check_life
from components.kubernetes_provider import KubernetesProvider
from daskfleet.contract.dask import PART_OF, PART_OF_LABEL
from daskfleet.settings.team import Team
from daskfleet.settings.tls import Tls
from manifests.dask_tls import CA_FILE, CERT_FILE, KEY_FILE, ROLES, Role, generation_of, secret_name
from manifests.secret_data import secret_data

HOURS_PER_DAY = 24
USES: dict[Role, list[str]] = {
    # Workers answer each other and the scheduler, so both are servers and clients.
    "scheduler": ["digital_signature", "server_auth", "client_auth"],
    "worker": ["digital_signature", "server_auth", "client_auth"],
    "client": ["digital_signature", "client_auth"],
}


class TeamTls(pulumi.ComponentResource):
    """Who may speak with a team's Dask cluster: certificates of the team's own authority.

    Owns the authority, a key and a certificate per role, and a Secret for each in the team's
    namespace. The authority's own key is in the state of the stack, encrypted, and nowhere else:
    nobody in the cluster can make a certificate. Owns no renewal: the names say which certificates
    they are, and others are made beside them when the settings ask for it, so that no pod keeps
    certificates that were replaced. ``certificate_life`` tells in time.
    """

    TYPE = "daskfleet:dask:TeamTls"

    def __init__(
        self,
        name: str,
        *,
        team: Team,
        tls: Tls,
        via: KubernetesProvider,
        needs: list[pulumi.Resource],
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare the certificates; the Secrets come after what they need, the namespace."""
        super().__init__(self.TYPE, name, None, opts)
        made_here = ResourceOptions(parent=self)
        prefix = f"{name}-tls-{generation_of(tls)}"
        valid_h = tls.validity_days * HOURS_PER_DAY

        authority_key = _key(f"{prefix}-authority", made_here)
        authority = pulumi_tls.SelfSignedCert(
            f"{prefix}-authority",
            private_key_pem=authority_key.private_key_pem,
            is_ca_certificate=True,
            subject={"common_name": f"Dask of team {team.name}", "organization": "daskfleet"},
            validity_period_hours=valid_h,
            allowed_uses=["cert_signing", "digital_signature"],
            opts=made_here,
        )
        self.secrets: list[pulumi.Resource] = []
        """What pods mount: a Dask cluster comes after them."""

        for role in ROLES:
            key = _key(f"{prefix}-{role}", made_here)
            request = pulumi_tls.CertRequest(
                f"{prefix}-{role}",
                private_key_pem=key.private_key_pem,
                subject={
                    "common_name": f"{role} of team {team.name}",
                    "organization": "daskfleet",
                },
                opts=made_here,
            )
            certificate = pulumi_tls.LocallySignedCert(
                f"{prefix}-{role}",
                cert_request_pem=request.cert_request_pem,
                ca_private_key_pem=authority_key.private_key_pem,
                ca_cert_pem=authority.cert_pem,
                validity_period_hours=valid_h,
                allowed_uses=USES[role],
                opts=made_here,
            )
            secret = kubernetes.core.v1.Secret(
                f"{prefix}-{role}",
                metadata={
                    "name": secret_name(tls, role),
                    "namespace": team.name,
                    "labels": {PART_OF_LABEL: PART_OF},
                },
                type="kubernetes.io/tls",
                data={
                    CA_FILE: authority.cert_pem.apply(secret_data),
                    CERT_FILE: certificate.cert_pem.apply(secret_data),
                    KEY_FILE: key.private_key_pem.apply(secret_data),
                },
                opts=via.options(parent=self, depends_on=needs),
            )
            self.secrets.append(secret)

        self.valid_from: pulumi.Output[str] = authority.validity_start_time
        """When the certificates were made, RFC 3339."""

        self.valid_until: pulumi.Output[str] = authority.validity_end_time.apply(
            lambda until: check_life(until, team=team.name, tls=tls, report=self._warn)
        )
        self.register_outputs({"valid_until": self.valid_until})

    def _warn(self, text: str) -> None:
        pulumi.log.warn(text, resource=self)


def _key(name: str, opts: ResourceOptions) -> pulumi_tls.PrivateKey:
    return pulumi_tls.PrivateKey(name, algorithm="ECDSA", ecdsa_curve="P256", opts=opts)
