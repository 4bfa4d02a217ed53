"""What is sent of a message: what proto3 JSON sends of it, and in requests nothing else counts.

Unit tier. ``google_clients.py`` compares with Google's own library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from rehearsal.emulator import discovery
from rehearsal.emulator.proto3_json import said
from tests.rehearsal.emulator.running import CLUSTER, POOLS, Client, on_a_cluster
from tests.rehearsal.emulator.wishes import messages

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.document import Document

BETA = discovery.load("container", "v1beta1")


@pytest.mark.parametrize(
    ("schema", "message", "sent"),
    [
        ("Cluster", {"autopilot": {"enabled": False}}, {"autopilot": {}}),
        ("Cluster", {"currentNodeCount": 0, "name": "", "locations": []}, {}),
        ("Cluster", {"resourceLabels": {}}, {}),
        ("Cluster", {"resourceLabels": {"team": ""}}, {"resourceLabels": {"team": ""}}),
        ("Cluster", {"status": "STATUS_UNSPECIFIED"}, {}),
        ("DefaultSnatStatus", {"disabled": False}, {}),
        ("IPEndpointsConfig", {"enabled": False}, {"enabled": False}),
        ("SecurityPostureConfig", {"mode": "MODE_UNSPECIFIED"}, {"mode": "MODE_UNSPECIFIED"}),
        ("MaxPodsConstraint", {"maxPodsPerNode": "0"}, {}),
        ("NodePool", {"management": {}, "autoscaling": {"minNodeCount": 0}},
         {"management": {}, "autoscaling": {}}),
        ("NodePool", {"conditions": [{"code": "UNKNOWN"}]}, {"conditions": [{}]}),
    ],
)  # fmt: skip
def test_zero_is_not_sent_but_where_it_is_told_from_nothing(
    schema: str, message: Document, sent: Document
) -> None:
    assert said(BETA, schema, message) == sent


def test_a_version_of_the_api_sends_its_own_fields_alone() -> None:
    message = {"name": "rapids", "clusterTelemetry": {"type": "ENABLED"}}
    assert said(BETA, "Cluster", message) == message
    assert said(discovery.load("container", "v1"), "Cluster", message) == {"name": "rapids"}


@settings(max_examples=30, deadline=None)
@given(messages("Cluster", 4))
def test_what_is_sent_is_sent_whole_the_second_time(message: Document) -> None:
    sent = said(BETA, "Cluster", message)
    assert said(BETA, "Cluster", sent) == sent


def test_a_zero_that_is_named_is_as_good_as_none(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        config = {"machineType": "", "imageType": "", "diskSizeGb": 0, "serviceAccount": ""}
        named = {"name": "named", "version": "", "locations": [], "config": config}
        await client.ok("POST", POOLS, {"nodePool": named})
        await client.ok("POST", POOLS, {"nodePool": {"name": "silent"}})
        shown = [await client.ok("GET", f"{POOLS}/{name}") for name in ("named", "silent")]
        for pool in shown:
            for own in ("name", "etag", "instanceGroupUrls", "selfLink"):
                del pool[own]
        assert shown[0] == shown[1]
        nothing = await client.call("PUT", CLUSTER, {"update": {"desiredLoggingService": ""}})
        assert "Must specify a field" in nothing.text

    on_a_cluster(tmp_path, check)
