"""docs/adopt.md: what cannot change in place, and where the guide differs; unit tier."""

import re
from typing import Any

import pytest

from bench.reference_guide import guide_cluster, scheduler_pool
from rehearsal.providers.gcp.provider_fields import provider_fields
from tests.policies.fleets import CLUSTER, WORKER_POOL, recorded
from tests.project import PROJECT_DIR

PAGE = (PROJECT_DIR / "docs" / "adopt.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (Cluster|Node pool) `([\w.]+)` \| (?:`(\w+)`|(\d+))?", re.MULTILINE)
"""A field, and its value in our fleets where the page has one."""
KINDS = {
    "Cluster": ("gcp:container/cluster:Cluster", CLUSTER),
    "Node pool": ("gcp:container/nodePool:NodePool", WORKER_POOL),
}
FIXED = ROW.findall(PAGE)


def test_the_table_has_both_kinds() -> None:
    assert {kind for kind, *_ in FIXED} == KINDS.keys()


@pytest.mark.parametrize(("kind", "path", "word", "number"), FIXED)
def test_what_the_page_calls_fixed_replaces_and_is_what_the_program_asks_for(
    kind: str, path: str, word: str, number: str
) -> None:
    token, name = KINDS[kind]
    assert provider_fields(token)[path].force_new

    (declared,) = (each for each in recorded().resources if each.name == name)
    value: Any = declared.properties
    for step in path.split("."):
        value = value[step]
    assert value
    if word or number:
        assert value == (word or int(number))


def test_the_page_has_values_to_compare() -> None:
    assert [word or number for *_, word, number in FIXED if word or number] == [
        "ADVANCED_DATAPATH",
        "32",
    ]


def test_the_guide_asks_for_none_of_it() -> None:
    cluster, pool = guide_cluster(), scheduler_pool()
    asked = {*cluster, *cluster["nodeConfig"], *pool["config"]}
    fixed_by_google = {
        *("networkConfig", "ipAllocationPolicy", "defaultMaxPodsConstraint"),
        *("serviceAccount", "oauthScopes", "shieldedInstanceConfig"),
    }
    assert asked.isdisjoint(fixed_by_google)
