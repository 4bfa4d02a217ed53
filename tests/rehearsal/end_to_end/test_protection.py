"""End to end: a long-lived fleet is not deleted by mistake, and a team goes in two steps."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from rehearsal.engine.engine import EngineFailedError
from rehearsal.report.requests import Mark, google_writes, kubernetes_writes, lines_since
from rehearsal.up import PROGRAM_USER
from tests.rehearsal.end_to_end.objects import existing, names
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, team
from tests.rehearsal.kr8s_client import connect_blocking

pytestmark = pytest.mark.rehearsal

OTHER_IMAGE = "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"
DATA = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "results", "namespace": "genomics"},
    "data": {"answer": "42"},
}


def long_lived(fleet: RunningRehearsal) -> Settings:
    """The settings of a fleet that is protected, as any is that does not say otherwise."""
    settings = fleet.settings()
    del settings["daskfleet:long_lived"]
    return settings


@pytest.fixture
def protected(rehearsal: RunningRehearsal) -> RunningRehearsal:
    """The fleet, protected."""
    rehearsal.inject()
    rehearsal.ensure_as_declared(long_lived(rehearsal))
    return rehearsal


@contextmanager
def nothing_changes(fleet: RunningRehearsal) -> Iterator[None]:
    """See that neither API is asked for a change, and that Pulumi forgets nothing.

    So the fleet is as it was, and the next test needs no `up`.
    """
    google, kubernetes = Mark.now(fleet.workspace.request_log), Mark.now(fleet.cluster.audit_log)
    known = urns(fleet)
    yield
    assert google_writes(lines_since(google)) == ()
    assert kubernetes_writes(lines_since(kubernetes), user=PROGRAM_USER) == ()
    assert urns(fleet) == known
    fleet.configure(long_lived(fleet))
    fleet.seen_as_declared()


def urns(fleet: RunningRehearsal) -> list[str]:
    """All resources in the stack's state."""
    state = json.loads(fleet.stage.engine.output("stack", "export"))
    return sorted(resource["urn"] for resource in state["deployment"]["resources"])


@pytest.mark.parametrize("options", [(), ("--skip-preview",), ("--continue-on-error",)])
def test_destroy_of_a_protected_fleet_changes_nothing_and_says_how_to_proceed(
    protected: RunningRehearsal, options: tuple[str, ...]
) -> None:
    with nothing_changes(protected), pytest.raises(EngineFailedError):
        protected.run("destroy", "--yes", *options)
    assert "fleet-first-set-long_lived-to-false-and-run-up" in protected.said


@pytest.mark.parametrize("options", [("preview",), ("up", "--yes", "--skip-preview")])
def test_a_team_that_is_removed_without_being_retired_stays_and_the_way_is_told(
    protected: RunningRehearsal, options: tuple[str, ...]
) -> None:
    settings = long_lived(protected)
    settings["daskfleet:teams"].remove(team(settings, "genomics"))
    protected.configure(settings)
    with nothing_changes(protected), pytest.raises(EngineFailedError):
        protected.run(*options)
    assert "genomics-first-set-retire-to-true-and-run-up" in protected.said


def test_a_protected_team_still_gets_a_new_image(protected: RunningRehearsal) -> None:
    settings = long_lived(protected)
    team(settings, "genomics")["image"] = OTHER_IMAGE
    protected.up(settings)
    assert {pod.images for pod in protected.dask_pods("genomics").values()} == {(OTHER_IMAGE,)}
    assert protected.up(settings).changed == 0


def test_a_retired_team_gives_its_gpus_back_and_keeps_its_data_until_it_is_removed(
    protected: RunningRehearsal,
) -> None:
    api = connect_blocking(protected.cluster.kubeconfig)
    bystanders = protected.dask_pods("climate")
    with existing(protected.cluster.kubeconfig, DATA):
        settings = long_lived(protected)
        team(settings, "genomics")["retire"] = True
        protected.up(settings)
        assert protected.dask_pods("genomics") == {}
        assert names(api, "daskclusters.kubernetes.dask.org") == ["climate"]
        assert "results" in names(api, "configmaps")
    assert "retired" in protected.said

    settings["daskfleet:teams"].remove(team(settings, "genomics"))
    protected.up(settings)
    assert "genomics" not in names(api, "namespaces")
    assert protected.dask_pods("climate").keys() == bystanders.keys()
