"""Unit tests: the fidelity figure is what is measured, and a wrong answer lowers it. No network."""

from pathlib import Path
from typing import Any

import pytest

from bench.fidelity import (
    RECORDINGS,
    Agreement,
    FidelityResult,
    Share,
    compared,
    measure_fidelity,
    resource_of,
)
from bench.fidelity_page import pages
from bench.record import Record
from bench.recreate import creations
from bench.replay import Answered, replay
from rehearsal.emulator.document import Document
from rehearsal.emulator.network_spec import new_resource
from rehearsal.recordings.fields import ANY_TEXT, Fields, Leaf
from rehearsal.recordings.model import Exchange, Recording, Source

SOURCE = Source(
    recorded="a test", repository="", commit="", path="", licence="", answered_by="google"
)
POOL = "/container/v1/projects/acme/locations/us-central1-c/clusters/rapids/nodePools/t4"


def figure(
    recorded: Fields,
    answered: Fields,
    *,
    statuses: tuple[int, int] = (200, 200),
    source: Source = SOURCE,
) -> FidelityResult:
    exchange = Exchange(method="GET", path=POOL, status=statuses[0], answer=recorded)
    answer = Answered(exchange=exchange, status=statuses[1], answer=answered)
    return compared([(Recording(source=source, exchanges=(exchange,)), [answer])])


def test_the_published_figure_is_what_the_emulator_does() -> None:
    measured = measure_fidelity()
    assert measured == Record[FidelityResult].read("fidelity").result, (
        "run python -m bench fidelity"
    )
    for file, text in pages(measured).items():
        assert file.read_text() == text, f"{file} is stale: run python -m bench fidelity"


def test_each_recording_names_its_source_and_licence() -> None:
    for file in RECORDINGS.glob("*.jsonl"):
        source = Recording.read(file).source
        assert source.licence == "Apache-2.0", file
        if source.answered_by == "google":
            assert source.repository, file
            assert source.path, file
            assert len(source.commit) == 40, file


def test_a_wrong_answer_of_the_emulator_lowers_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = Recording.read(RECORDINGS / "computesubnetwork.jsonl")
    before = compared([(recording, replay(recording))]).total()

    def wrong(kind: str, body: Document, **named: Any) -> Document:
        return {**new_resource(kind, body, **named), "creationTimestamp": 7}

    monkeypatch.setattr("rehearsal.emulator.network_spec.new_resource", wrong)
    after = compared([(recording, replay(recording))]).total()
    assert after.fields.agree < before.fields.agree
    assert after.fields.of == before.fields.of


@pytest.mark.parametrize(
    ("recorded", "answered", "what"),
    [
        ("COS", "UBUNTU", '"COS" recorded, "UBUNTU" here'),
        (1, "1", '1 recorded, "1" here'),
        (True, 1, "true recorded, 1 here"),
        (1, True, "1 recorded, true here"),
        ({}, [], "{} recorded, [] here"),
        (ANY_TEXT, 4, "a text recorded, 4 here"),
        (ANY_TEXT, {}, "a text recorded, {} here"),
    ],
)
def test_another_value_does_not_agree(recorded: Leaf, answered: Leaf, what: str) -> None:
    result = figure({"/name": recorded}, {"/name": answered})
    assert result.total().fields == Share(agree=0, of=1)
    assert [each.what for each in result.differences] == [what]


def test_what_only_one_of_both_says_does_not_agree() -> None:
    result = figure({"/a": 1, "/b": 2}, {"/b": 2, "/c": 3})
    assert result.total().fields == Share(agree=1, of=3)
    assert [(each.where, each.what) for each in result.differences] == [
        ("a", "missing"),
        ("c", "not Google's"),
    ]


def test_a_text_agrees_with_any_and_a_list_with_another_order() -> None:
    same = figure(
        {"/etag": ANY_TEXT, "/tags/[0]": "a", "/tags/[1]": "b"},
        {"/etag": "x", "/tags/[0]": "b", "/tags/[1]": "a"},
    )
    assert same.total().fields == Share(agree=3, of=3)
    assert same.differences == ()


def test_a_request_that_is_not_emulated_costs_its_status_and_every_field() -> None:
    result = figure({"/a": 1, "/b": 2}, {"/error/message": "not emulated"}, statuses=(200, 501))
    assert result.resources == {
        "node pools": Agreement(
            requests=Share(agree=0, of=1),
            statuses=Share(agree=0, of=1),
            fields=Share(agree=0, of=2),
        )
    }
    (difference,) = result.differences
    assert difference.what == "200 recorded, 501 here: not emulated"


def test_another_refusal_is_a_refusal_with_another_status() -> None:
    total = figure({"/error/code": 404}, {"/error/code": 400}, statuses=(404, 400)).total()
    assert total == Agreement(
        requests=Share(agree=1, of=1), statuses=Share(agree=0, of=1), fields=Share(agree=0, of=1)
    )


def test_where_google_did_not_answer_only_the_request_counts() -> None:
    nobody = SOURCE.model_copy(update={"answered_by": "nobody"})
    total = figure({}, {"/a": 1}, statuses=(200, 200), source=nobody).total()
    assert total == Agreement(requests=Share(agree=1, of=1))
    refused = figure({}, {}, statuses=(200, 501), source=nobody)
    assert refused.total().requests == Share(agree=0, of=1)
    assert len(refused.differences) == 1


@pytest.mark.parametrize(
    ("path", "resource"),
    [
        (POOL, "node pools"),
        ("/compute/v1/projects/p/regions/r/subnetworks/s", "subnetworks"),
        ("/compute/v1/projects/p/zones/z/instanceGroupManagers/{/a/[0]}", "instance groups"),
        ("/cloudkms/v1/projects/p/locations/l/keyRings/r", "keys of KMS"),
        ("/pubsub.googleapis.com/v1/projects/p/topics/t", "pubsub.googleapis.com"),
    ],
)
def test_every_request_counts_for_its_resource(path: str, resource: str) -> None:
    assert resource_of(path) == resource


def test_how_far_an_operation_was_is_not_compared() -> None:
    begun: Fields = {"/operationType": "CREATE_CLUSTER", "/status": "RUNNING"}
    ended: Fields = begun | {"/status": "DONE", "/endTime": "x", "/progress/name": "CREATE_CLUSTER"}
    assert figure(begun, ended).total().fields == Share(agree=1, of=1)
    cluster = figure({"/status": "RUNNING"}, {"/status": "ERROR", "/progress/name": "x"})
    assert cluster.total().fields == Share(agree=0, of=2), "of what is no operation, they are"


def test_a_network_that_is_read_before_it_is_made_was_there_before() -> None:
    networks = "/compute/v1/projects/acme/global/networks"
    answer: Fields = {
        "/name": "old",
        "/id": ANY_TEXT,
        "/kind": "compute#network",
        "/autoCreateSubnetworks": True,
    }
    there = Exchange(method="GET", path=f"{networks}/old", status=200, answer=answer)
    absent = Exchange(method="GET", path=f"{networks}/new", status=404)
    made = Exchange(method="POST", path=networks, request={"/name": "new"}, status=200)
    read = Exchange(method="GET", path=f"{networks}/new", status=200, answer={"/name": "new"})
    (before,) = creations(Recording(source=SOURCE, exchanges=(there, absent, made, read, there)))
    assert (before.method, before.path) == ("POST", networks)
    assert before.request == {"/name": "old", "/autoCreateSubnetworks": True}


def test_a_folder_without_recordings_has_no_figure(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No recording"):
        measure_fidelity(tmp_path)
