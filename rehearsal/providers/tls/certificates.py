"""tls:index/selfSignedCert:SelfSignedCert and tls:index/locallySignedCert:LocallySignedCert."""

from abc import abstractmethod
from datetime import UTC, datetime, timedelta
from typing import ClassVar, Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from typing_extensions import override

from rehearsal.providers.protocol import Change, Diff, Properties, State, StateOnlyResource, reveal
from rehearsal.providers.tls.issuing import CertificateSpec, issue
from rehearsal.providers.tls.pem import key_of, text_of
from rehearsal.providers.tls.subject import name_of

_OF_EVERY: Final = frozenset({"allowedUses", "validityPeriodHours"})
_COMPUTED: Final = frozenset({"certPem", "readyForRenewal", "validityStartTime", "validityEndTime"})


class _Certificate(StateOnlyResource):
    optional: ClassVar[frozenset[str]] = frozenset({"earlyRenewalHours", "isCaCertificate"})
    in_place: ClassVar[frozenset[str]] = frozenset({"earlyRenewalHours"})

    @abstractmethod
    def wanted(self, inputs: Properties) -> CertificateSpec:
        """Say what the certificate is to say."""

    @override
    def make(self, inputs: Properties) -> tuple[str, Properties]:
        certificate = issue(self.wanted(inputs))
        return str(certificate.serial_number), {
            "certPem": text_of(certificate),
            "readyForRenewal": False,
            "validityStartTime": _rfc3339(certificate.not_valid_before_utc),
            "validityEndTime": _rfc3339(certificate.not_valid_after_utc),
        }

    @override
    def diff(self, *, old: State, inputs: Properties) -> Diff:
        """Compare, and replace a certificate at its end, or as much earlier as it is told to.

        The real provider does it in the plan of every `up`, whatever else changes
        (`modifyPlanIfCertificateReadyForRenewal` in its `common_cert.go`).
        """
        diff = super().diff(old=old, inputs=inputs)
        until = reveal(old.outputs).get("validityEndTime")
        early = timedelta(hours=reveal(inputs).get("earlyRenewalHours") or 0)
        if until is None or datetime.now(UTC) < datetime.fromisoformat(until) - early:
            return diff
        return Diff(changes={**diff.changes, ("readyForRenewal",): Change.UPDATE_REPLACE})


class SelfSignedCert(_Certificate):
    """A certificate that is signed with its own key, such as an authority's."""

    required: ClassVar[frozenset[str]] = _OF_EVERY | {"privateKeyPem"}
    optional: ClassVar[frozenset[str]] = _Certificate.optional | {"subject"}
    computed: ClassVar[frozenset[str]] = _COMPUTED | {"keyAlgorithm"}

    @override
    def make(self, inputs: Properties) -> tuple[str, Properties]:
        made_id, computed = super().make(inputs)
        return made_id, {**computed, "keyAlgorithm": "ECDSA"}

    @override
    def wanted(self, inputs: Properties) -> CertificateSpec:
        key = key_of(inputs["privateKeyPem"])
        subject = name_of(inputs.get("subject"))
        return CertificateSpec(
            subject=subject,
            public_key=key.public_key(),
            issuer=subject,
            issuer_key=key,
            issuer_key_id=None,
            is_authority=bool(inputs.get("isCaCertificate")),
            uses=inputs["allowedUses"],
            valid_h=inputs["validityPeriodHours"],
        )


class LocallySignedCert(_Certificate):
    """A certificate that an authority signs, for whoever made the request."""

    required: ClassVar[frozenset[str]] = _OF_EVERY | {
        "caCertPem",
        "caPrivateKeyPem",
        "certRequestPem",
    }
    computed: ClassVar[frozenset[str]] = _COMPUTED | {"caKeyAlgorithm"}

    @override
    def make(self, inputs: Properties) -> tuple[str, Properties]:
        made_id, computed = super().make(inputs)
        return made_id, {**computed, "caKeyAlgorithm": "ECDSA"}

    @override
    def wanted(self, inputs: Properties) -> CertificateSpec:
        request = x509.load_pem_x509_csr(inputs["certRequestPem"].encode())
        authority = x509.load_pem_x509_certificate(inputs["caCertPem"].encode())
        public_key = request.public_key()
        if not isinstance(public_key, ec.EllipticCurvePublicKey):
            raise ValueError("certRequestPem is not of an ECDSA key")  # noqa: TRY004
        return CertificateSpec(
            subject=request.subject,
            public_key=public_key,
            issuer=authority.subject,
            issuer_key=key_of(inputs["caPrivateKeyPem"]),
            issuer_key_id=_key_id(authority),
            is_authority=bool(inputs.get("isCaCertificate")),
            uses=inputs["allowedUses"],
            valid_h=inputs["validityPeriodHours"],
        )


def _key_id(authority: x509.Certificate) -> x509.SubjectKeyIdentifier | None:
    try:
        return authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    except x509.ExtensionNotFound:
        return None


def _rfc3339(when: datetime) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")
