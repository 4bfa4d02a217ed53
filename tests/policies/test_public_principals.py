"""Unit: grants to the whole world."""

import pytest

from policies.declared import UNKNOWN, Declared
from policies.public_principals import RULE
from tests.policies.fleets import Fleet, recorded


def grant(kind: str, **properties: object) -> Fleet:
    urn = f"urn:pulumi:prod::daskfleet::gcp:{kind}::grant"
    given = {"role": "roles/storage.objectViewer", **properties}
    return Fleet((Declared(urn=urn, type=f"gcp:{kind}", properties=given),))


MEMBER = "storage/bucketIAMMember:BucketIAMMember"
BINDING = "storage/bucketIAMBinding:BucketIAMBinding"


@pytest.mark.parametrize("everybody", ["allUsers", "allAuthenticatedUsers"])
def test_a_grant_to_everybody_is_named_with_its_role(everybody: str) -> None:
    ((name, message),) = grant(MEMBER, member=everybody).violations(RULE)

    assert name == "grant"
    assert f"roles/storage.objectViewer to {everybody}" in message


def test_one_of_many_members_is_enough() -> None:
    members = ["user:alice@example.com", "allUsers"]

    assert grant(BINDING, members=members).names(RULE) == ["grant"]


def test_grants_to_somebody_pass(fleet: Fleet) -> None:
    assert fleet.names(RULE) == []
    assert grant(MEMBER, member="user:alice@example.com").names(RULE) == []


def test_what_grants_nothing_may_name_everybody() -> None:
    assert grant("storage/bucketACL:BucketACL", member="allUsers").names(RULE) == []


def test_what_is_not_known_yet_violates_nothing() -> None:
    assert grant(MEMBER, member=UNKNOWN).names(RULE) == []


def test_the_programs_own_buckets_pass() -> None:
    teams = [{"name": "alpha", "buckets": [{"name": "data"}]}]

    assert recorded(project_number=1, teams=teams).names(RULE) == []
