"""End to end: the engine asks the policy pack, which names what violates it and lets all else pass.

One preview violates every policy at once: a preview takes ten seconds, and each finding has its
policy's name and its resource.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daskfleet.platform.review.policy_packs import flags, own_pack
from daskfleet.platform.review.read import read_preview
from policies.location import HERE, PACK
from policies.rules import RULES
from rehearsal.toolchain import Binaries
from tests.rehearsal.end_to_end.input_changes import resources as of
from tests.rehearsal.end_to_end.input_changes.cases import InputChange
from tests.rehearsal.end_to_end.judged_previews import (
    PACK_ARGUMENTS,
    JudgedStage,
    install_pack,
    named_by_policy,
)
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team
from tests.rehearsal.end_to_end.shell import typed
from tests.tiers.long_files import LONG

pytestmark = LONG

CLIMATE = "climate-dask-cluster"
GENOMICS = "genomics-dask-cluster"
CLUSTER = "cluster-control-plane"
FIXED = "a100-fixed-nodes"
INSTALLER = "nvidia-driver-installer"
OPERATOR = "dask-release"
THE_STACK = ""
"""What the review calls it: its findings are the whole stack's."""

POOLS = {f"{name}-nodes" for name in ("system", "scheduler-pool", "a100-fixed", "a100-auto")}
NAMESPACES = {"climate-namespace", "genomics-namespace"}

WORKER = "spec.worker.spec"
SCHEDULER = "spec.scheduler.spec"
POD = "spec.template.spec"
OLD_IMAGE = "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"

VIOLATIONS: dict[str, tuple[tuple[InputChange, ...], set[str]]] = {
    "one-image-per-team": (
        (of.DASK(f"{WORKER}.containers[0].image", OLD_IMAGE),),
        {CLIMATE},
    ),
    "scheduler-gpu": (
        (of.OTHER_DASK(f'{SCHEDULER}.containers[0].resources.limits["nvidia.com/gpu"]', "0"),),
        {GENOMICS},
    ),
    "gpu-taints": ((of.FIXED("nodeConfig.taints", []),), {FIXED}),
    "required-affinity": ((of.OTHER_DASK(f"{WORKER}.affinity", {}),), {GENOMICS}),
    "driver-cuda-gpu": (
        (of.INSTALLER(f"{POD}.initContainers[0].env[0].value", "470.256.02"),),
        {CLIMATE, GENOMICS},
    ),
    "control-plane-access": (
        (of.CLUSTER("masterAuthorizedNetworksConfig.cidrBlocks[0].cidrBlock", "0.0.0.0/0"),),
        {CLUSTER},
    ),
    "load-balancer-sources": ((of.ADDRESS("spec.type", "LoadBalancer"),), {"climate-address"}),
    "public-principals": (
        (of.GRANT("member", "allAuthenticatedUsers"),),
        {"nodes-artifactregistry.reader"},
    ),
    "privileged-pods": ((of.DASK(f"{SCHEDULER}.hostNetwork", value=True),), {CLIMATE}),
    "requests-and-limits": (
        (of.OTHER_DASK(f"{WORKER}.containers[0].resources.requests", {"cpu": "1"}),),
        {GENOMICS},
    ),
    "namespace-limits": ((of.QUOTA("spec.hard", {"pods": "10"}),), {CLIMATE}),
    "team-labels": (
        (of.NAMESPACE('metadata.labels["cost-center"]', "cc-9"),),
        {"climate-namespace"},
    ),
    "monthly-budget": ((), {THE_STACK}),
    # The settings say that the environment is short-lived, and protect nothing of it.
    "long-lived-protection": (
        (of.CLUSTER("deletionProtection", value=True),),
        {CLUSTER, *POOLS, *NAMESPACES},
    ),
    "pinned-images": (
        (of.INSTALLER(f"{POD}.containers[0].image", "registry.k8s.io/pause:latest"),),
        {INSTALLER},
    ),
    "pinned-charts": (
        (
            of.OPERATOR("chart", "dask-kubernetes-operator"),
            of.OPERATOR("version", ">=2026.3.0"),
        ),
        {OPERATOR},
    ),
}
"""For each policy what violates it, and the resources that it has to name."""

EXPECTED = {policy: named for policy, (_, named) in VIOLATIONS.items()}
CHANGES = [change for changes, _ in VIOLATIONS.values() for change in changes]


@pytest.fixture(scope="module")
def stage(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[JudgedStage]:
    del binaries
    install_pack()
    judged = JudgedStage(tmp_path_factory.mktemp("policies"))
    yield judged
    judged.end()


def settings_that_violate(stage: JudgedStage) -> dict[str, Any]:
    return {**stage.settings, "daskfleet:monthly_budget_usd": 100}


def test_every_policy_is_violated_here() -> None:
    assert list(VIOLATIONS) == [rule.name for rule in RULES]


PYTHON = HERE / ".venv" / "bin" / "python"


@pytest.mark.usefixtures("stage")
@pytest.mark.parametrize(
    "command",
    [(PACK,), (PYTHON, "-u", HERE)],
    ids=["as-an-executable", "as-a-directory-by-a-language-host"],
)
def test_the_pack_serves_from_anywhere(command: tuple[str | Path, ...], tmp_path: Path) -> None:
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as pack:
        try:
            assert pack.stdout is not None
            assert int(pack.stdout.readline()) > 0
        finally:
            pack.terminate()


def judged_as_reviewed(stack: str) -> tuple[str, ...]:
    """The options with which a review lets the pack judge a stack."""
    return tuple(flags([own_pack(stack)], no_config=HERE / "no-config.json"))


@pytest.mark.parametrize("stack", ["dev", "prod", "rehearsal"])
def test_the_repositorys_stacks_pass(stage: JudgedStage, stack: str) -> None:
    preview = stage.preview(stage.settings_of(stack), *judged_as_reviewed(stack))

    assert preview.policies == ()
    assert preview.result == "succeeded"


def test_a_review_stops_what_a_policy_refuses(fleet: RunningRehearsal) -> None:
    install_pack()
    with fleet.considering({**fleet.settings(), "daskfleet:monthly_budget_usd": 100}):
        done = typed(fleet, sys.executable, "-m", "daskfleet", "review")

    assert done.returncode == 3, done.stderr
    assert "A policy refuses it: monthly-budget" in done.stdout


def test_a_fleet_that_is_up_passes_and_so_does_its_update(fleet: RunningRehearsal) -> None:
    install_pack()
    settings = fleet.settings()
    team(settings, "climate")["workers"] = 3
    fleet.up(settings, *judged_as_reviewed("rehearsal"))

    with fleet.event_log("up").open(encoding="utf-8") as events:
        assert read_preview(events).policies == ()
    fleet.run("preview", *judged_as_reviewed("rehearsal"))
    with fleet.event_log("preview").open(encoding="utf-8") as events:
        assert read_preview(events).policies == ()


def test_what_violates_is_named_by_its_policy_and_stops_the_preview(stage: JudgedStage) -> None:
    preview = stage.preview(settings_that_violate(stage), *PACK_ARGUMENTS, changes=CHANGES)

    assert named_by_policy(preview) == EXPECTED
    assert {each.policy: each.level for each in preview.policies} == {
        rule.name: rule.level for rule in RULES
    }
    assert preview.result == "failed"


def test_a_stack_sets_levels_and_parameters(stage: JudgedStage) -> None:
    config = {
        "all": "advisory",
        "privileged-pods": {"allowed": ["climate/climate", "kube-system/nvidia-driver-installer"]},
        "pinned-charts": "disabled",
    }
    preview = stage.preview(
        settings_that_violate(stage), *PACK_ARGUMENTS, changes=CHANGES, config=config
    )

    silent = {"privileged-pods", "pinned-charts"}
    assert named_by_policy(preview) == {
        policy: named for policy, named in EXPECTED.items() if policy not in silent
    }
    assert {each.level for each in preview.policies} == {"advisory"}
    assert preview.result == "succeeded"
