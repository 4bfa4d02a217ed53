"""Unit: what a preview means for the fleet that it leads to."""

from dataclasses import replace
from typing import Literal

import pytest

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.assess import NOT_ASSESSED
from daskfleet.platform.review.model import PropertyDiff, Review, Verdict
from tests.components.fleets import fleet
from tests.daskfleet.platform.review.engine_steps import CLUSTER, POOL, PROVIDER
from tests.daskfleet.platform.review.previews import DASK_CLUSTER, MADE_AT, judged, preview, step
from tests.daskfleet.platform.review.recordings import recorded

IMAGE = "spec.worker.spec.containers[0].image"
MACHINE = "nodeConfig.machineType"


def of_the_rehearsal(name: str) -> Review:
    """A recording, judged against the fleet that it was made on."""
    return judged(recorded(name), fleet(teams=[{"name": "genomics"}, {"name": "climate"}]))


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("no_change", Verdict.NO_CHANGE),
        ("new_stack", Verdict.SAFE),
        ("more_workers", Verdict.SAFE),
        ("image_change", Verdict.NEEDS_CARE),
        ("driver_change", Verdict.NEEDS_CARE),
        ("surge", Verdict.DESTROYS),
        ("pool_replaced", Verdict.DESTROYS),
        ("pool_removed", Verdict.DESTROYS),
        ("team_removed", Verdict.DESTROYS),
        ("cluster_replaced", Verdict.DESTROYS),
        ("refused", Verdict.FAILED),
        ("protected", Verdict.FAILED),
        ("policies", Verdict.FAILED),
        ("cancelled", Verdict.FAILED),
    ],
)
def test_a_recorded_change_has_its_verdict_and_stops_where_it_destroys_or_failed(
    name: str, verdict: Verdict
) -> None:
    review = of_the_rehearsal(name)

    assert review.verdict is verdict
    assert review.gate.passes == (verdict not in {Verdict.DESTROYS, Verdict.FAILED})


def test_an_image_change_names_the_team_and_counts_what_is_done() -> None:
    review = of_the_rehearsal("image_change")

    assert review.because.startswith("team genomics: Dask cluster is replaced")
    assert review.counts == {"replace": 1, "update": 1, "unchanged": 38}
    assert [step.operation for step in review.steps] == ["replace", "update"]


def test_a_recorded_driver_change_names_the_pools_and_the_parameter_behind_it() -> None:
    review = of_the_rehearsal("driver_change")
    rolled = {str(c.subject) for c in review.consequences if c.nodes or "pool" in str(c.subject)}

    assert rolled == {"pool scheduler-pool", "pool a100-fixed", "pool a100-auto"}
    assert any("The driver changes" in warning for warning in review.warnings)
    (installer,) = (each for each in review.steps if each.name == "nvidia-driver-installer")
    assert [diff.new for diff in installer.diffs] == ["580.95.05"]


def test_a_replaced_pool_passes_when_exactly_that_is_allowed() -> None:
    change = preview(step("replace", POOL, MACHINE))

    assert judged(change, fleet()).gate.missing == (ChangeClass.REPLACES_POOL,)
    assert judged(change, fleet(), [ChangeClass.REPLACES_POOL]).gate.passes
    assert not judged(change, fleet(), [ChangeClass.DESTROYS_DATA]).gate.passes


def test_a_replacement_is_explained_by_what_forces_it_alone() -> None:
    beside = PropertyDiff(path="nodeConfig.labels.a", kind="update", forces_replacement=False)
    replaced = step("replace", POOL, MACHINE)
    change = replace(replaced, diffs=(*replaced.diffs, beside))
    (only,) = judged(preview(change), fleet()).consequences

    assert [reason.path for reason in only.reasons] == [MACHINE]


@pytest.mark.parametrize(
    ("direction", "expected"),
    [("grows", ChangeClass.IN_PLACE), ("shrinks", ChangeClass.ROLLS_NODES)],
)
def test_the_direction_of_a_number_decides(
    direction: Literal["grows", "shrinks"], expected: ChangeClass
) -> None:
    size = PropertyDiff(
        path="nodeCount", kind="update", forces_replacement=False, direction=direction
    )
    change = replace(step("update", POOL), diffs=(size,))
    (only,) = judged(preview(change), fleet()).consequences

    assert only.change_class is expected


def test_what_follows_is_a_step_and_a_warning_and_no_consequence_of_its_own() -> None:
    cluster = step("replace", CLUSTER, "datapathProvider")
    provider = step("replace", PROVIDER, "clusterIdentifier")
    followers = [
        step("replace", DASK_CLUSTER, follows=provider.urn),
        step("replace", POOL, follows=cluster.urn),
        step("replace", POOL, name="b", follows=cluster.urn),
    ]
    review = judged(preview(*followers, provider, cluster), fleet())

    assert {str(each.subject) for each in review.consequences} == {"cluster", "access"}
    assert [bool(each.follows) for each in review.steps] == [False, False, True, True, True]
    assert [
        each.partition(" more ")[0]
        for each in review.warnings
        if " follow" in each or "only because" in each
    ] == ["1", "2"]


def test_a_refused_stack_file_fails_the_review_though_the_preview_succeeded() -> None:
    review = judged(preview(step("update", POOL, MACHINE)), None)

    assert (review.verdict, review.because) == (Verdict.FAILED, NOT_ASSESSED)
    assert not review.gate.passes
    assert (review.consequences, review.placement) == ((), ())


def test_an_incomplete_preview_is_never_taken_as_no_change() -> None:
    review = judged(preview(result="incomplete", errors=("cut off",)), fleet())

    assert (review.verdict, review.because) == (Verdict.FAILED, "cut off")
    assert not review.gate.passes


def test_the_reason_of_a_failure_is_its_first_line() -> None:
    review = judged(preview(result="failed", errors=("one\ntwo", "three")), fleet())

    assert review.because == "one"
    assert review.errors == ("one\ntwo", "three")


def test_the_steps_come_in_the_order_in_which_people_feel_them() -> None:
    steps = [
        step("create", DASK_CLUSTER, name="new-dask-cluster", parent="new"),
        step("update", POOL, "nodeConfig.labels"),
        step("replace", DASK_CLUSTER, IMAGE),
        step("delete", POOL, name="gone-nodes", parent="gone"),
    ]

    assert [each.operation for each in judged(preview(*steps), fleet()).steps] == [
        "delete",
        "replace",
        "update",
        "create",
    ]


def test_what_is_only_read_is_counted_and_changes_nothing() -> None:
    review = judged(preview(step("read", POOL)), fleet())

    assert review.verdict is Verdict.NO_CHANGE
    assert review.counts == {"read": 1, "unchanged": 40}


def test_an_imported_resource_is_new_to_the_fleet_and_not_replaced() -> None:
    (only,) = judged(preview(step("import", POOL)), fleet()).consequences

    assert only.change_class is ChangeClass.ADDS


def test_a_fleet_above_its_budget_needs_care_and_says_why() -> None:
    review = judged(preview(), fleet(monthly_budget_usd=1000))

    assert review.verdict is Verdict.NEEDS_CARE
    assert "monthly_budget_usd, 1,000" in review.because
    assert review.gate.passes


def test_the_review_holds_where_and_when_it_was_made() -> None:
    review = judged(preview(), fleet())

    assert (review.project, review.stack, review.commit) == ("daskfleet", "dev", "0123abc")
    assert review.made_at == MADE_AT
