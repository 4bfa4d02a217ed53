"""Unit: what is kept of the engine's events. The lines are recorded ones, shortened."""

import json

from rehearsal.engine.events import Diagnostic, ResourceEvent, Summary, parse_event

URN = (
    "urn:pulumi:rehearsal::daskfleet::daskfleet:gke:NodePool$gcp:container/nodePool:NodePool::a100"
)
PROVIDER = "urn:pulumi:rehearsal::daskfleet::pulumi:providers:gcp::google::49274206"


def resource(key: str, *, operation: str = "create", provider: str = PROVIDER) -> str:
    metadata = {"op": operation, "urn": URN, "type": "t", "provider": provider}
    return json.dumps({"sequence": 1, "timestamp": 2, key: {"metadata": metadata}})


def test_a_resource_is_named_by_its_type_and_name_alone() -> None:
    event = parse_event(resource("resourcePreEvent"))
    assert isinstance(event, ResourceEvent)
    assert event.name == "NodePool a100"
    assert (event.moment, event.is_work) == ("began", True)


def test_the_moments_of_a_step_are_told_apart() -> None:
    keys = ("resourcePreEvent", "resOutputsEvent", "resOpFailedEvent")
    events = [parse_event(resource(key)) for key in keys]
    assert [e.moment for e in events if isinstance(e, ResourceEvent)] == [
        "began",
        "ended",
        "failed",
    ]


def test_components_and_untouched_resources_are_no_work() -> None:
    for line in (
        resource("resOutputsEvent", provider=""),
        resource("resOutputsEvent", operation="same"),
    ):
        event = parse_event(line)
        assert isinstance(event, ResourceEvent)
        assert not event.is_work


def test_debug_output_and_bookkeeping_are_left_out() -> None:
    debug = {"diagnosticEvent": {"severity": "debug", "message": "registering"}}
    assert parse_event(json.dumps(debug)) is None
    assert parse_event(json.dumps({"preludeEvent": {"config": {}}})) is None
    assert (
        parse_event(json.dumps({"diagnosticEvent": {"severity": "info", "message": "\n"}})) is None
    )


def test_a_diagnostic_keeps_severity_resource_and_whether_it_passes() -> None:
    line = {
        "diagnosticEvent": {"severity": "error", "message": "no\n", "urn": URN, "ephemeral": True}
    }
    assert parse_event(json.dumps(line)) == Diagnostic(
        severity="error", message="no", urn=URN, is_ephemeral=True
    )


def test_the_summary_counts_by_operation() -> None:
    line = {"summaryEvent": {"resourceChanges": {"create": 3, "same": 1}}}
    assert parse_event(json.dumps(line)) == Summary(changes={"create": 3, "same": 1})
