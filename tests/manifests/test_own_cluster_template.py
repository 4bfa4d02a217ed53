"""Unit: a template taken apart; each of its keys is fixed, chosen, or a level of its own."""

from typing import Any

import pytest

from manifests.ephemeral_spec import make_cluster_spec
from manifests.own_cluster_template import NAME, Level, levels, levels_expression
from tests.components.fleets import alpha


def template(**changes: Any) -> dict[str, Any]:
    return make_cluster_spec(alpha(**changes), name=NAME)


def level(path: str, **changes: Any) -> Level:
    (found,) = [each for each in levels(template(**changes)) if each.path == path]
    return found


def keys(value: dict[str, Any], path: str = "") -> set[str]:
    """Every key of a document, of lists those of the only element."""
    found = set()
    for key, below in value.items():
        found.add(f"{path}{key}")
        if isinstance(below, dict):
            found |= keys(below, f"{path}{key}.")
        if key == "containers":
            found |= keys(below[0], f"{path}{key}[0].")
    return found


@pytest.mark.parametrize("changes", [{}, {"tls": True}, {"labels": {"cost-center": "cc-1"}}])
def test_no_key_of_a_template_is_forgotten(changes: dict[str, Any]) -> None:
    judged = set()
    for each in levels(template(**changes)):
        prefix = f"{each.path}." if each.path else ""
        judged |= {f"{prefix}{key}" for key in each.chosen}
        judged |= keys(dict(each.fixed), prefix)

    assert keys(template(**changes)) <= judged


def test_what_decides_about_others_is_fixed() -> None:
    pod = level("spec.worker.spec")
    assert {"affinity", "tolerations", "volumes", "serviceAccountName"} <= set(pod.fixed)
    assert pod.chosen == ("containers",)
    assert set(level("spec.scheduler.service").fixed) == {"type", "selector", "ports"}
    assert level("spec.scheduler.service").chosen == ()


def test_gpus_and_labels_are_fixed_and_sizes_are_chosen() -> None:
    requests = level("spec.worker.spec.containers[0].resources.requests")
    assert (dict(requests.fixed), set(requests.chosen)) == (
        {"nvidia.com/gpu": "1"},
        {"cpu", "memory"},
    )
    labels = level("metadata.labels", labels={"cost-center": "cc-1"})
    assert labels.fixed == {"cost-center": "cc-1", "dask.org/cluster-name": NAME}


def test_the_name_is_the_clusters_own_wherever_it_is() -> None:
    written = levels_expression(template(tls=True))

    assert NAME not in written
    assert '"dask.org/cluster-name": string(object.metadata.name)' in written
