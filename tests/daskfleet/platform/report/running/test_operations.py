"""Unit: what GKE does to the cluster, by the emulator of its API."""

from pathlib import Path
from typing import Any

from daskfleet.platform.report.running.in_google import read_in_google
from daskfleet.platform.report.running.operations import Operations, of_cluster, untold
from tests.daskfleet.platform.report.running.test_google_cluster import PATH, environment
from tests.rehearsal.emulator.running import Client, on_a_cluster

CLUSTER = "https://container.googleapis.com/v1/projects/1/locations/l/clusters/c"


def operation(target: str, **changes: Any) -> dict[str, Any]:
    ended = {"startTime": "2026-11-21T02:00:00Z", "endTime": "2026-11-21T02:09:00Z"}
    return {"operationType": "AUTO_UPGRADE_NODES", "targetLink": target, **ended, **changes}


def test_those_of_this_cluster_are_told_and_what_runs_comes_first() -> None:
    found = Operations.model_validate(
        {
            "operations": [
                operation(CLUSTER, status="DONE"),
                operation(f"{CLUSTER}2", status="DONE"),
                operation(
                    f"{CLUSTER}/nodePools/a100",
                    startTime="2026-11-20T02:00:00Z",
                    endTime="",
                    status="RUNNING",
                ),
                operation(CLUSTER, status="DONE", error={"message": "out of quota"}),
            ]
        }
    )
    running, *others = of_cluster(found, "projects/p/locations/l/clusters/c")
    assert (running.kind, running.about) == ("auto upgrade nodes", "pool a100")
    assert (running.state, running.ended_at) == ("running", "")
    assert [(row.about, row.state) for row in others] == [
        ("the cluster", "done"),
        ("the cluster", "failed"),
    ]
    assert others[1].failure == "out of quota"


def test_a_zone_that_does_not_answer_is_told() -> None:
    (lack,) = untold(Operations(missing_zones=("us-central1-a",)))
    assert "us-central1-a" in lack
    assert untold(Operations()) == ()


def test_they_are_read_and_their_refusal_hides_no_version(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        there = await read_in_google(PATH, environment(client))
        assert there.operations.value is not None
        rows = of_cluster(there.operations.value, PATH)
        assert ("create cluster", "the cluster", "done") in {
            (row.kind, row.about, row.state) for row in rows
        }
        fault = {"kind": "error", "path": "/operations$", "code": 403, "message": "You may not."}
        await client.call("POST", "/rehearsal/faults", [fault])
        refused = await read_in_google(PATH, environment(client))
        assert refused.operations.value is None
        assert "You may not" in refused.operations.source.why_not
        assert refused.cluster.value is not None

    on_a_cluster(tmp_path, body)
