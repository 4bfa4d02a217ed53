"""What an organisation may forbid. The judgement alone, and on the emulator."""

from typing import Any

import pytest

from daskfleet.platform.doctor.constraint_values import Membership, means_resource
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.platform.doctor.names import named_resources
from daskfleet.settings.stack import Stack
from tests.daskfleet.platform.doctor.examined import PROJECT, Machine
from tests.recorded_program import record
from tests.setting_changes import BASE

LOCATIONS = "constraints/gcp.resourceLocations"
BALANCERS = "constraints/compute.restrictLoadBalancerCreationForTypes"
NO_KEYS = "constraints/gcp.restrictNonCmekServices"
KEY_PROJECTS = "constraints/gcp.restrictCmekCryptoKeyProjects"
KEY = "projects/acme-keys/locations/us-central1/keyRings/fleet/cryptoKeys/disks"


def forbid(well: Machine, constraint: str, **values: Any) -> None:
    """Let the organisation set a policy; without values one that is on."""
    policy = {"constraint": constraint, **({"values": values} if values else {})}
    well.restrict(organisation_policies=[policy])


def judged(well: Machine, constraint: str) -> list[Finding]:
    """What is said of a constraint; nothing where it is not asked for."""
    return [each for each in well.examined().findings if each.subject == constraint]


def test_without_policies_all_is_allowed_and_each_is_named(well: Machine) -> None:
    assert well.found() == []
    fine = {each.subject for each in well.found(Outcome.OK) if "constraints/" in each.subject}
    assert fine == {
        LOCATIONS,
        "constraints/gcp.restrictServiceUsage",
        "constraints/iam.disableServiceAccountCreation",
        NO_KEYS,
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


@pytest.mark.parametrize(
    ("keys", "denied", "missing"),
    [
        ({}, "container.googleapis.com", "keys.nodes and keys.secrets"),
        ({"nodes": KEY}, "container.googleapis.com", "keys.secrets"),
        ({"nodes": KEY, "secrets": "google"}, "container.googleapis.com", "keys.secrets"),
        ({"secrets": KEY}, "container.googleapis.com", "keys.nodes"),
        ({"secrets": KEY}, "compute.googleapis.com", "keys.nodes"),
    ],
)
def test_where_keys_must_be_ones_own_the_missing_ones_are_named(
    well: Machine, keys: dict[str, str], denied: str, missing: str
) -> None:
    well.settings(keys=keys)
    forbid(well, NO_KEYS, deniedValues=[denied])

    (finding,) = judged(well, NO_KEYS)

    assert (finding.outcome, finding.needed) == (Outcome.WRONG, f"{denied} allowed")
    assert finding.fix.startswith(f"Set {missing}: ")


def test_a_stack_with_both_keys_is_not_refused_for_googles_keys(well: Machine) -> None:
    well.settings(keys={"nodes": KEY, "secrets": KEY})
    forbid(well, NO_KEYS, deniedValues=["container.googleapis.com", "compute.googleapis.com"])

    assert judged(well, NO_KEYS) == []


def test_disks_are_not_refused_where_the_nodes_have_a_key(well: Machine) -> None:
    well.settings(keys={"nodes": KEY})
    forbid(well, NO_KEYS, deniedValues=["compute.googleapis.com"])

    assert [each.outcome for each in judged(well, NO_KEYS)] == [Outcome.OK]


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        ({"allowedValues": ["projects/acme-keys"]}, Outcome.OK),
        ({"allowedValues": ["projects/acme"]}, Outcome.WRONG),
        ({"deniedValues": ["under:projects/acme-keys"]}, Outcome.WRONG),
        ({"allowedValues": ["under:folders/77"]}, Outcome.NOT_LOOKED_AT),
    ],
    ids=str,
)
def test_keys_are_in_projects_that_the_organisation_allows(
    well: Machine, values: dict[str, Any], outcome: Outcome
) -> None:
    well.settings(keys={"nodes": KEY})
    forbid(well, KEY_PROJECTS, **values)

    (finding,) = judged(well, KEY_PROJECTS)

    assert (finding.outcome, finding.needed) == (outcome, "projects/acme-keys allowed")


@pytest.mark.parametrize(
    ("entry", "path", "membership"),
    [
        ("projects/host", "projects/host", "in"),
        ("is:projects/host", "projects/host", "in"),
        ("under:projects/host", "projects/host", "in"),
        ("under:projects/host", "projects/host/regions/r/subnetworks/s", "in"),
        ("under:projects/host", "projects/host-2/regions/r/subnetworks/s", "out"),
        ("projects/host", "projects/host/regions/r/subnetworks/s", "out"),
        ("projects/host/regions/r/subnetworks/s", "projects/host/regions/r/subnetworks/s", "in"),
        ("projects/host/regions/r/subnetworks/t", "projects/host/regions/r/subnetworks/s", "out"),
        ("under:projects/123456", "projects/host", "unknown"),
        ("under:organizations/9", "projects/host", "unknown"),
    ],
)
def test_projects_are_compared_by_name_and_folders_are_not_guessed(
    entry: str, path: str, membership: Membership
) -> None:
    assert means_resource(entry, path) == membership


def test_an_account_that_is_there_is_refused_by_nobody(well: Machine) -> None:
    constraint = "constraints/iam.disableServiceAccountCreation"
    forbid(well, constraint)
    assert [each.outcome for each in judged(well, constraint)] == [Outcome.WRONG]

    stack = Stack.model_validate({"project": PROJECT, "teams": [{"name": "fraud", "workers": 2}]})
    (account,) = (each for each in named_resources(stack) if each.kind == "service account")
    well.says("stack export", {"deployment": {"resources": [{"id": account.state_id}]}})
    assert judged(well, constraint) == []


def test_all_nodes_have_secure_boot_so_that_nobody_need_ask_whether_they_must(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """compute.requireShieldedVm; the default pool of a new cluster is made of its nodeConfig."""
    program = record(BASE, monkeypatch)
    for kind in ("gcp:container/cluster:Cluster", "gcp:container/nodePool:NodePool"):
        for each in program.of_type(kind):
            shielded = each.inputs["nodeConfig"]["shieldedInstanceConfig"]
            assert shielded["enableSecureBoot"] is True
            assert shielded["enableIntegrityMonitoring"] is True
