"""Unit: a team's further groups of workers, as Kubernetes gets them."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from components.dask_cluster import REPLACE_ON as CLUSTER_REPLACE_ON
from components.outputs.team import team_output
from daskfleet.planning.plan import TeamPlan
from manifests.dask_generation import generation
from manifests.dask_worker_group import REPLACE_ON, worker_group_manifest
from manifests.placement import required_pools
from manifests.team_members import member_rules
from manifests.team_quotas import gpu_quota
from tests.components.fleets import fleet
from tests.components.test_dask_cluster import IDENTITY, paths
from tests.manifests.test_dask_manifest import closed
from tests.recorded_program import record

CRD = Path("manifests/dask-crds/templates/daskworkergroup.yaml")
POOLS = [{"name": "a100", "node_count": 2}, {"name": "other", "node_count": 2}]


def alpha(*groups: dict[str, Any], **changes: Any) -> TeamPlan:
    team = {"name": "alpha", "worker_pool": "a100", "groups": list(groups), **changes}
    return fleet(worker_pools=POOLS, teams=[team]).teams[0]


def memory(**worker: Any) -> dict[str, Any]:
    return {"name": "memory", "workers": 1, "pool": "other", "worker": worker}


def manifest(plan: TeamPlan) -> dict[str, Any]:
    (group,) = plan.further_groups
    return worker_group_manifest(plan, group, cluster=generation(plan)["metadata"]["name"])


def container(plan: TeamPlan) -> dict[str, Any]:
    (only,) = manifest(plan)["spec"]["worker"]["spec"]["containers"]
    document: dict[str, Any] = only
    return document


def told(plan: TeamPlan) -> dict[str, Any]:
    return team_output(plan).model_dump(exclude_unset=True)


def flag(plan: TeamPlan, name: str) -> str:
    args: list[str] = container(plan)["args"]
    return args[args.index(name) + 1]


def test_the_operators_schema_accepts_it() -> None:
    (version,) = yaml.safe_load(CRD.read_text("utf-8"))["spec"]["versions"]
    schema = closed(version["schema"]["openAPIV3Schema"]["properties"]["spec"])
    plan = alpha(memory(resources={"MEMORY": 70e9}, environment={"CUDF_SPILL": "on"}))

    Draft202012Validator(schema).validate(manifest(plan)["spec"])


def test_every_field_but_the_number_of_workers_replaces_the_group() -> None:
    in_place = {
        path
        for path in paths(manifest(alpha(memory())))
        if path not in IDENTITY and not any(path.startswith(replaced) for replaced in REPLACE_ON)
    }

    assert in_place == {"spec.worker.replicas"}


def test_its_workers_are_on_its_own_pool_and_the_first_groups_on_theirs() -> None:
    plan = alpha(memory())
    first = generation(plan)["spec"]["worker"]["spec"]["affinity"]
    further = manifest(plan)["spec"]["worker"]["spec"]["affinity"]

    assert "a100" in str(first)
    assert "other" not in str(first)
    assert "other" in str(further)
    assert set(required_pools(plan)) == {"scheduler-pool", "a100", "other"}


def test_resources_are_added_to_the_gpu_and_written_so_that_dask_reads_the_same_number() -> None:
    plan = alpha(memory(resources={"MEMORY": 70e9, "SHARE": 0.1}))

    assert flag(plan, "--resources") == "GPU=1,MEMORY=70000000000,SHARE=0.1"


def test_a_variable_arrives_as_the_stack_file_has_it() -> None:
    env = container(alpha(memory(environment={"PATTERN": "$(HOME)/$x"})))["env"]

    assert {"name": "PATTERN", "value": "$$(HOME)/$$x"} in env


@pytest.mark.parametrize(("size", "written"), [(0.8, "0.8"), (30, "30GiB"), (1.5, "1.5GiB")])
def test_the_memory_pool_is_a_fraction_or_gib(size: float, written: str) -> None:
    assert flag(alpha(memory(rmm_pool_size=size)), "--rmm-pool-size") == written


def test_workers_speak_the_schedulers_protocol_unless_they_are_told_another() -> None:
    assert "--protocol" not in container(alpha(memory()))["args"]
    plan = alpha(memory(protocol="ucx"), worker={"protocol": "ucx"})
    assert flag(plan, "--protocol") == "ucx"
    assert "ucx" in generation(plan)["spec"]["worker"]["spec"]["containers"][0]["args"]


def test_another_group_leaves_a_blue_green_cluster_its_name() -> None:
    rollout = {"rollout": "blue-green", "workers": 1}
    without, beside = alpha(**rollout), alpha(memory(), **rollout)

    assert generation(without) == generation(beside)
    name = generation(beside)["metadata"]["name"]
    assert manifest(beside)["metadata"]["name"] == f"{name}-memory"
    assert manifest(beside)["spec"]["cluster"] == name


def test_the_quota_holds_all_groups() -> None:
    assert gpu_quota(alpha(memory()))["requests.nvidia.com/gpu"] == "4"


def test_the_outputs_tell_further_groups_only_where_there_are_some() -> None:
    assert "groups" not in told(alpha())
    assert told(alpha(memory(resources={"MEMORY": 2})))["groups"] == {
        "memory": {
            "dask_worker_group": "alpha-memory",
            "workers": 1,
            "worker_pool": "other",
            "threads_per_worker": 1,
            "worker_resources": {"GPU": 1, "MEMORY": 2},
        }
    }


def test_members_of_a_team_with_several_groups_do_not_scale() -> None:
    rights = {resource for rule in member_rules(may_scale=False) for resource in rule["resources"]}

    assert "daskworkergroups/scale" not in rights
    assert "daskworkergroups" in rights


def test_a_group_comes_after_its_cluster_and_goes_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recording = record(
        {
            "project": "example-project",
            "worker_pools": POOLS,
            "teams": [{"name": "alpha", "worker_pool": "a100", "groups": [memory()]}],
        },
        monkeypatch,
    )

    (group,) = recording.of_type("kubernetes:kubernetes.dask.org/v1:DaskWorkerGroup")
    (cluster,) = recording.of_type("kubernetes:kubernetes.dask.org/v1:DaskCluster")
    (gate,) = recording.gates
    assert any(each.endswith(f"::{cluster.name}") for each in group.dependencies)
    assert group.deletes_before_replace
    assert group.replace_on_changes == REPLACE_ON
    assert cluster.replace_on_changes == CLUSTER_REPLACE_ON
    assert group.inputs["spec"]["worker"]["replicas"] == 1
    assert cluster.inputs["spec"]["worker"]["replicas"] == 2
    assert gate["declared"].groups == {"alpha-memory": 1}
