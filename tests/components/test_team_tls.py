"""Unit: a team's certificates, who gets which, and where the authority's key goes."""

import base64
import json

import pytest

from tests.recorded_program import Recording, Registration, record
from tests.setting_changes import BASE, changed

SECRET = "kubernetes:core/v1:Secret"  # noqa: S105 - a type
OF_TLS = "kubernetes.io/tls"
ROLES = {"scheduler", "worker", "client"}
WRAPPED = "4dabf18193072939515e22adb298388d"


@pytest.fixture(scope="module")
def fleet() -> Recording:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return record(BASE, monkeypatch)


def secrets(fleet: Recording) -> list[Registration]:
    """Those with a certificate."""
    return [each for each in fleet.of_type(SECRET) if each.inputs.get("type") == OF_TLS]


def test_each_role_has_a_secret_in_the_team_s_namespace(fleet: Recording) -> None:
    names = {each.inputs["metadata"]["name"] for each in secrets(fleet)}

    assert names == {f"dask-tls-{role}-1-365d" for role in ROLES}
    assert {each.inputs["metadata"]["namespace"] for each in secrets(fleet)} == {"alpha"}


def test_a_secret_has_the_role_s_own_key_as_a_secret_of_the_state(fleet: Recording) -> None:
    for each in secrets(fleet):
        assert WRAPPED in each.inputs["data"]
        data = each.inputs["data"]["value"]
        assert data.keys() == {"ca.crt", "tls.crt", "tls.key"}
        assert base64.b64decode(data["tls.key"]).decode() == f"KEY OF {each.name}"


def test_the_authority_s_key_is_given_to_nothing_in_the_cluster(fleet: Recording) -> None:
    key = "KEY OF alpha-tls-1-365d-authority"
    given = [each for each in fleet.registrations if key in json.dumps(each.inputs)]
    encoded = base64.b64encode(key.encode()).decode()

    assert {each.type.partition(":")[0] for each in given} == {"tls"}
    assert not any(encoded in json.dumps(each.inputs) for each in fleet.registrations)


def test_a_client_s_certificate_is_for_no_server(fleet: Recording) -> None:
    uses = {
        each.name.rpartition("-")[2]: each.inputs["allowedUses"]
        for each in fleet.of_type("tls:index/locallySignedCert:LocallySignedCert")
    }

    assert uses["client"] == ["digital_signature", "client_auth"]
    assert (
        uses["scheduler"] == uses["worker"] == ["digital_signature", "server_auth", "client_auth"]
    )


def test_nothing_is_renewed_behind_the_pods_backs(fleet: Recording) -> None:
    certificates = [each for each in fleet.registrations if each.type.endswith("Cert")]

    assert certificates
    assert not any("earlyRenewalHours" in each.inputs for each in certificates)


def test_the_cluster_comes_after_its_secrets(fleet: Recording) -> None:
    (cluster,) = (each for each in fleet.registrations if each.name == "alpha-dask-cluster")
    needs = {urn.rpartition("::")[2] for urn in cluster.dependencies}

    assert {each.name for each in secrets(fleet)} <= needs


@pytest.mark.parametrize("path", ["teams.tls.rotation", "teams.tls.validity_days"])
def test_other_certificates_are_made_beside_those_in_use(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = (record(stack, monkeypatch) for stack in changed(path))
    old, new = (
        {each.name for each in one.registrations if "-tls-" in each.name} for one in (before, after)
    )

    assert len(old) == len(new)
    assert old.isdisjoint(new)


def test_the_gate_knows_when_certificates_were_made(fleet: Recording) -> None:
    made = {gate["declared"].namespace: gate["declared"].certificates_from for gate in fleet.gates}

    assert made == {"alpha": "2026-01-01T00:00:00Z", "beta": None, "tides": None}


def test_outputs_name_the_client_s_secret_and_nothing_secret(fleet: Recording) -> None:
    assert "KEY OF" not in json.dumps(fleet.component_outputs)
