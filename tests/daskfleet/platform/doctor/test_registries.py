"""What can keep nodes from pulling their images. On the emulator."""

import pytest

from daskfleet.platform.doctor.model import Finding, Outcome
from daskfleet.platform.doctor.policy_answers import Policy
from tests.daskfleet.platform.doctor.examined import PROJECT, Machine

MIRROR = "europe-docker.pkg.dev/acme-images/mirror"
ACCOUNT = f"serviceAccount:rapids-gpu-nodes@{PROJECT}.iam.gserviceaccount.com"
PARENT = "artifactregistry/v1/projects/acme-images/locations/europe/repositories"
GRANT = (
    "gcloud artifacts repositories add-iam-policy-binding mirror --project=acme-images "
    f"--location=europe --member={ACCOUNT} --role=roles/artifactregistry.reader"
)


def mirror(well: Machine) -> None:
    """Let the mirror be there, and the nodes' account, as after the first `up`."""
    well.google("POST", f"{PARENT}?repositoryId=mirror", {"format": "DOCKER"})
    body = {"accountId": "rapids-gpu-nodes"}
    well.google("POST", f"iam/v1/projects/{PROJECT}/serviceAccounts", body)


def grant(well: Machine, member: str) -> None:
    binding = {"role": "roles/artifactregistry.reader", "members": [member]}
    policy = {"policy": {"bindings": [binding]}}
    well.google("POST", f"{PARENT}/mirror:setIamPolicy", policy)


def found(well: Machine) -> Finding:
    subject = f"repository {MIRROR}"
    (finding,) = [each for each in well.examined().findings if each.subject == subject]
    return finding


@pytest.fixture
def mirrored(well: Machine) -> Machine:
    """A stack that has its helper images from another project."""
    well.settings(registry={"mirror": MIRROR})
    return well


def test_a_mirror_that_nodes_may_not_read_is_a_warning_with_the_command_of_its_owner(
    mirrored: Machine,
) -> None:
    mirror(mirrored)
    finding = found(mirrored)
    assert (finding.outcome, finding.command) == (Outcome.WARNING, GRANT)

    grant(mirrored, ACCOUNT)
    assert found(mirrored).outcome is Outcome.OK


def test_a_grant_to_somebody_else_is_none_and_one_to_everybody_is(mirrored: Machine) -> None:
    mirror(mirrored)
    grant(mirrored, "user:ann@example.com")
    assert found(mirrored).outcome is Outcome.WARNING

    grant(mirrored, "allUsers")
    assert found(mirrored).outcome is Outcome.OK


def test_a_grant_that_may_end_is_not_taken_for_one() -> None:
    binding = {"role": "roles/artifactregistry.reader", "members": [ACCOUNT]}
    until = {"title": "until May", "expression": "request.time < timestamp('2026-05-01T00:00:00Z')"}
    assert Policy.model_validate({"bindings": [binding]}).grants(
        "roles/artifactregistry.reader", ACCOUNT
    )
    ending = Policy.model_validate({"bindings": [{**binding, "condition": until}]})
    assert not ending.grants("roles/artifactregistry.reader", ACCOUNT)


def test_a_repository_that_is_not_there_is_wrong(mirrored: Machine) -> None:
    finding = found(mirrored)
    assert finding.outcome is Outcome.WRONG
    assert finding.command.startswith("gcloud artifacts repositories describe mirror ")


def test_a_policy_that_one_may_not_read_is_unknown_and_the_command_is_told(
    mirrored: Machine,
) -> None:
    path = "repositories/mirror:getIamPolicy$"
    mirrored.fail({"kind": "error", "path": path, "code": 403, "message": "no getIamPolicy"})
    finding = found(mirrored)
    assert (finding.outcome, finding.command) == (Outcome.NOT_LOOKED_AT, GRANT)


def test_no_repository_is_asked_for_where_the_program_grants_or_images_are_elsewhere(
    well: Machine,
) -> None:
    for settings in ({}, {"registry": {"mirror": MIRROR, "reader_in": ["acme-images"]}}):
        well.settings(**settings)
        well.examined()
    asked = [each.api_method for each in well.emulator.log.read()]
    assert not [each for each in asked if each.startswith("artifactregistry.")]


def test_a_project_in_which_up_may_not_grant_is_wrong(well: Machine) -> None:
    well.settings(registry={"reader_in": ["acme-images"]})
    assert well.found() == []

    well.restrict(denied_permissions=["resourcemanager.projects.setIamPolicy"])
    (finding,) = [each for each in well.found() if each.subject == "grants in project acme-images"]
    assert (finding.outcome, finding.needed) == (
        Outcome.WRONG,
        "resourcemanager.projects.setIamPolicy",
    )
    assert finding.command.startswith("gcloud projects add-iam-policy-binding acme-images ")
