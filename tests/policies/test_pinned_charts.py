"""Unit: charts of one version."""

import pytest

from policies.pinned_charts import RULE
from tests.policies.fleets import OPERATOR, Fleet


@pytest.mark.parametrize("version", ["^2026.3", ">=2026.3.0", "2026.x", "2026.3", "", None])
def test_a_range_of_versions_is_named(fleet: Fleet, version: str | None) -> None:
    ((name, message),) = fleet.with_value(OPERATOR, "version", value=version).violations(RULE)

    assert name == OPERATOR
    assert f"has the version {version or '(none)'}" in message


def test_a_chart_in_the_repository_is_of_the_commits_version(fleet: Fleet) -> None:
    local = fleet.with_value(OPERATOR, "chart", value="./charts/operator")

    assert local.with_value(OPERATOR, "version", value=None).names(RULE) == []
