"""Unit tests: the fidelity figure is what is measured, and a wrong answer lowers it. No network."""

from pathlib import Path
from typing import Any

import pytest

from bench.config_connector import recording_of
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
        ("/pubsub.googleapis.com/v1/projects/p/topics/t", "pubsub.googleapis.com"),
    ],
)
def test_every_request_counts_for_its_resource(path: str, resource: str) -> None:
    assert resource_of(path) == resource


def test_a_folder_without_recordings_has_no_figure(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No recording"):
        measure_fidelity(tmp_path)


LOG = """\
GET https://container.googleapis.com/v1/projects/${projectId}/locations/z/operations/${operationID}?alt=json

200 OK
Server: ESF

{"status": "DONE"}

---

POST https://container.googleapis.com/v1/projects/${projectId}/locations/z/clusters?alt=json
Content-Type: application/json

{"cluster": {"name": "one-${uniqueId}", "clusterIpv4Cidr": "10.8.0.0/14"}}

200 OK
Server: ESF

{"status": "RUNNING", "selfLink": "https://container.googleapis.com/v1/projects/${projectNumber}/x"}

---

GET https://container.googleapis.com/v1/projects/${projectId}/locations/z/clusters/one-${uniqueId}

200 OK
Server: ESF

{"name": "one-${uniqueId}", "etag": "whatever", "clusterIpv4Cidr": "10.8.0.0/14",
 "servicesIpv4Cidr": "10.9.0.0/20", "currentMasterVersion": "1.30.5-gke.1",
 "nodePools": [{"instanceGroupUrls": ["https://www.googleapis.com/a/group-1"]}]}

---

GET https://container.googleapis.com/v1/projects/${projectId}/locations/z/clusters/one-${uniqueId}

200 OK
Server: ESF

{"name": "one-${uniqueId}", "etag": "whatever", "clusterIpv4Cidr": "10.8.0.0/14",
 "servicesIpv4Cidr": "10.9.0.0/20", "currentMasterVersion": "1.30.5-gke.1",
 "nodePools": [{"instanceGroupUrls": ["https://www.googleapis.com/a/group-1"]}]}

---

GET https://compute.googleapis.com/compute/v1/projects/${projectId}/zones/z/instanceGroupManagers/group-1

404 Not Found
Server: ESF

{"error": {"code": 404}}
"""


def test_a_recording_of_config_connector_becomes_facts() -> None:
    create, cluster, group = recording_of(LOG, SOURCE).exchanges
    assert (create.method, create.query, create.status) == ("POST", "alt=json", 200)
    assert create.path == "/container/v1/projects/acme/locations/z/clusters"
    assert create.request == {"/cluster/name": "one-x1", "/cluster/clusterIpv4Cidr": "10.8.0.0/14"}
    assert create.answer == {"/status": "RUNNING", "/selfLink": ANY_TEXT}
    assert cluster.answer == {
        "/name": "one-x1",
        "/etag": ANY_TEXT,
        "/clusterIpv4Cidr": "10.8.0.0/14",
        "/servicesIpv4Cidr": ANY_TEXT,
        "/currentMasterVersion": ANY_TEXT,
        "/nodePools/[0]/instanceGroupUrls/[0]": ANY_TEXT,
    }
    assert group.path.endswith("/instanceGroupManagers/{/nodePools/[0]/instanceGroupUrls/[0]}")
    assert group.answer == {"/error/code": 404}
