"""Unit: what the engine wrote becomes a preview, whatever its form and wherever it ends."""

import json
from collections import Counter

import pytest

from daskfleet.platform.review.model import Preview
from daskfleet.platform.review.read import CANCELLED, CUT_OFF, DAMAGED, EMPTY, read_preview
from tests.daskfleet.platform.review.recordings import RECORDED, recorded, stream


def operations(preview: Preview) -> dict[str, int]:
    return dict(Counter(step.operation for step in preview.steps))


def said(severity: str, message: str, urn: str = "") -> str:
    event = {"severity": severity, "message": message, "urn": urn, "color": "raw"}
    return json.dumps({"diagnosticEvent": event}) + "\n"


STACK_URN = "urn:pulumi:dev::daskfleet::pulumi:pulumi:Stack::daskfleet-dev"


def stepped(operation: str = "same", urn: str = STACK_URN) -> str:
    state = {"custom": urn != STACK_URN, "inputs": {}, "outputs": {}}
    metadata = {"op": operation, "urn": urn, "old": state, "new": state, "detailedDiff": None}
    return json.dumps({"resourcePreEvent": {"metadata": metadata}}) + "\n"


def ended(result: str | None = "succeeded", **changes: int) -> str:
    summary = {"durationSeconds": 1, "resourceChanges": changes}
    return (
        json.dumps({"summaryEvent": {**summary, **({"result": result} if result else {})}}) + "\n"
    )


@pytest.mark.parametrize(
    ("name", "result", "expected"),
    [
        ("no_change", "succeeded", {}),
        ("image_change", "succeeded", {"replace": 1, "update": 1}),
        ("more_workers", "succeeded", {"update": 2}),
        ("pool_replaced", "succeeded", {"replace": 2, "update": 1}),
        ("pool_removed", "succeeded", {"replace": 1, "update": 1, "delete": 1}),
        ("driver_change", "succeeded", {"update": 4}),
        ("surge", "succeeded", {"create": 1, "replace": 1, "update": 1, "delete": 1}),
        ("team_removed", "succeeded", {"delete": 11}),
        ("cluster_replaced", "succeeded", {"replace": 39}),
        ("new_stack", "succeeded", {"create": 40}),
        ("up", "succeeded", {"create": 40}),
        ("refused", "failed", {}),
        ("protected", "failed", {"replace": 2, "update": 1}),
        ("policies", "failed", {"update": 4}),
        ("cancelled", "incomplete", {}),
    ],
)
def test_a_recorded_stream_is_read_as_what_happened(
    name: str, result: str, expected: dict[str, int]
) -> None:
    preview = recorded(name)

    assert preview.result == result
    assert operations(preview) == expected


def test_a_stream_names_project_and_stack_and_counts_what_stays_without_the_components() -> None:
    preview = recorded("no_change")

    assert (preview.project, preview.stack) == ("daskfleet", "rehearsal")
    assert preview.unchanged == 40
    assert recorded("image_change").unchanged == 38


def test_the_cost_before_is_the_stack_output_of_the_last_up() -> None:
    cost = recorded("image_change").cost_before

    assert cost is not None
    assert cost["idle_usd_per_month"] == 11394.02
    assert recorded("new_stack").cost_before is None


def test_a_cost_before_in_which_a_price_was_missing_is_not_known() -> None:
    lines = [
        line.replace('"idle_usd_per_month"', '"unpriced":["a3-ultragpu-8g"],"idle_usd_per_month"')
        for line in stream("image_change")
    ]

    assert lines != stream("image_change")
    assert read_preview(lines).cost_before is None


def test_a_digest_says_the_same_as_the_stream() -> None:
    text = (RECORDED / "image_change_digest.json").read_text("utf-8")
    digest = read_preview(text.splitlines(keepends=True))
    (replaced,) = (step for step in digest.steps if step.operation == "replace")

    assert digest.result == "succeeded"
    assert replaced in recorded("image_change").steps
    assert digest.unchanged == 55
    assert digest.cost_before == recorded("image_change").cost_before
    assert digest.duration_s == pytest.approx(8.62, abs=0.01)


def test_a_digest_in_one_line_is_a_digest_too() -> None:
    text = (RECORDED / "image_change_digest.json").read_text("utf-8")

    assert read_preview([json.dumps(json.loads(text))]) == read_preview(text.splitlines())


def test_a_digest_without_counts_is_of_a_preview_that_did_not_end() -> None:
    diagnostic = {"severity": "error", "message": "error: no credentials"}
    digest = json.dumps({"config": {}, "diagnostics": [diagnostic]}, indent=4)
    preview = read_preview(digest.splitlines(keepends=True))

    assert preview.result == "incomplete"
    assert preview.errors == ("no credentials", CUT_OFF)


def test_text_around_the_events_is_passed_over() -> None:
    prefix = ["Installing policy packs...\n", "\n", "{no event}\n"]
    noisy = [*prefix, *stream("image_change"), "Done.\n"]

    assert read_preview(noisy) == recorded("image_change")


@pytest.mark.parametrize("lines", [[], ["\n"], ["error: no stack selected\n"]])
def test_nothing_is_no_preview_and_not_a_preview_of_nothing(lines: list[str]) -> None:
    preview = read_preview(lines)

    assert preview.result == "incomplete"
    assert preview.errors == (EMPTY,)


@pytest.mark.parametrize("length", [2, 20, -3, -2])
def test_a_stream_without_its_summary_is_incomplete(length: int) -> None:
    preview = read_preview(stream("no_change")[:length])

    assert preview.result == "incomplete"
    assert preview.errors == (CUT_OFF,)


def test_a_last_line_that_was_cut_off_is_incomplete_unless_the_summary_was_before_it() -> None:
    lines = stream("image_change")
    assert read_preview([*lines[:-2], lines[-2][:40]]).result == "incomplete"
    assert read_preview([*lines[:-1], lines[-1][:10]]) == recorded("image_change")


def test_a_damaged_line_may_hide_a_step() -> None:
    lines = stream("image_change")
    damaged = read_preview([*lines[:10], lines[10][:50] + "\n", *lines[11:]])

    assert damaged.result == "incomplete"
    assert damaged.errors == (DAMAGED,)


def test_an_event_of_another_form_is_damage_too() -> None:
    strange = '{"resourcePreEvent":{"metadata":{"op":"delete"}}}\n'

    assert read_preview([strange, *stream("no_change")[1:]]).result == "incomplete"


@pytest.mark.parametrize("depth", [500, 200_000])
@pytest.mark.parametrize("opening", ['{"resourcePreEvent":', '{\n"steps":'])
def test_nesting_without_end_is_damage_and_stops_nobody(opening: str, depth: int) -> None:
    text = opening + '{"a":' * depth + "1" + "}" * (depth + 1) + "\n"

    assert read_preview(text.splitlines(keepends=True)).result == "incomplete"


@pytest.mark.parametrize("size", ["1e999", "-1e999", "1" + "0" * 4200])
def test_a_number_that_no_pool_has_is_no_size_and_stops_nobody(size: str) -> None:
    urn = "urn:pulumi:dev::daskfleet::gcp:container/nodePool:NodePool::a100"
    inputs = {"nodeConfig": {"machineType": "a2"}, "nodeCount": "SIZE", "nodeLocations": ["a"] * 20}
    state = {"custom": True, "inputs": inputs, "outputs": {}}
    metadata = {"op": "create", "urn": urn, "old": None, "new": state, "detailedDiff": None}
    line = json.dumps({"resourcePreEvent": {"metadata": metadata}}).replace('"SIZE"', size)

    (step,) = read_preview([line]).steps

    assert (step.nodes_after, step.reserved_after) == (None, None)


def test_a_cancelled_preview_is_incomplete_whatever_the_engine_calls_it() -> None:
    assert recorded("cancelled").errors == (CANCELLED,)
    assert read_preview([ended("canceled")]).errors == (CANCELLED,)


def test_a_summary_of_an_older_engine_tells_no_result_and_errors_decide() -> None:
    assert read_preview([stepped(), ended(None, same=1)]).result == "succeeded"
    assert read_preview([said("error", "no quota"), ended(None)]).result == "failed"


def test_a_second_run_in_one_stream_takes_the_place_of_the_first() -> None:
    both = [*stream("pool_replaced"), *stream("image_change")]

    assert read_preview(both) == recorded("image_change")


def test_a_refused_stack_file_is_the_error_and_not_that_the_program_ended() -> None:
    (error,) = recorded("refused").errors

    assert "daskfleet:teams[0].workers: 99" in error
    assert "non-zero exit code" not in error


def test_a_program_that_broke_is_told_with_its_traceback() -> None:
    broken = [
        said("info#err", "Traceback (most recent call last):\n"),
        said("info#err", "KeyError: 'cluster'\n"),
        said("error", "an unhandled error occurred: program exited with non-zero exit code: 1\n"),
        ended("failed"),
    ]

    assert read_preview(broken).errors == (
        "Traceback (most recent call last):\nKeyError: 'cluster'",
    )


def test_a_mandatory_policy_is_named_and_the_interrupted_program_is_no_second_fault() -> None:
    preview = recorded("policies")

    assert preview.errors == ("Mandatory policies refuse this: sample/pool-mandatory.",)
    assert {finding.level for finding in preview.policies} == {
        "advisory",
        "mandatory",
        "remediate",
    }


def test_findings_name_policy_resource_and_message_without_secrets() -> None:
    findings = recorded("policies").policies
    stack = next(each for each in findings if each.policy == "whole")
    pool = next(each for each in findings if each.policy == "pool-mandatory")
    token = next(each for each in findings if each.policy == "dask-seen")
    correction = next(each for each in findings if each.level == "remediate")

    assert stack.resource == ""
    assert pool.resource == "NodePool system-nodes"
    assert pool.message.endswith("pool system-nodes has a <b>violation</b>")
    assert "ya29" not in token.message
    assert correction.message == "Corrected nodeConfig."


def test_a_failed_step_of_an_up_is_told_once_with_the_providers_words_or_without() -> None:
    urn = "urn:pulumi:dev::daskfleet::gcp:container/nodePool:NodePool::a100-nodes"
    failed = json.dumps(
        {"resOpFailedEvent": {"metadata": {"op": "create", "urn": urn}, "status": 1, "steps": 1}}
    )
    told = read_preview([failed, said("error", "quota exceeded", urn), ended("failed")])
    silent = read_preview([failed, ended("failed")])

    assert told.errors == ("NodePool a100-nodes: quota exceeded",)
    assert silent.errors == ("NodePool a100-nodes: create failed",)


def test_messages_lose_their_colours_and_their_secrets() -> None:
    preview = read_preview(
        [
            said("warning", "<{%fg 3%}>old<{%reset%}> \x1b[31mimage\x1b[0m"),
            said("warning", "git clone https://me:hunter2secret@example.org/x failed"),
            said("warning", "old image"),
            ended(),
        ]
    )

    assert preview.warnings[0] == "old image"
    assert "hunter2secret" not in preview.warnings[1]
    assert len(preview.warnings) == 2


def test_what_passes_by_is_no_warning() -> None:
    event = {"severity": "warning", "message": "still creating", "ephemeral": True}

    assert read_preview([json.dumps({"diagnosticEvent": event}), ended()]).warnings == ()
