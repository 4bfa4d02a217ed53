"""Keys that Google's agents may not use. On the emulator."""

import pytest

from daskfleet.platform.doctor.model import Finding, Outcome
from tests.daskfleet.platform.doctor.examined import PROJECT, Machine

RING = "projects/acme-keys/locations/us-central1/keyRings/fleet"
ROLE = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
WHERE = "--project=acme-keys --location=us-central1 --keyring=fleet"


def make(well: Machine, name: str) -> None:
    well.google(
        "POST", f"cloudkms/v1/{RING}/cryptoKeys?cryptoKeyId={name}", {"purpose": "ENCRYPT_DECRYPT"}
    )


def agent(well: Machine, domain: str) -> str:
    number = well.google("GET", f"crm/v1/projects/{PROJECT}")["projectNumber"]
    return f"serviceAccount:service-{number}@{domain}.iam.gserviceaccount.com"


def grant(well: Machine, name: str, member: str, **condition: object) -> None:
    binding = {"role": ROLE, "members": [member], **condition}
    policy = {"policy": {"bindings": [binding], "version": 3}}
    well.google("POST", f"cloudkms/v1/{RING}/cryptoKeys/{name}:setIamPolicy", policy)


def by_subject(well: Machine) -> dict[str, Finding]:
    return {each.subject: each for each in well.examined().findings}


@pytest.fixture
def keyed(well: Machine) -> Machine:
    """A stack with a key for its nodes and one for Secrets; only their ring is there."""
    keys = f"{RING}/cryptoKeys"
    well.settings(keys={"nodes": f"{keys}/disks", "secrets": f"{keys}/etcd"})
    ring = "cloudkms/v1/projects/acme-keys/locations/us-central1/keyRings?keyRingId=fleet"
    well.google("POST", ring, {})
    return well


def test_keys_that_are_not_there_come_with_the_command_that_makes_them(keyed: Machine) -> None:
    wrong = keyed.found(Outcome.WRONG)
    assert [each.subject for each in wrong] == ["keys.nodes, key disks", "keys.secrets, key etcd"]
    assert wrong[0].command == f"gcloud kms keys create disks {WHERE} --purpose=encryption"


def test_each_key_needs_the_grant_to_the_agent_that_encrypts_with_it(keyed: Machine) -> None:
    make(keyed, "disks")
    make(keyed, "etcd")
    compute, gke = agent(keyed, "compute-system"), agent(keyed, "container-engine-robot")
    assert [each.command for each in keyed.found(Outcome.WRONG)] == [
        f"gcloud kms keys add-iam-policy-binding {name} {WHERE} --member={member} --role={ROLE}"
        for name, member in (("disks", compute), ("etcd", gke))
    ]

    grant(keyed, "disks", gke)
    assert by_subject(keyed)[f"{ROLE} on key disks for nodes"].outcome is Outcome.WRONG

    grant(keyed, "disks", compute)
    grant(keyed, "etcd", gke)
    assert keyed.found() == []


def test_a_grant_for_a_time_is_none(keyed: Machine) -> None:
    make(keyed, "disks")
    condition = {"title": "soon", "expression": "request.time < timestamp('2027-01-01T00:00:00Z')"}
    grant(keyed, "disks", agent(keyed, "compute-system"), condition=condition)
    assert by_subject(keyed)[f"{ROLE} on key disks for nodes"].outcome is Outcome.WRONG


def test_who_may_not_read_the_key_gets_the_commands_for_its_owner(keyed: Machine) -> None:
    path = "^/cloudkms/"
    keyed.fail(
        {"kind": "error", "path": path, "code": 403, "message": "no cloudkms.cryptoKeys.get"}
    )
    unknown = by_subject(keyed)[f"{ROLE} on key disks for nodes"]
    assert unknown.outcome is Outcome.NOT_LOOKED_AT
    assert unknown.command.startswith("gcloud kms keys add-iam-policy-binding disks")


def test_a_stack_without_keys_asks_nothing_of_them(well: Machine) -> None:
    well.fail({"kind": "error", "path": "^/cloudkms/", "code": 500, "message": "asked"})
    assert well.found() == []
    assert not [each for each in by_subject(well) if "key" in each]
