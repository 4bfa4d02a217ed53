"""tls:index/certRequest:CertRequest."""

import hashlib
from typing import ClassVar

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from typing_extensions import override

from rehearsal.providers.protocol import Properties, StateOnlyResource
from rehearsal.providers.tls.pem import key_of, text_of
from rehearsal.providers.tls.subject import name_of


class CertRequest(StateOnlyResource):
    """A request for a certificate, signed with the key that it is for."""

    required: ClassVar[frozenset[str]] = frozenset({"privateKeyPem"})
    optional: ClassVar[frozenset[str]] = frozenset({"subject"})
    computed: ClassVar[frozenset[str]] = frozenset({"certRequestPem", "keyAlgorithm"})

    @override
    def make(self, inputs: Properties) -> tuple[str, Properties]:
        builder = x509.CertificateSigningRequestBuilder(name_of(inputs.get("subject")))
        request = text_of(builder.sign(key_of(inputs["privateKeyPem"]), hashes.SHA256()))
        request_id = hashlib.sha1(request.encode(), usedforsecurity=False).hexdigest()
        return request_id, {"certRequestPem": request, "keyAlgorithm": "ECDSA"}
