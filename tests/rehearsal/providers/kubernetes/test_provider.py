"""Unit tests: the provider as the engine meets it first."""

import pytest

from rehearsal.providers.kubernetes.objects import KubernetesObject
from rehearsal.providers.kubernetes.provider import KubernetesProvider
from rehearsal.providers.kubernetes.release import RELEASE_TYPE, HelmRelease
from rehearsal.providers.protocol import ProviderError

UNREACHABLE = (
    '{"clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:1"}}],'
    ' "contexts": [{"name": "c", "context": {"cluster": "c"}}], "current-context": "c"}'
)


def test_tokens_lead_to_objects_and_releases() -> None:
    provider = KubernetesProvider()
    provider.configure({"kubeconfig": UNREACHABLE})
    assert isinstance(provider.resource_type("kubernetes:core/v1:Pod"), KubernetesObject)
    assert isinstance(provider.resource_type(RELEASE_TYPE), HelmRelease)
    assert provider.resource_type("kubernetes:yaml/v2:ConfigGroup") is None


def test_nothing_is_served_before_the_kubeconfig_is_known() -> None:
    with pytest.raises(ProviderError, match="kubeconfig is not known yet"):
        KubernetesProvider().resource_type("kubernetes:core/v1:Pod")
