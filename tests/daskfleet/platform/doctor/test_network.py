"""A network that exists is looked at, with what its project has to grant. On the emulator."""

from typing import Any

import pytest

from daskfleet.platform.doctor.model import Area, Finding, Outcome
from tests.daskfleet.platform.doctor.examined import PROJECT, Machine

HOST = "acme-host"
REGION = f"compute/v1/projects/{HOST}/regions/us-central1"
SUBNETWORK = f"{REGION}/subnetworks/dask"
NETWORK = {
    "nodes_cidr": "10.64.0.0/20",
    "pods_cidr": "10.68.0.0/14",
    "services_cidr": "10.72.0.0/20",
    "existing": {
        "project": HOST,
        "network": "company",
        "subnetwork": "dask",
        "pods_range": "dask-pods",
        "services_range": "dask-services",
    },
}
SECONDARY = [
    {"rangeName": "dask-pods", "ipCidrRange": "10.68.0.0/14"},
    {"rangeName": "dask-services", "ipCidrRange": "10.72.0.0/20"},
]


def agents(machine: Machine) -> tuple[str, str]:
    """Google's agents of the stack's project: GKE's, and that which makes machines."""
    number = machine.google("GET", f"crm/v1/projects/{PROJECT}")["projectNumber"]
    return (
        f"serviceAccount:service-{number}@container-engine-robot.iam.gserviceaccount.com",
        f"serviceAccount:{number}@cloudservices.gserviceaccount.com",
    )


def grant(machine: Machine, path: str, **roles: list[str]) -> None:
    """Write a policy."""
    bindings = [
        {"role": f"roles/{role.replace('_', '.')}", "members": who} for role, who in roles.items()
    ]
    machine.google("POST", path, {"policy": {"bindings": bindings}})


@pytest.fixture
def shared(well: Machine) -> Machine:
    """A stack whose network is a host project's, with all that it needs."""
    well.settings(network=NETWORK)
    make_network(well)
    gke, machines = agents(well)
    grant(well, f"crm/v1/projects/{HOST}:setIamPolicy", container_hostServiceAgentUser=[gke])
    grant(well, f"{SUBNETWORK}/setIamPolicy", compute_networkUser=[gke, machines])
    attach(well, HOST)
    return well


def attach(machine: Machine, host: str) -> None:
    """Let the stack's project use the networks of a host project."""
    machine.google("POST", f"compute/v1/projects/{host}/enableXpnHost")
    resource = {"xpnResource": {"id": PROJECT, "type": "PROJECT"}}
    machine.google("POST", f"compute/v1/projects/{host}/enableXpnResource", resource)


def make_network(machine: Machine, **subnetwork: Any) -> None:
    machine.google("POST", f"compute/v1/projects/{HOST}/global/networks", {"name": "company"})
    wished = {
        "name": "dask",
        "network": "company",
        "ipCidrRange": "10.64.0.0/20",
        "privateIpGoogleAccess": True,
        "secondaryIpRanges": SECONDARY,
    }
    machine.google("POST", f"{REGION}/subnetworks", wished | subnetwork)
    nats = [{"name": "way-out", "natIpAllocateOption": "AUTO_ONLY"}]
    nats[0]["sourceSubnetworkIpRangesToNat"] = "ALL_SUBNETWORKS_ALL_IP_RANGES"
    router = {"name": "company", "network": "company", "nats": nats}
    machine.google("POST", f"{REGION}/routers", router)


def told(findings: list[Finding]) -> list[tuple[Area, str, Outcome]]:
    return [(each.area, each.subject, each.outcome) for each in findings]


def test_a_shared_network_with_all_its_grants_is_well(shared: Machine) -> None:
    assert shared.found() == []
    subjects = {finding.subject for finding in shared.examined().findings}
    assert {"subnetwork dask", "network.pods_cidr", "private Google access"} <= subjects
    assert "network rapids-gpu" not in subjects  # nothing of that name is to be made


def test_an_examination_of_a_shared_network_writes_nothing(shared: Machine) -> None:
    before = len(shared.emulator.log.read())
    shared.examined()
    asked = [entry for entry in shared.emulator.log.read()[before:] if entry.mutating]
    assert {entry.api_method for entry in asked} <= {
        "cloudresourcemanager.projects.testIamPermissions",
        "cloudresourcemanager.projects.getEffectiveOrgPolicy",
        "cloudresourcemanager.projects.getIamPolicy",
    }


def test_a_missing_grant_comes_with_the_command_for_the_owner_of_the_host_project(
    shared: Machine,
) -> None:
    gke, machines = agents(shared)
    grant(shared, f"crm/v1/projects/{HOST}:setIamPolicy")
    grant(shared, f"{SUBNETWORK}/setIamPolicy", compute_networkUser=[gke])

    host, subnetwork = shared.found()
    assert told([host, subnetwork]) == [
        (Area.PERMISSIONS, f"roles/container.hostServiceAgentUser in {HOST}", Outcome.WRONG),
        (Area.PERMISSIONS, f"roles/compute.networkUser in {HOST}", Outcome.WRONG),
    ]
    assert host.command == (
        f"gcloud projects add-iam-policy-binding {HOST} --member={gke} "
        "--role=roles/container.hostServiceAgentUser"
    )
    assert subnetwork.command == (
        "gcloud compute networks subnets add-iam-policy-binding dask "
        f"--project={HOST} --region=us-central1 --member={machines} "
        "--role=roles/compute.networkUser"
    )
    assert "GKE refuses to make the cluster" in host.there
    assert "no node comes up" in subnetwork.there


def test_a_grant_in_the_whole_host_project_serves_for_the_subnetwork(shared: Machine) -> None:
    gke, machines = agents(shared)
    grant(shared, f"{SUBNETWORK}/setIamPolicy")
    grant(
        shared,
        f"crm/v1/projects/{HOST}:setIamPolicy",
        container_hostServiceAgentUser=[gke],
        compute_networkUser=[gke, machines],
    )
    assert shared.found() == []


def test_load_balancers_of_teams_need_somebody_who_writes_firewall_rules(shared: Machine) -> None:
    balancer = {"internal_load_balancer": {"source_ranges": ["10.128.0.0/20"]}}
    team = {"name": "fraud", "workers": 2, "access": balancer}
    shared.settings(network=NETWORK, teams=[team])
    finding = shared.only()
    assert finding.outcome is Outcome.WARNING
    assert finding.subject == f"roles/compute.securityAdmin in {HOST}"


def test_policies_that_may_not_be_read_are_said_to_be_unknown(shared: Machine) -> None:
    shared.fail(
        {
            "kind": "error",
            "path": f"{HOST}:getIamPolicy$",
            "code": 403,
            "message": "The caller does not have permission",
            "times": 10,
        }
    )
    found = shared.found()
    assert {each.outcome for each in found} == {Outcome.NOT_LOOKED_AT}
    assert len(found) == 3
    assert all("add-iam-policy-binding" in each.command for each in found)


def test_a_subnetwork_that_is_not_there(well: Machine) -> None:
    well.settings(network=NETWORK)
    attach(well, HOST)
    well.google("POST", f"compute/v1/projects/{HOST}/global/networks", {"name": "company"})
    grants, finding = well.found()[:-1], well.found()[-1]
    assert [each.area for each in grants] == [Area.PERMISSIONS] * 3
    assert (finding.subject, finding.outcome) == ("subnetwork dask", Outcome.WRONG)
    assert finding.command == (
        f"gcloud compute networks subnets list --project {HOST} --network company "
        "--regions us-central1"
    )


def test_ranges_are_compared_with_those_of_the_subnetwork(shared: Machine) -> None:
    pods = {"nodes_cidr": "10.65.0.0/20", "pods_cidr": "10.76.0.0/14"}
    shared.settings(network={**NETWORK, **pods})
    nodes, of_pods = shared.found()
    assert (nodes.subject, nodes.there) == ("network.nodes_cidr", "10.65.0.0/20, not 10.64.0.0/20")
    assert of_pods.fix.startswith("Set network.pods_cidr to 10.68.0.0/14")


def test_a_range_that_the_subnetwork_lacks(shared: Machine) -> None:
    existing = {**NETWORK["existing"], "pods_range": "other"}  # type: ignore[dict-item]
    shared.settings(network={**NETWORK, "existing": existing})
    finding = shared.only()
    assert finding.there == "it has dask-pods 10.68.0.0/14, dask-services 10.72.0.0/20"
    assert finding.command.endswith("--add-secondary-ranges other=10.68.0.0/14")


def test_a_network_without_ways_to_google_and_out(well: Machine) -> None:
    existing = {**NETWORK["existing"], "project": None}  # type: ignore[dict-item]
    well.settings(network={**NETWORK, "existing": existing})
    own = f"compute/v1/projects/{PROJECT}"
    well.google("POST", f"{own}/global/networks", {"name": "company"})
    well.google(
        "POST",
        f"{own}/regions/us-central1/subnetworks",
        {
            "name": "dask",
            "network": "company",
            "ipCidrRange": "10.64.0.0/20",
            "secondaryIpRanges": SECONDARY,
        },
    )
    access, way_out = well.found()
    assert (access.subject, access.outcome) == ("private Google access", Outcome.WRONG)
    assert access.command.endswith("--enable-private-ip-google-access")
    assert (way_out.subject, way_out.outcome) == ("way out of the network", Outcome.WARNING)


@pytest.mark.parametrize(
    ("allowed", "outcomes"),
    [
        (f"under:projects/{HOST}", []),
        (f"projects/{HOST}/regions/us-central1/subnetworks/dask", []),
        (f"projects/{HOST}/regions/us-central1/subnetworks/other", [Outcome.WRONG]),
    ],
)
def test_the_organisation_may_allow_other_subnetworks_alone(
    shared: Machine, allowed: str, outcomes: list[Outcome]
) -> None:
    constraint = "constraints/compute.restrictSharedVpcSubnetworks"
    policy = {"constraint": constraint, "values": {"allowedValues": [allowed]}}
    shared.restrict(organisation_policies=[policy])
    found = shared.found()
    assert [each.outcome for each in found] == outcomes
    assert {each.subject for each in found} <= {constraint}


@pytest.fixture
def detached(shared: Machine) -> Machine:
    """The same, but the host project does not share its networks with the stack's."""
    resource = {"xpnResource": {"id": PROJECT, "type": "PROJECT"}}
    shared.google("POST", f"compute/v1/projects/{HOST}/disableXpnResource", resource)
    return shared


def test_a_project_that_is_not_attached_comes_with_the_command_for_the_owner(
    detached: Machine,
) -> None:
    finding = detached.only()
    assert finding.outcome is Outcome.WRONG
    assert finding.subject == f"project {PROJECT} in the Shared VPC of {HOST}"
    assert finding.command == (
        f"gcloud compute shared-vpc associated-projects add {PROJECT} --host-project={HOST}"
    )


def test_a_project_of_another_host_is_told_and_not_to_be_attached_again(detached: Machine) -> None:
    attach(detached, "other-host")
    finding = detached.only()
    assert (finding.outcome, finding.command) == (Outcome.WRONG, "")
    assert finding.there == "attached to other-host; it can be in one alone"


def test_a_host_that_is_not_told_is_not_taken_for_none(shared: Machine) -> None:
    shared.fail(
        {
            "kind": "error",
            "path": "/getXpnHost$",
            "code": 403,
            "message": "Required 'compute.projects.get' permission",
            "times": 10,
        }
    )
    finding = shared.only()
    assert finding.outcome is Outcome.NOT_LOOKED_AT
    assert finding.command.startswith("gcloud compute shared-vpc associated-projects add ")


def test_the_organisation_may_forbid_to_attach_and_nothing_to_who_is_attached(
    detached: Machine,
) -> None:
    constraint = "constraints/compute.restrictSharedVpcHostProjects"
    values = {"allowedValues": ["projects/other-host"]}
    detached.restrict(organisation_policies=[{"constraint": constraint, "values": values}])
    wrong = [each.subject for each in detached.found()]
    assert set(wrong) == {f"project {PROJECT} in the Shared VPC of {HOST}", constraint}

    attach(detached, HOST)
    assert detached.found() == []
