"""Unit: what a change does to a key or a certificate, and what stays secret."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from rehearsal.providers.protocol import Naming, ProviderError, Secret, State
from rehearsal.providers.tls.provider import RESOURCE_TYPES
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.tls.authority import NAMES, authority, key, made

NAMING = Naming("n", b"seed")
CERTIFICATE = {
    "certRequestPem": "request",
    "caPrivateKeyPem": Secret("key"),
    "caCertPem": "authority",
    "allowedUses": ["client_auth"],
    "validityPeriodHours": 24,
}


def kept(*, until: datetime) -> State:
    outputs = {**CERTIFICATE, "certPem": "c", "validityEndTime": until.isoformat()}
    return State("1", CERTIFICATE, outputs)


def replaces(inputs: dict[str, Any], *, until: datetime) -> bool:
    return NAMES["LocallySignedCert"].diff(old=kept(until=until), inputs=inputs).replaces


TOMORROW = datetime.now(UTC) + timedelta(days=1)


def test_nothing_changes_a_certificate_that_is_good() -> None:
    diff = NAMES["LocallySignedCert"].diff(old=kept(until=TOMORROW), inputs=CERTIFICATE)

    assert not diff.changes


@pytest.mark.parametrize("name", sorted(CERTIFICATE))
def test_each_input_is_another_certificate(name: str) -> None:
    assert replaces({**CERTIFICATE, name: "other"}, until=TOMORROW)


def test_when_to_renew_is_no_part_of_the_certificate() -> None:
    diff = NAMES["LocallySignedCert"].diff(
        old=kept(until=TOMORROW), inputs={**CERTIFICATE, "earlyRenewalHours": 1}
    )

    assert diff.changes
    assert not diff.replaces


def test_a_certificate_is_replaced_at_its_end_or_as_much_earlier_as_asked() -> None:
    assert replaces(CERTIFICATE, until=datetime.now(UTC) - timedelta(seconds=1))
    assert replaces({**CERTIFICATE, "earlyRenewalHours": 48}, until=TOMORROW)


def test_private_keys_leave_the_provider_as_secrets_and_nothing_else_does() -> None:
    inputs = {"algorithm": "ECDSA", "ecdsaCurve": "P256"}
    outputs = NAMES["PrivateKey"].create(inputs=inputs, call=engine_call()).outputs

    assert {name for name, value in outputs.items() if isinstance(value, Secret)} == {
        "privateKeyPem",
        "privateKeyPemPkcs8",
        "privateKeyOpenssh",
    }
    assert not any("PRIVATE" in str(value) for value in outputs.values())


@pytest.mark.parametrize("token", sorted(RESOURCE_TYPES))
def test_what_is_not_served_is_refused_by_name(token: str) -> None:
    checked = RESOURCE_TYPES[token].check(
        inputs={"privateKeyPemWo": "x"}, old_inputs={}, naming=NAMING
    )

    assert "privateKeyPemWo" in {failure.path for failure in checked.failures}


def test_a_key_of_another_kind_is_refused() -> None:
    with pytest.raises(ProviderError, match="ECDSA with ecdsaCurve P256"):
        made("PrivateKey", algorithm="RSA", ecdsaCurve="P256")


def test_an_authority_without_a_name_is_refused() -> None:
    with pytest.raises(ProviderError, match="has no name"):
        made(
            "SelfSignedCert",
            privateKeyPem=key(),
            isCaCertificate=True,
            allowedUses=["cert_signing"],
            validityPeriodHours=1,
        )


def test_two_authorities_differ() -> None:
    assert authority().certificate != authority().certificate
