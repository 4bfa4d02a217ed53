"""Unit tests: which kind a type token stands for."""

import pytest

from rehearsal.providers.kubernetes.kinds import Kind, kind_of_token


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("kubernetes:core/v1:Namespace", Kind("", "v1", "Namespace")),
        ("kubernetes:apps/v1:DaemonSet", Kind("apps", "v1", "DaemonSet")),
        (
            "kubernetes:kubernetes.dask.org/v1:DaskCluster",
            Kind("kubernetes.dask.org", "v1", "DaskCluster"),
        ),
        ("kubernetes:example.com/v1beta1:AllowList", Kind("example.com", "v1beta1", "AllowList")),
    ],
)
def test_a_token_names_the_kind_that_the_server_knows(token: str, kind: Kind) -> None:
    assert kind_of_token(token) == kind


@pytest.mark.parametrize(
    "token",
    [
        "kubernetes:yaml/v2:ConfigGroup",
        "kubernetes:yaml:ConfigFile",
        "kubernetes:kustomize/v2:Directory",
        "kubernetes:helm.sh/v4:Chart",
        "kubernetes:core/v1:PodList",
        "kubernetes:apps/v1:DeploymentPatch",
        "kubernetes:rbac.authorization.k8s.io/v1:RoleList",
        "gcp:container/cluster:Cluster",
    ],
)
def test_a_token_that_is_no_object_is_not_served(token: str) -> None:
    assert kind_of_token(token) is None


def test_the_core_group_has_no_slash_in_its_api_version() -> None:
    assert Kind("", "v1", "Pod").api_version == "v1"
    assert Kind("apps", "v1", "DaemonSet").api_version == "apps/v1"
