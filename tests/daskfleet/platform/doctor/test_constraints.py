"""What an organisation may forbid. The judgement alone, and on the emulator."""

from typing import Any

import pytest

from daskfleet.platform.doctor.model import Area, Outcome
from tests.daskfleet.platform.doctor.examined import Machine

LOCATIONS = "constraints/gcp.resourceLocations"
BALANCERS = "constraints/compute.restrictLoadBalancerCreationForTypes"


def forbid(well: Machine, constraint: str, **values: Any) -> None:
    """Let the organisation set a policy; without values one that is on."""
    policy = {"constraint": constraint, **({"values": values} if values else {})}
    well.restrict(organisation_policies=[policy])


def test_without_policies_all_is_allowed_and_each_is_named(well: Machine) -> None:
    assert well.found() == []
    fine = {each.subject for each in well.found(Outcome.OK) if "constraints/" in each.subject}
    assert fine == {
        LOCATIONS,
        "constraints/gcp.restrictServiceUsage",
        "constraints/iam.disableServiceAccountCreation",
        "constraints/gcp.restrictNonCmekServices",
    }


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        ({"allowedValues": ["in:us-locations"]}, Outcome.OK),
        ({"allowedValues": ["in:us-central1-locations"]}, Outcome.OK),
        ({"allowedValues": ["is:us-central1"]}, Outcome.OK),
        ({"allowedValues": ["in:europe-locations"]}, Outcome.WRONG),
        ({"allowedValues": ["in:us-east1-locations"]}, Outcome.WRONG),
        ({"allowedValues": ["us-east1"]}, Outcome.WRONG),
        ({"deniedValues": ["us-central1"]}, Outcome.WRONG),
        ({"deniedValues": ["in:us-locations"], "allowedValues": ["us-central1"]}, Outcome.WRONG),
        ({"deniedValues": ["in:asia-locations"]}, Outcome.OK),
        ({"deniedValues": ["in:low-carbon-locations"]}, Outcome.NOT_LOOKED_AT),
        ({"allowedValues": ["in:northamerica-locations"]}, Outcome.NOT_LOOKED_AT),
        ({"allowedValues": ["us-central1-a"]}, Outcome.NOT_LOOKED_AT),
    ],
    ids=str,
)
def test_a_region_is_judged_by_names_and_groups_and_never_by_a_guess(
    well: Machine, values: dict[str, Any], outcome: Outcome
) -> None:
    forbid(well, LOCATIONS, **values)

    (finding,) = (each for each in well.examined().findings if each.subject == LOCATIONS)

    assert finding.outcome is outcome
    assert (finding.area, finding.needed) == (Area.PERMISSIONS, "us-central1 allowed")


def test_a_region_that_is_refused_is_told_with_what_the_policy_says(well: Machine) -> None:
    forbid(well, LOCATIONS, allowedValues=[f"in:europe-west{n}-locations" for n in range(7)])

    finding = well.only()

    assert finding.there == (
        "refused: the policy allows in:europe-west0-locations, in:europe-west1-locations, "
        "in:europe-west2-locations, in:europe-west3-locations, in:europe-west4-locations "
        "and 2 others"
    )
    assert "in:us-central1-locations" in finding.fix


@pytest.mark.parametrize(
    ("constraint", "values", "needed"),
    [
        (
            "constraints/gcp.restrictServiceUsage",
            {"deniedValues": ["compute.googleapis.com", "run.googleapis.com"]},
            "compute.googleapis.com allowed",
        ),
        (
            "constraints/iam.disableServiceAccountCreation",
            {},
            "the service account of the nodes allowed",
        ),
        (
            "constraints/gcp.restrictNonCmekServices",
            {"deniedValues": ["container.googleapis.com"]},
            "container.googleapis.com allowed",
        ),
    ],
    ids=["services", "accounts", "keys"],
)
def test_what_an_organisation_refuses_is_wrong_before_the_first_up(
    well: Machine, constraint: str, values: dict[str, Any], needed: str
) -> None:
    forbid(well, constraint, **values)

    finding = well.only()

    assert (finding.subject, finding.outcome) == (constraint, Outcome.WRONG)
    assert finding.needed == needed
    assert finding.fix


@pytest.mark.parametrize(
    ("values", "outcomes"),
    [
        ({"allowedValues": ["in:INTERNAL"]}, [Outcome.OK]),
        ({"deniedValues": ["in:EXTERNAL"]}, [Outcome.OK]),
        ({"deniedValues": ["INTERNAL_TCP_UDP"]}, [Outcome.WRONG]),
        ({"allowedValues": ["in:EXTERNAL"]}, [Outcome.WRONG]),
    ],
    ids=str,
)
def test_a_teams_address_needs_internal_load_balancers(
    well: Machine, values: dict[str, Any], outcomes: list[Outcome]
) -> None:
    well.settings(
        teams=[
            {
                "name": "fraud",
                "workers": 2,
                "access": {"internal_load_balancer": {"source_ranges": ["192.168.0.0/16"]}},
            }
        ]
    )
    forbid(well, BALANCERS, **values)

    assert [
        each.outcome for each in well.examined().findings if each.subject == BALANCERS
    ] == outcomes


def test_a_policy_that_may_not_be_read_is_not_taken_for_none(well: Machine) -> None:
    well.fail(
        {
            "kind": "error",
            "path": ":getEffectiveOrgPolicy$",
            "code": 403,
            "message": "Permission orgpolicy.policy.get denied",
            "times": 100,
        }
    )

    found = [each for each in well.found() if "constraints/" in each.subject]

    assert {each.outcome for each in found} == {Outcome.NOT_LOOKED_AT}
    assert len(found) == 4
