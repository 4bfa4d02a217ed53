"""tls:index/privateKey:PrivateKey."""

import base64
import hashlib
from typing import ClassVar, Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from typing_extensions import override

from rehearsal.providers.protocol import Properties, StateOnlyResource

_CURVES: Final[dict[str, type[ec.EllipticCurve]]] = {
    "P256": ec.SECP256R1,
    "P384": ec.SECP384R1,
    "P521": ec.SECP521R1,
}
"""P224, the real provider's default, has no OpenSSH form; name a curve."""

_SECRET: Final = frozenset({"privateKeyPem", "privateKeyPemPkcs8", "privateKeyOpenssh"})


class PrivateKey(StateOnlyResource):
    """An ECDSA key."""

    required: ClassVar[frozenset[str]] = frozenset({"algorithm", "ecdsaCurve"})
    computed: ClassVar[frozenset[str]] = _SECRET | {
        "publicKeyPem",
        "publicKeyOpenssh",
        "publicKeyFingerprintMd5",
        "publicKeyFingerprintSha256",
    }
    secret: ClassVar[frozenset[str]] = _SECRET

    @override
    def make(self, inputs: Properties) -> tuple[str, Properties]:
        if inputs["algorithm"] != "ECDSA" or inputs["ecdsaCurve"] not in _CURVES:
            raise ValueError(
                f"the tls stand-in serves algorithm ECDSA with ecdsaCurve {', '.join(_CURVES)}"
            )
        key = ec.generate_private_key(_CURVES[inputs["ecdsaCurve"]]())
        public = key.public_key()
        openssh = public.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
        blob = base64.b64decode(openssh.split()[1])
        der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        md5 = hashlib.md5(blob, usedforsecurity=False).hexdigest()
        sha256 = base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")
        forms = {
            "privateKeyPem": (Encoding.PEM, PrivateFormat.TraditionalOpenSSL),
            "privateKeyPemPkcs8": (Encoding.PEM, PrivateFormat.PKCS8),
            "privateKeyOpenssh": (Encoding.PEM, PrivateFormat.OpenSSH),
        }
        return hashlib.sha1(der, usedforsecurity=False).hexdigest(), {
            **{
                name: key.private_bytes(encoding, form, NoEncryption()).decode()
                for name, (encoding, form) in forms.items()
            },
            "publicKeyPem": public.public_bytes(
                Encoding.PEM, PublicFormat.SubjectPublicKeyInfo
            ).decode(),
            "publicKeyOpenssh": f"{openssh.decode()}\n",
            "publicKeyFingerprintMd5": ":".join(md5[at : at + 2] for at in range(0, len(md5), 2)),
            "publicKeyFingerprintSha256": f"SHA256:{sha256}",
        }
