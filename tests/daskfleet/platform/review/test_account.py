"""Unit: a preview of which something is not known is no preview that may pass."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from typer.testing import CliRunner

from daskfleet.platform.review.account import NEXT_STEP, NOTHING_TOLD
from daskfleet.platform.review.cli import app
from daskfleet.platform.review.document import from_json
from daskfleet.platform.review.model import Preview, Verdict
from daskfleet.platform.review.read import CUT_OFF, EMPTY, read_preview
from daskfleet.pressure import FAILED
from tests.daskfleet.platform.review.recordings import RECORDED, stream

POOL = "gcp:container/nodePool:NodePool"
SUCCEEDED = [
    each.stem
    for each in sorted(RECORDED.glob("*.jsonl"))
    if '"result":"succeeded"' in each.read_text("utf-8")
]


def step(operation: str, *, kind: str = POOL, name: str = "extra", **more: Any) -> str:
    urn = f"urn:pulumi:rehearsal::daskfleet::{kind}::{name}"
    state = {"custom": True, "inputs": {}, "outputs": {}}
    metadata = {"op": operation, "urn": urn, "old": state, "new": state, "detailedDiff": None}
    return json.dumps({"resourcePreEvent": {"metadata": {**metadata, **more}}}) + "\n"


def with_counts(lines: list[str], counts: Mapping[str, Any]) -> list[str]:
    """A stream whose summary counts so much more."""
    told = []
    for line in lines:
        event = json.loads(line)
        if "summaryEvent" in event:
            changes = event["summaryEvent"]["resourceChanges"]
            for operation, count in counts.items():
                changes[operation] = (
                    changes.get(operation, 0) + count if isinstance(count, int) else count
                )
        told.append(json.dumps(event) + "\n")
    return told


def with_steps(*steps: str, counts: Mapping[str, Any]) -> Preview:
    first, *rest = stream("no_change")
    return read_preview(with_counts([first, *steps, *rest], counts))


def without_steps(lines: list[str]) -> list[str]:
    return [line for line in lines if '"resourcePreEvent"' not in line]


@pytest.mark.parametrize("name", SUCCEEDED)
def test_every_recorded_preview_that_succeeded_accounts_for_all_it_counts(name: str) -> None:
    assert read_preview(stream(name)).result == "succeeded"


@pytest.mark.parametrize("name", SUCCEEDED)
def test_a_recorded_preview_of_which_one_step_is_lost_does_not(name: str) -> None:
    lines = stream(name)
    lost = next(i for i, line in enumerate(lines) if '"resourcePreEvent"' in line)

    assert read_preview([*lines[:lost], *lines[lost + 1 :]]).result == "incomplete"


def test_a_hundred_deletions_without_a_step_are_no_no_change() -> None:
    preview = read_preview(with_counts(without_steps(stream("no_change")), {"delete": 100}))

    (error,) = preview.errors
    assert preview.result == "incomplete"
    assert "the engine's summary counts 100 delete, and its steps 0" in error
    assert error.endswith(NEXT_STEP)


def test_a_summary_of_nothing_is_no_preview_either() -> None:
    first, *_, summary, last = stream("no_change")
    event = json.loads(summary)
    event["summaryEvent"]["resourceChanges"] = {}
    preview = read_preview([first, json.dumps(event) + "\n", last])

    assert preview.errors == (f"{NOTHING_TOLD} {NEXT_STEP}",)


def test_steps_that_the_summary_does_not_count_are_as_bad() -> None:
    (error,) = with_steps(step("update"), counts={}).errors

    assert "the engine's summary counts 0 update, and its steps 1" in error


def test_an_unknown_operation_is_named_with_its_resource() -> None:
    preview = with_steps(step("obliterate"), counts={"obliterate": 1})

    (error,) = preview.errors
    assert preview.result == "incomplete"
    assert "NodePool extra has the unknown operation obliterate" in error
    assert error.count("obliterate") == 1


def test_an_unknown_operation_of_a_component_is_no_less_unknown() -> None:
    state = {"custom": False}
    told = step("obliterate", kind="daskfleet:gke:NodePool", old=state, new=state)

    assert with_steps(told, counts={}).result == "incomplete"


def test_a_step_without_its_resource_says_nothing() -> None:
    (error,) = with_steps(step("delete", old=None, new=None), counts={"delete": 1}).errors

    assert "1 steps come without their resource, first NodePool extra" in error


@pytest.mark.parametrize("count", ["100", None, 1.5, True])
def test_a_count_that_is_no_number_is_damage(count: object) -> None:
    assert with_steps(counts={"delete": count}).result == "incomplete"


@pytest.mark.parametrize(
    ("operations", "counts"),
    [
        (["create"], {"create": 1}),
        (["delete"], {"delete": 1}),
        (["import"], {"import": 1}),
        (["discard"], {"discard": 1}),
        (["delete-replaced", "replace", "create-replacement"], {"replace": 1}),
        (["discard-replaced", "replace", "read-replacement"], {"replace": 1}),
        (["replace", "import-replacement"], {"replace": 1}),
        # What a refresh before the preview looks at, and what an interrupted one left.
        (["refresh", "same"], {"same": 1}),
        (["refresh", "update"], {"update": 1}),
        (["remove-pending-replace", "create"], {"create": 1}),
        (["delete-replaced"], {}),
        (["extend-parameterize"], {}),
        # Read and as before: told, and not counted.
        (["read"], {}),
        (["read"], {"read": 1}),
    ],
)
def test_whatever_the_engine_honestly_does_is_accounted_for(
    operations: list[str], counts: Mapping[str, int]
) -> None:
    preview = with_steps(*(step(each) for each in operations), counts=counts)

    assert (preview.result, preview.errors) == ("succeeded", ())


def test_more_read_than_told_is_missing() -> None:
    assert with_steps(step("read"), counts={"read": 2}).result == "incomplete"


@pytest.mark.parametrize("name", ["default", "default_9_3_1"])
def test_the_engines_own_providers_are_in_the_event_log_and_in_no_count(name: str) -> None:
    told = step("create", kind="pulumi:providers:gcp", name=name)

    assert with_steps(told, counts={}).result == "succeeded"


def test_a_provider_of_the_programs_own_is_counted() -> None:
    told = step("create", kind="pulumi:providers:gcp", name="google")

    assert with_steps(told, counts={}).result == "incomplete"
    assert with_steps(told, counts={"create": 1}).result == "succeeded"


def test_a_digest_tells_what_changes_and_counts_what_stays() -> None:
    digest = json.loads((RECORDED / "image_change_digest.json").read_text("utf-8"))
    assert read_preview([json.dumps(digest)]).result == "succeeded"

    fewer_same = {**digest, "changeSummary": {**digest["changeSummary"], "same": 1}}
    assert read_preview([json.dumps(fewer_same)]).result == "incomplete"
    deleted = {**digest, "changeSummary": {**digest["changeSummary"], "delete": 1}}
    assert read_preview([json.dumps(deleted)]).result == "incomplete"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (with_counts(without_steps(stream("no_change")), {"delete": 100}), NEXT_STEP),
        (stream("no_change")[:-2], CUT_OFF),
        ([], EMPTY),
    ],
    ids=["not accounted for", "cut", "empty"],
)
@pytest.mark.parametrize("form", ["terminal", "markdown", "json"])
def test_each_form_says_so_with_the_next_step_and_nothing_opens_the_gate(
    lines: list[str], why: str, form: str
) -> None:
    options = ("--stack", "rehearsal", "--format", form, "--events", "-")
    allow = ("--allow", "replace-pool,replace-cluster,destroy-data")
    ended = CliRunner().invoke(app, [*options, *allow], input="".join(lines))

    assert ended.exit_code == FAILED
    said = " ".join(ended.stdout.split())
    assert " ".join(why.split()) in said
    if form == "json":
        review = from_json(ended.stdout)
        assert (review.verdict, review.gate.passes) == (Verdict.FAILED, False)
        assert review.gate.why.startswith("The preview failed: ")
