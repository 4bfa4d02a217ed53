"""Unit: the template in a team's namespace, where it is not what a member hoped for."""

import json
from pathlib import Path
from typing import Any

import pytest

from daskfleet.access.errors import AccessError
from daskfleet.access.own_cluster_spec import published_spec
from daskfleet.contract.declared import DeclaredOwnClusters
from tests.daskfleet.access.played_api import played_api

TEAM = "alpha"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((404, {"message": "not found"}), "does not exist, or you may not read it"),
        ((403, {"message": "forbidden"}), "does not exist, or you may not read it"),
        ((200, {}), "is not what `pulumi up` wrote"),
        ((200, {"data": {"dask-cluster.yaml": ": ["}}), "is not what `pulumi up` wrote"),
    ],
)
def test_a_template_that_cannot_be_had_is_said_to_be_so_with_a_next_step(
    answer: tuple[int, dict[str, Any]], words: str, tmp_path: Path
) -> None:
    own = DeclaredOwnClusters(
        max_workers=2,
        max_clusters=1,
        spec_config_map="dask-cluster-spec",
        spec_key="dask-cluster.yaml",
        spec_name="NAME",
    )
    path = f"GET /api/v1/namespaces/{TEAM}/configmaps/{own.spec_config_map}"
    with played_api({path: answer}, tmp_path):
        kubeconfig = json.loads((tmp_path / "kubeconfig").read_text("utf-8"))
        with pytest.raises(AccessError, match=words) as refused:
            published_spec(kubeconfig, own, team=TEAM)
    assert "Ask your platform engineers" in str(refused.value)
