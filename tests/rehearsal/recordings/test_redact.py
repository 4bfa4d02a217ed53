"""Which texts a recording keeps."""

from rehearsal.emulator import discovery
from rehearsal.emulator.api_mounts import mount_of
from rehearsal.recordings.fields import ANY_TEXT
from rehearsal.recordings.redact import redacted

DEFAULT = "https://www.googleapis.com/auth/logging.write"


def api() -> discovery.Api:
    mount = mount_of("/container/v1beta1/projects/p/locations/l/clusters/c")
    assert mount is not None
    return mount.load()


def test_a_scope_that_nodes_have_by_default_stays_and_any_other_is_a_users_own() -> None:
    scopes = [DEFAULT, "https://www.googleapis.com/auth/of-somebody"]

    told, _ = redacted(api(), "NodeConfig", {"oauthScopes": scopes, "machineType": DEFAULT})

    assert [*told.values()] == [DEFAULT, ANY_TEXT, ANY_TEXT]
