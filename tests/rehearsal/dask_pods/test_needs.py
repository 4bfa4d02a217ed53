"""Unit: which objects a pod names."""

from rehearsal.dask_pods.needs import needs_of
from tests.rehearsal.dask_pods.pods import pod, team_pod


def test_every_way_to_name_what_a_pod_needs_is_found() -> None:
    container = {
        "envFrom": [{"configMapRef": {"name": "c1"}}, {"secretRef": {"name": "s1"}}],
        "env": [
            {"name": "A", "valueFrom": {"configMapKeyRef": {"name": "c2", "key": "k"}}},
            {"name": "B", "valueFrom": {"secretKeyRef": {"name": "s2", "key": "k"}}},
            {"name": "C", "value": "plain"},
            {"name": "D", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
        ],
    }
    sources = [
        {"configMap": {"name": "c4"}},
        {"secret": {"name": "s4"}},
        {"downwardAPI": {}},
        {"serviceAccountToken": {"path": "a"}},
        {"serviceAccountToken": {"path": "b", "audience": "vault"}},
    ]
    volumes = [
        {"name": "a", "configMap": {"name": "c3"}},
        {"name": "b", "secret": {"secretName": "s3"}},
        {"name": "c", "projected": {"sources": sources}},
        {"name": "d", "emptyDir": {}},
        {"name": "e", "persistentVolumeClaim": {"claimName": "home"}},
    ]
    init = {"name": "i", "envFrom": [{"secretRef": {"name": "s5"}}]}
    needs = needs_of(pod(container, volumes=volumes, initContainers=[init]))
    assert needs.config_maps == {"c1", "c2", "c3", "c4"}
    assert needs.secrets == {"s1", "s2", "s3", "s4", "s5"}
    assert needs.claims == {"home"}
    assert needs.audiences == {"", "vault"}


def test_the_teams_own_pods_need_nothing() -> None:
    needs = needs_of(team_pod("worker"))
    assert not needs.config_maps
    assert not needs.secrets
