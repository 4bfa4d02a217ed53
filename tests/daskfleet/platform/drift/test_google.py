"""Declared Google resources against what a refresh read."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from daskfleet.platform.drift.google import Reading, google_differences, is_cluster_gone
from daskfleet.platform.drift.model import Difference, Owner, Severity
from tests.daskfleet.platform.drift.recordings import declared

POOLS = ("a100-auto-nodes", "a100-fixed-nodes", "scheduler-pool-nodes")
KNOWN_POOLS = [{"name": name.removesuffix("-nodes")} for name in POOLS]


def read(
    name: str, change: Callable[[dict[str, Any]], object] = lambda _: None, *paths: str, **to: bool
) -> Reading:
    """A resource as it would be read after a change of its inputs at these paths."""
    resource = declared(name)
    inputs = copy.deepcopy(resource.inputs)
    change(inputs)
    return Reading(resource=resource, inputs=inputs, changed=dict.fromkeys(paths, False) | to)


def changed(name: str, change: Callable[[dict[str, Any]], object], path: str) -> list[Difference]:
    """What is reported of one changed resource."""
    return list(google_differences([read(name, change, path)]))


def test_bounds_that_the_console_moved_are_reported_with_both_values() -> None:
    bounds = "autoscaling.maxNodeCount"
    (moved,) = changed("a100-auto-nodes", lambda i: i["autoscaling"].update(maxNodeCount=9), bounds)
    assert moved.resource == "NodePool a100-auto"
    assert (moved.field, moved.declared, moved.found) == ("autoscaling.maxNodeCount", 2, 9)
    assert moved.owner is Owner.GOOGLE_CLOUD_USER
    assert "`pulumi up --refresh` puts it back (in-place: " in moved.remedy
    assert "nodePools/a100-auto" in moved.ask


def test_a_fixed_pool_that_was_resized_is_drift() -> None:
    (resized,) = changed("a100-fixed-nodes", lambda i: i.update(nodeCount=5), "nodeCount")
    assert (resized.field, resized.declared, resized.found) == ("nodeCount", 2, 5)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda i: i.update(nodeCount=2), "nodeCount"),
        (lambda i: i.update(initialNodeCount=2), "initialNodeCount"),
        (lambda i: i.update(version="1.37.0-gke.1"), "version"),
        (
            lambda i: i["nodeConfig"]["resourceLabels"].update({"goog-gke-node": ""}),
            "nodeConfig.resourceLabels.goog-gke-node",
        ),
        (
            lambda i: i["nodeConfig"]["labels"].update({"cloud.google.com/gke-gpu": "true"}),
            'nodeConfig.labels["cloud.google.com/gke-gpu"]',
        ),
    ],
)
def test_what_the_autoscaler_and_gke_do_by_themselves_is_not_reported(
    change: Callable[[dict[str, Any]], object], path: str
) -> None:
    assert changed("a100-auto-nodes", change, path) == []


def test_what_the_provider_takes_for_the_same_is_no_difference() -> None:
    spelled = read("cluster-control-plane", lambda i: i.update(network="https://x/rapids-gpu"))
    assert list(google_differences([spelled])) == []


def test_a_label_that_somebody_added_to_a_pool_is_reported() -> None:
    (added,) = changed(
        "a100-auto-nodes", lambda i: i["nodeConfig"]["labels"].update(x="y"), "nodeConfig.labels.x"
    )
    assert (added.field, added.declared, added.found) == ("nodeConfig.labels.x", None, "y")


def test_a_channel_that_was_changed_is_reported() -> None:
    (moved,) = changed(
        "cluster-control-plane",
        lambda i: i["releaseChannel"].update(channel="RAPID"),
        "releaseChannel.channel",
    )
    assert (moved.field, moved.found) == ("releaseChannel.channel", "RAPID")


def test_a_difference_that_only_a_replacement_takes_back_says_so() -> None:
    spot = read(
        "a100-fixed-nodes", lambda i: i["nodeConfig"].update(spot=True), **{"nodeConfig.spot": True}
    )
    (moved,) = google_differences([spot])
    assert "(replaces-pool: " in moved.remedy


@pytest.mark.parametrize(
    ("replaces", "said"), [(True, "puts it back by a replacement; "), (False, "puts it back; ")]
)
def test_of_a_field_without_a_class_only_a_replacement_is_said(
    *, replaces: bool, said: str
) -> None:
    unclassified = read("a100-fixed-nodes", lambda i: i.update(novelty=1), novelty=replaces)
    (moved,) = google_differences([unclassified])
    assert said in moved.remedy


def test_a_pool_that_is_gone_was_deleted_by_somebody() -> None:
    gone = Reading(resource=declared("a100-fixed-nodes"), exists=False)
    (found,) = google_differences([gone])
    assert found.severity is Severity.GONE
    assert found.resource == "NodePool a100-fixed"
    assert "GKE deletes none by itself" in found.evidence
    assert not is_cluster_gone([gone])


def test_without_its_cluster_nothing_else_can_be_compared() -> None:
    gone = Reading(resource=declared("cluster-control-plane"), exists=False)
    assert is_cluster_gone([gone])


def test_a_pool_that_the_stack_does_not_know_is_reported() -> None:
    cluster = declared("cluster-control-plane")
    outputs = {"nodePools": [*KNOWN_POOLS, {"name": "by-hand"}]}
    readings = [
        Reading(resource=cluster, inputs=cluster.inputs, outputs=outputs),
        *(read(name) for name in POOLS),
    ]
    (unknown,) = google_differences(readings)
    assert unknown.severity is Severity.UNKNOWN
    assert unknown.resource == "NodePool by-hand"
    assert (
        "gcloud container node-pools delete by-hand --cluster rapids-gpu "
        "--location us-central1-c --project rehearsal-project"
    ) in unknown.remedy
