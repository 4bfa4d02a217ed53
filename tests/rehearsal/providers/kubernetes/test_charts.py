"""Unit tests: charts in local directories."""

from pathlib import Path

import pytest

from rehearsal.providers.kubernetes.charts import content_checksum, is_local, local_version
from rehearsal.providers.kubernetes.release import resource_names
from rehearsal.providers.protocol import ProviderError
from tests.rehearsal.providers.kubernetes.charts_for_tests import write_chart


def test_a_directory_with_a_chart_is_local(tmp_path: Path) -> None:
    chart = write_chart(tmp_path / "paint", version="1.2.3")
    assert is_local(chart)
    assert local_version(chart) == "1.2.3"
    assert not is_local("dask/dask-kubernetes-operator")


def test_a_chart_without_version_is_named(tmp_path: Path) -> None:
    chart = write_chart(tmp_path / "paint")
    (tmp_path / "paint" / "Chart.yaml").write_text("name: paint\n")
    with pytest.raises(ProviderError, match=r"paint/Chart\.yaml"):
        local_version(chart)


def test_the_checksum_sees_contents_and_names(tmp_path: Path) -> None:
    chart = write_chart(tmp_path / "paint")
    first = content_checksum(chart)
    assert content_checksum(chart) == first
    template = tmp_path / "paint" / "templates" / "settings.yaml"
    template.rename(template.with_name("renamed.yaml"))
    renamed = content_checksum(chart)
    template.with_name("renamed.yaml").write_text("---\n")
    assert len({first, renamed, content_checksum(chart)}) == 3


def test_names_are_grouped_by_kind_and_version() -> None:
    manifest = """\
---
apiVersion: v1
kind: Service
metadata: {name: b, namespace: team}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
---
"""
    assert resource_names(manifest) == {
        "Deployment.apps/apps/v1": ["a"],
        "Service/v1": ["team/b"],
    }
