"""Each thing that a project can lack is one finding, and hides no other. On the emulator."""

from daskfleet.platform.doctor.model import Area, Outcome
from tests.daskfleet.platform.doctor.examined import PROJECT, STACK, Machine

ZONE = f"projects/{PROJECT}/locations/us-central1-c"


def test_nothing_is_wrong_where_all_is_well(well: Machine) -> None:
    report = well.examined()
    assert [f for f in report.findings if f.outcome is not Outcome.OK] == []
    assert {finding.area for finding in report.findings} == set(Area)
    assert not report.has_wrong


def test_every_look_up_is_counted_while_it_goes_on(well: Machine) -> None:
    said: list[str] = []
    well.examined(said.append)
    assert said[0] == "0 of 19 looked at"
    assert said[-1].startswith("19 of 19 looked at: ")


def test_an_examination_changes_nothing(well: Machine) -> None:
    well.examined()
    asked = [entry for entry in well.emulator.log.read() if entry.mutating]
    assert {entry.api_method for entry in asked} <= {
        "cloudresourcemanager.projects.getEffectiveOrgPolicy",
        "cloudresourcemanager.projects.testIamPermissions",
    }


def test_an_api_that_is_not_enabled_is_named_with_the_command(well: Machine) -> None:
    well.restrict(disabled_services=["iam.googleapis.com"])
    wrong, unknown = well.found()
    assert (wrong.area, wrong.subject, wrong.there) == (
        Area.APIS,
        "iam.googleapis.com",
        "not enabled",
    )
    assert wrong.command == f"gcloud services enable iam.googleapis.com --project {PROJECT}"
    # The names of service accounts cannot be asked for without it; all else can.
    assert unknown.outcome is Outcome.NOT_LOOKED_AT
    assert unknown.subject.startswith("service account rapids-gpu-nodes@")
    assert unknown.there == "iam.googleapis.com is not enabled in the project"


def test_where_service_usage_is_disabled_that_is_said(well: Machine) -> None:
    well.restrict(disabled_services=["serviceusage.googleapis.com"])
    finding = well.only()
    assert (finding.area, finding.outcome) == (Area.APIS, Outcome.NOT_LOOKED_AT)
    assert "serviceusage.googleapis.com is not enabled in the project" in finding.there
    assert finding.command == (
        f"gcloud services enable serviceusage.googleapis.com --project {PROJECT}"
    )


def test_permissions_that_are_missing_are_one_finding_for_each_role(well: Machine) -> None:
    denied = ["container.clusters.create", "container.clusters.connect", "compute.routers.create"]
    well.restrict(denied_permissions=denied)
    container, compute = well.found()
    assert container.subject == "roles/container.admin"
    assert container.needed == "container.clusters.create, container.clusters.connect"
    assert compute.subject == "roles/compute.networkAdmin"
    assert compute.command == (
        f"gcloud projects add-iam-policy-binding {PROJECT} --member=user:YOU@EXAMPLE.COM "
        "--role=roles/compute.networkAdmin"
    )


def test_the_ip_endpoint_needs_no_permission_to_connect(well: Machine) -> None:
    office = [{"name": "office", "cidr": "192.0.2.0/24"}]
    well.settings(cluster={"endpoint": {"kind": "ip", "authorized_networks": office}})
    well.restrict(denied_permissions=["container.clusters.connect"])
    assert {each.subject for each in well.found()} == {"way to the Kubernetes API"}


def test_a_quota_that_is_too_small_is_named_with_what_is_missing(well: Machine) -> None:
    well.restrict(quotas=[{"metric": "NVIDIA_A100_GPUS", "limit": 1}])
    finding = well.only()
    assert (finding.area, finding.outcome) == (Area.QUOTA, Outcome.WRONG)
    assert finding.subject == "NVIDIA_A100_GPUS in us-central1"
    assert finding.needed == "2 (pool a100: 2)"
    assert finding.there == "limit 1, used 0"
    assert finding.fix.startswith("Ask for 1 more")
    assert finding.command.endswith(
        "--quota-id=NVIDIA-A100-GPUS-per-project-region --dimensions=region=us-central1 "
        "--preferred-value=2"
    )


def test_the_quota_of_the_whole_project_counts_all_pools(well: Machine) -> None:
    well.restrict(quotas=[{"metric": "GPUS_ALL_REGIONS", "limit": 0}])
    finding = well.only()
    assert finding.subject == "GPUS_ALL_REGIONS in all regions"
    assert finding.needed == "3 (pool scheduler-pool: 1, pool a100: 2)"
    assert "--quota-id=GPUS-ALL-REGIONS-per-project --preferred-value=3" in finding.command


def test_what_others_use_of_a_quota_is_not_there_any_more(well: Machine) -> None:
    container = f"container/v1/{ZONE}/clusters"
    well.google("POST", container, {"cluster": {"name": "other", "initialNodeCount": 1}})
    well.restrict(quotas=[{"metric": "INSTANCES", "limit": 3}])
    finding = well.only()
    assert (finding.subject, finding.there) == ("INSTANCES in us-central1", "limit 3, used 1")
    assert finding.fix.startswith("Ask for 1 more")


def test_the_largest_size_of_a_pool_beyond_its_quota_is_a_warning(well: Machine) -> None:
    pool = {"autoscaling": {"min_nodes": 0, "max_nodes": 4}}
    well.settings(worker_pools=[pool])
    well.restrict(quotas=[{"metric": "NVIDIA_A100_GPUS", "limit": 3}])
    finding = well.only()
    assert finding.outcome is Outcome.WARNING
    assert "8 are needed: 5 more" in finding.fix
    assert not well.examined().has_wrong


def test_spot_capacity_counts_on_demand_where_the_project_has_no_quota_for_it(
    well: Machine,
) -> None:
    well.settings(
        worker_pools=[
            {
                "name": "l4",
                "machine_type": "g2-standard-8",
                "accelerator": "nvidia-l4",
                "gpus_per_node": 1,
                "node_count": 2,
                "spot": True,
            }
        ]
    )
    well.restrict(
        quotas=[
            {"metric": "PREEMPTIBLE_NVIDIA_L4_GPUS", "limit": 0},
            {"metric": "NVIDIA_L4_GPUS", "limit": 1},
        ]
    )
    wrong, unknown = well.found()
    assert (wrong.subject, wrong.outcome) == ("NVIDIA_L4_GPUS in us-central1", Outcome.WRONG)
    # No source names the quota that counts vCPUs of G2 machines.
    assert unknown.outcome is Outcome.NOT_LOOKED_AT
    assert unknown.subject == "pool l4: 16 vCPUs of g2 machines"


def test_a_zone_without_the_machine_type_and_the_gpu_says_both(well: Machine) -> None:
    """The catalog refuses it first, so the zone loses them after the stack file was written."""
    fault = {"kind": "error", "code": 404, "message": "The resource was not found", "times": 9}
    faults = [
        {**fault, "path": "/machineTypes/a2-highgpu-2g$"},
        {**fault, "path": "/acceleratorTypes$"},
    ]
    well.fail(*faults)
    machine, scheduler_gpu, worker_gpu = well.found()
    assert machine.subject == "a2-highgpu-2g in us-central1-c"
    assert machine.command.startswith("gcloud compute machine-types list")
    assert scheduler_gpu.there == "the zone has no nvidia-tesla-t4"
    assert worker_gpu.there == "the zone has no nvidia-tesla-a100"


def test_each_zone_of_a_pool_must_have_its_machines_and_its_gpus(well: Machine) -> None:
    zones = ["us-central1-a", "us-central1-c"]
    well.settings(worker_pools=[{"name": "a100", "zones": zones, "node_count": 2}])
    assert well.found() == []
    fault = {"kind": "error", "code": 404, "message": "The resource was not found", "times": 9}
    well.fail(
        {**fault, "path": "us-central1-a/machineTypes/a2-highgpu-2g$"},
        {**fault, "path": "us-central1-a/acceleratorTypes$"},
    )
    machine, gpu = well.found()
    assert machine.subject == "a2-highgpu-2g in us-central1-a"
    assert gpu.subject == "nvidia-tesla-a100 in us-central1-a (pool a100)"


def test_a_network_of_somebody_else_has_the_name(well: Machine) -> None:
    body = {"name": "rapids-gpu", "autoCreateSubnetworks": False}
    well.google("POST", f"compute/v1/projects/{PROJECT}/global/networks", body)
    finding = well.only()
    assert (finding.area, finding.subject) == (Area.NAMES, "network rapids-gpu")
    assert finding.there == "exists, and the stack's state does not have it"
    assert finding.command == f"daskfleet recover --stack {STACK} --existing"


def test_what_the_stack_has_made_itself_is_no_finding(well: Machine) -> None:
    body = {"name": "rapids-gpu", "autoCreateSubnetworks": False}
    well.google("POST", f"compute/v1/projects/{PROJECT}/global/networks", body)
    network = f"projects/{PROJECT}/global/networks/rapids-gpu"
    well.says("stack export", {"deployment": {"resources": [{"id": network}]}})
    well.restrict(quotas=[{"metric": "NETWORKS", "limit": 1}])
    assert well.found() == []


def test_the_nodes_of_the_stacks_own_cluster_are_not_needed_twice(well: Machine) -> None:
    pools = [
        {"name": "system", "initialNodeCount": 1, "config": {"machineType": "e2-standard-4"}},
        {
            "name": "a100",
            "initialNodeCount": 1,
            "config": {
                "machineType": "a2-highgpu-2g",
                "accelerators": [{"acceleratorType": "nvidia-tesla-a100", "acceleratorCount": "2"}],
            },
        },
    ]
    well.google(
        "POST",
        f"container/v1/{ZONE}/clusters",
        {"cluster": {"name": "rapids-gpu", "nodePools": pools}},
    )
    own = f"{ZONE}/clusters/rapids-gpu"
    well.says("stack export", {"deployment": {"resources": [{"id": own}]}})
    well.restrict(quotas=[{"metric": "NVIDIA_A100_GPUS", "limit": 2}])
    assert well.found() == []
    (quota,) = (
        finding
        for finding in well.examined().findings
        if finding.subject == "NVIDIA_A100_GPUS in us-central1"
    )
    assert quota.there == "limit 2, used 2, 2 of it by this stack"


def test_a_refused_stack_file_is_one_finding_with_every_reason(well: Machine) -> None:
    well.settings(teams=[{"name": "fraud", "workers": 99}], long_lived="perhaps")
    wrong, unknown = well.found()
    assert wrong.area is Area.STACK_FILE
    assert "long_lived" in wrong.there
    assert wrong.command == f"pulumi preview --stack {STACK}"
    assert unknown.there == "the stack file is refused"


def test_an_answer_that_is_an_error_hides_no_other(well: Machine) -> None:
    path = "/regions/us-central1$"
    fault = {"kind": "error", "code": 500, "message": "Backend Error", "path": path}
    well.fail(fault)
    well.restrict(denied_permissions=["iam.serviceAccounts.actAs"])
    wrong, unknown = well.found()
    assert wrong.subject == "roles/iam.serviceAccountUser"
    assert unknown.subject == "quotas in us-central1"
    assert unknown.there == "compute.googleapis.com answered 500: Backend Error"


def test_without_an_answer_the_host_is_named(well: Machine) -> None:
    well.environment["GOOGLE_COMPUTE_CUSTOM_ENDPOINT"] = "http://127.0.0.1:1/compute/beta/"
    unknown = well.found()
    assert {finding.outcome for finding in unknown} == {Outcome.NOT_LOOKED_AT}
    assert {finding.area for finding in unknown} == {Area.QUOTA, Area.ZONE, Area.NAMES}
    assert all("127.0.0.1" in finding.there for finding in unknown)
