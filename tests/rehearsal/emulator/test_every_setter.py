"""Each method that sets one thing of a cluster: on, off, and on again, over HTTP. Unit tier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from rehearsal.emulator.cluster_setters import SETTERS
from tests.rehearsal.emulator.running import CLUSTER, Client, on_a_cluster

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.document import Document

HOLIDAYS = {"startTime": "2026-12-24T00:00:00Z", "endTime": "2026-12-27T00:00:00Z"}
AT_NIGHT = {"dailyMaintenanceWindow": {"startTime": "03:00"}}
CASES: dict[str, tuple[str, Document, Document]] = {
    "setAddons": (
        "addonsConfig",
        {"httpLoadBalancing": {"disabled": True}, "gcsFuseCsiDriverConfig": {"enabled": True}},
        {"httpLoadBalancing": {}, "gcsFuseCsiDriverConfig": {}},
    ),
    "setMaintenancePolicy": (
        "maintenancePolicy",
        {"window": {**AT_NIGHT, "maintenanceExclusions": {"holidays": HOLIDAYS}}},
        {},
    ),
    "setNetworkPolicy": ("networkPolicy", {"enabled": True, "provider": "CALICO"}, {}),
    "setResourceLabels": ("resourceLabels", {"team": "a"}, {}),
}
"""What is set, on and off, by the method."""
OF_ONE_VALUE = {"setLegacyAbac", "setLocations", "setLogging", "setMonitoring", "updateMaster"}
"""``test_setters`` has these."""


def test_each_method_that_sets_one_thing_is_tried() -> None:
    assert CASES.keys() | OF_ONE_VALUE == SETTERS.keys()


@pytest.mark.parametrize("method", CASES)
def test_what_is_set_on_off_and_on_again_is_as_a_new_clusters(tmp_path: Path, method: str) -> None:
    field, on, off = CASES[method]

    async def shown(client: Client, name: str = "rapids") -> Any:
        value = (await client.ok("GET", f"clusters/{name}")).get(field, {})
        return {key: said for key, said in value.items() if key != "resourceVersion"}

    async def put(client: Client, value: Document) -> None:
        cluster = await client.ok("GET", CLUSTER)
        mark = {"labelFingerprint": cluster["labelFingerprint"]} if "Labels" in method else {}
        await client.ok("POST", f"{CLUSTER}:{method}", {field: value, **mark})

    async def check(client: Client) -> None:
        for name, wished in (("on", on), ("off", off)):
            cluster = {"name": name, "initialNodeCount": 1, field: wished}
            await client.ok("POST", "clusters", {"cluster": cluster})
        wanted = {name: await shown(client, name) for name in ("on", "off")}
        assert wanted["on"] != wanted["off"]
        for name, value in (("on", on), ("off", off), ("on", on)):
            await put(client, value)
            assert await shown(client) == wanted[name]

    on_a_cluster(tmp_path, check)
