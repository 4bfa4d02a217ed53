"""Whose token there is, and what is said where there is none. No network."""

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from daskfleet.google_cloud.access import NoAccessError, get_access
from daskfleet.platform.doctor.model import Area, Outcome
from tests.daskfleet.platform.doctor.examined import Machine

ACCOUNT = "ci@acme-research.iam.gserviceaccount.com"
NOBODY = "http://127.0.0.1:1/token"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """The key of a service account, at whose token server nobody answers."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    document = {
        "type": "service_account",
        "client_email": ACCOUNT,
        "private_key": private.decode(),
        "token_uri": NOBODY,
    }
    file = tmp_path / "key.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """google-auth looks at this process's variables: here there is nothing to be found."""
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)


def test_a_token_in_the_environment_is_taken_first(key: Path) -> None:
    environment = {"GOOGLE_OAUTH_ACCESS_TOKEN": "t", "GOOGLE_CREDENTIALS": str(key)}
    access = get_access(environment)
    assert access.token == "t"  # noqa: S105 - not one
    assert access.kind == "the access token in GOOGLE_OAUTH_ACCESS_TOKEN"


@pytest.mark.parametrize("as_content", [True, False])
def test_a_key_without_a_token_says_whose_key_and_why(key: Path, *, as_content: bool) -> None:
    given = key.read_text(encoding="utf-8") if as_content else str(key)
    with pytest.raises(NoAccessError, match="no token can be had") as refused:
        get_access({"GOOGLE_CREDENTIALS": given})
    assert refused.value.kind == "the key of a service account in GOOGLE_CREDENTIALS"
    assert "PRIVATE" not in str(refused.value)


def test_application_default_credentials_are_found(
    key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(key))
    with pytest.raises(NoAccessError) as refused:
        get_access({})
    assert refused.value.kind == "the key of a service account"


def test_a_key_that_is_not_there_is_no_crash() -> None:
    with pytest.raises(NoAccessError, match=r"no-such-file\.json"):
        get_access({"GOOGLE_CREDENTIALS": "/no-such-file.json"})


def test_without_credentials_the_rest_is_still_looked_at(well: Machine) -> None:
    del well.environment["GOOGLE_OAUTH_ACCESS_TOKEN"]
    wrong, *unknown = well.found()
    assert (wrong.area, wrong.outcome) == (Area.CREDENTIALS, Outcome.WRONG)
    assert "default credentials were not found" in wrong.there
    assert wrong.command == "gcloud auth application-default login"
    assert {finding.there for finding in unknown} == {"there is no token for Google Cloud"}
    assert {finding.area for finding in well.found(Outcome.OK)} >= {Area.TOOLS, Area.STATE}


def test_a_project_that_cannot_be_seen_is_wrong(well: Machine) -> None:
    fault = {
        "kind": "error",
        "code": 404,
        "message": "Not found",
        "path": "^/crm/v1/projects/[^:]+$",
    }
    well.fail(fault)
    finding = well.only()
    assert finding.subject == "project acme-research"
    assert finding.there == "not found, or not to be seen with these credentials"


def test_a_token_that_google_refuses_is_told_in_its_words(well: Machine) -> None:
    fault = {
        "kind": "error",
        "code": 401,
        "message": "Request had invalid authentication credentials.",
        "path": ".",
        "times": 99,
    }
    well.fail(fault)
    unknown = well.found()
    assert {finding.outcome for finding in unknown} == {Outcome.NOT_LOOKED_AT}
    assert all("answered 401: Request had invalid" in finding.there for finding in unknown)
