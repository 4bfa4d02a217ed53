"""Which inputs change in place: all that Google's schema lets change, or they are named. Unit tier.

A change without a row in a table would be refused without a reason, and nobody would know of it.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from rehearsal.providers.gcp import cluster_updates, node_pool_tables
from rehearsal.providers.gcp.cloud import Cloud
from rehearsal.providers.gcp.field_updates import FieldUpdate
from rehearsal.providers.gcp.google_api import GoogleApi
from rehearsal.providers.gcp.provider import RESOURCE_TYPES
from rehearsal.providers.gcp.provider_fields import Fields, provider_fields
from rehearsal.providers.gcp.resource import GoogleResource
from rehearsal.providers.gcp.rest_mapping import Form, rule_at
from rehearsal.providers.protocol import ProviderError, State
from tests.rehearsal.providers.calls import engine_call

CLUSTER = "gcp:container/cluster:Cluster"
POOL = "gcp:container/nodePool:NodePool"
ROWS: Mapping[str, tuple[FieldUpdate, ...]] = {
    CLUSTER: cluster_updates.UPDATES,
    POOL: (*node_pool_tables.UPDATES, *node_pool_tables.OWN_CALLS),
}
NOT_SERVED = {CLUSTER: cluster_updates.NOT_SERVED, POOL: node_pool_tables.NOT_SERVED}
README = Path(__file__).parents[4] / "rehearsal/providers/README.md"
CLUSTER_ID = "projects/acme-research/locations/us-central1-c/clusters/rapids-gpu"
IDS = {CLUSTER: CLUSTER_ID, POOL: f"{CLUSTER_ID}/nodePools/a100"}


def resource(token: str) -> GoogleResource:
    return RESOURCE_TYPES[token](Cloud(api=GoogleApi({}, ""), project="acme-research"))


def changeable(fields: Fields) -> set[str]:
    """Inputs without inputs of their own, whose change is no replacement."""
    return {
        path
        for path, field in fields.items()
        if not field.force_new and not any(other.startswith(f"{path}.") for other in fields)
    }


def is_under(path: str, roots: Mapping[str, str]) -> bool:
    return any(path == root or path.startswith(f"{root}.") for root in roots)


@pytest.mark.parametrize("token", ROWS)
def test_every_input_that_google_lets_change_has_a_request_or_a_reason(token: str) -> None:
    table = resource(token).full_table
    for path in sorted(changeable(provider_fields(token))):
        form = rule_at(table, path.partition(".")[0]).form
        is_quiet = form in (Form.LOCAL, Form.WRITE_ONLY)
        is_named = is_under(path, NOT_SERVED[token])
        is_sent = any(row.covers(path) for row in ROWS[token])
        assert is_named or is_quiet or is_sent, path
        assert not (is_named and is_sent), path


@pytest.mark.parametrize("token", ROWS)
def test_every_row_and_every_reason_is_about_inputs_that_there_are(token: str) -> None:
    fields = provider_fields(token)
    assert {name for row in ROWS[token] for name in row.inputs} <= fields.keys()
    assert NOT_SERVED[token].keys() <= fields.keys()


@pytest.mark.parametrize(
    ("token", "path"), [(token, path) for token, names in NOT_SERVED.items() for path in names]
)
def test_what_does_not_change_is_refused_by_its_name_with_the_reason(token: str, path: str) -> None:
    below = min(name for name in changeable(provider_fields(token)) if is_under(name, {path: ""}))
    with pytest.raises(ProviderError) as refused:
        resource(token).apply(State(IDS[token], {}, {}), {}, {below}, engine_call())
    assert f"changing {below} of {token} in place is not served" in str(refused.value)
    assert NOT_SERVED[token][path] in str(refused.value)


def test_the_readme_lists_what_does_not_change_in_place() -> None:
    section = README.read_text(encoding="utf-8").partition("### What does not change in place")[2]
    lines = section.partition("\n## ")[0].splitlines()
    listed = {
        token: set(re.findall(r"`(\w[\w.]*)`", line.partition(":")[2]))
        for token, start in ((CLUSTER, "- Cluster:"), (POOL, "- Node pool:"))
        for line in lines
        if line.startswith(start)
    }
    assert listed == {token: set(names) for token, names in NOT_SERVED.items()}
