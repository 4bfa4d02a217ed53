"""A node whose GPU is sick is named with the command that has it made anew."""

import pytest

from daskfleet.access.errors import AccessError
from daskfleet.platform.doctor import cluster_session
from daskfleet.platform.doctor.model import Outcome
from daskfleet.platform.doctor.sick_nodes import sick_node_findings
from daskfleet.settings.stack import Stack
from tests.daskfleet.platform.doctor.examined import Machine
from tests.in_cluster.gpu_health.nodes import node, sick, taken
from tests.setting_changes import BASE

STACK = Stack.model_validate(BASE)
SINCE = "2026-11-23T11:00:00+00:00"


def test_a_sick_node_is_a_warning_with_its_repair() -> None:
    ill = taken(sick("gke-a100-1"), since=SINCE)
    ill["metadata"]["labels"]["topology.kubernetes.io/zone"] = "us-central1-f"

    (drained, kept) = sick_node_findings([node("well"), ill, sick("gke-a100-2")], STACK)

    assert (drained.subject, drained.outcome) == ("node gke-a100-1", Outcome.WARNING)
    assert drained.there == "XID 79, drained since 2026-11-23 11:00 UTC"
    assert drained.command == (
        "gcloud compute instances delete gke-a100-1 --zone=us-central1-f --project=example-project"
    )
    assert kept.there == "XID 79, not drained"
    assert "--zone=us-central1-c" in kept.command


def test_a_node_that_boots_after_its_repair_is_still_drained() -> None:
    (found,) = sick_node_findings([taken(node(gpus=0), since=SINCE)], STACK)

    assert found.outcome is Outcome.WARNING


def test_nodes_without_a_sign_are_in_order() -> None:
    (found,) = sick_node_findings([node()], STACK)

    assert found.outcome is Outcome.OK


def test_a_fleet_that_cannot_be_reached_was_not_looked_at(
    well: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise AccessError("nothing was brought up")

    monkeypatch.setattr(cluster_session, "fleet_of_stack", refused)
    well.settings(gpu_health={})

    (found,) = [each for each in well.found() if each.subject == "GPUs of the nodes"]

    assert (found.outcome, found.there) == (Outcome.NOT_LOOKED_AT, "nothing was brought up")
