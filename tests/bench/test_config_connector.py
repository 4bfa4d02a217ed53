"""Unit tests: a log of config-connector becomes a recording. No network."""

from pathlib import Path

from bench.config_connector import SUBJECTS, answered_by, recording_of
from bench.fidelity import RECORDINGS
from rehearsal.recordings.fields import ANY_TEXT
from rehearsal.recordings.model import Recording, Source

SOURCE = Source(
    recorded="a test", repository="", commit="", path="", licence="", answered_by="google"
)
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


def test_what_the_mock_answers_is_not_googles_word() -> None:
    assert answered_by(LOG) == "google"
    assert answered_by(LOG.replace("1.30.5-gke.1", "1.30.5-gke.1014001")) == "nobody"


def test_most_clusters_and_pools_that_are_recorded_were_answered_for_by_google() -> None:
    by = {
        subject: Recording.read(RECORDINGS / f"{Path(subject).name}.jsonl").source.answered_by
        for subject in SUBJECTS
    }
    assert sum(who == "google" for subject, who in by.items() if "container/" in subject) == 15
    assert all(who == "google" for subject, who in by.items() if "container/" not in subject)


def test_a_recorded_path_is_where_the_emulator_serves_that_api() -> None:
    log = (
        "GET https://cloudkms.googleapis.com/v1/projects/p/locations/l/keyRings/r\n\n200 OK\n\n{}\n"
    )
    (exchange,) = recording_of(log, SOURCE).exchanges
    assert exchange.path == "/cloudkms/v1/projects/p/locations/l/keyRings/r"


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
