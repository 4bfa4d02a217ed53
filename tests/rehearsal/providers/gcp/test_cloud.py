"""Unit: where resources go that do not say so themselves."""

import json

import pytest

from rehearsal.providers.gcp.cloud import configured_cloud
from rehearsal.providers.gcp.provider import CLIENT_CONFIG, GcpProvider
from rehearsal.providers.protocol import ProviderError, Secret
from tests.rehearsal.providers.gcp.conftest import endpoints


@pytest.fixture(autouse=True)
def _emulator(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in endpoints("http://127.0.0.1:9").items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(
    ("config", "location"),
    [
        ({"region": "us-central1", "zone": "us-central1-c"}, "us-central1-c"),
        ({"region": "us-central1"}, "us-central1"),
        ({"zone": "us-central1-c"}, "us-central1-c"),
    ],
)
def test_a_location_is_the_zone_if_there_is_one_else_the_region(
    config: dict[str, str], location: str
) -> None:
    assert configured_cloud(config).of({}, "location") == location


def test_what_the_resource_says_comes_first() -> None:
    assert configured_cloud({"project": "acme"}).of({"project": "other"}, "project") == "other"


def test_what_nobody_says_is_asked_for() -> None:
    with pytest.raises(ProviderError, match="region is set neither on the resource nor"):
        configured_cloud({"zone": "us-central1-c"}).of({}, "region")


def test_what_has_labels_gets_the_defaults_and_pulumis_own_unless_it_is_switched_off() -> None:
    labels = json.dumps({"team": "climate"})

    assert configured_cloud({"defaultLabels": labels}).labels == {
        "team": "climate",
        "goog-pulumi-provisioned": "true",
    }
    assert configured_cloud({"addPulumiAttributionLabel": "false"}).labels == {}


def test_it_tells_its_own_login_as_a_secret_and_no_other_function() -> None:
    provider = GcpProvider()
    provider.configure({"project": "acme"})

    answer = provider.function(CLIENT_CONFIG) or {}

    assert answer["accessToken"] == Secret("not-a-token")
    assert answer["project"] == "acme"
    assert provider.function("gcp:organizations/getProject:getProject") is None
