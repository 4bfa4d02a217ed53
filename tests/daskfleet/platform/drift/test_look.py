"""Unit: one comparison from state to report, with recorded answers in place of CLI and cluster."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

import daskfleet.platform.drift.look
from daskfleet.platform.drift.errors import DriftError
from daskfleet.platform.drift.google import CLUSTER_TYPE, Reading
from daskfleet.platform.drift.model import Report
from daskfleet.platform.drift.snapshot import ALWAYS, Kind, Snapshot
from daskfleet.platform.drift.state import PulumiResource, StackState
from tests.daskfleet.platform.drift.recordings import as_declared, recorded_state


def looked(
    monkeypatch: pytest.MonkeyPatch, state: StackState, *, is_cluster_there: bool = True
) -> tuple[Report, list[str], list[Kind]]:
    """Look; return the report, what was said meanwhile, and which kinds were read."""
    said: list[str] = []
    read: list[Kind] = []

    class Cli:
        """Pulumi."""

        def __init__(self, *_: object) -> None:
            """Take project and stack."""

        def read_state(self) -> StackState:
            return state

        def read_google(
            self, resources: Sequence[PulumiResource], *, progress: Callable[[str], None]
        ) -> list[Reading]:
            for each in resources:
                progress(each.title)
            return [
                Reading(
                    resource=each,
                    exists=is_cluster_there or each.type != CLUSTER_TYPE,
                    inputs=each.inputs,
                )
                for each in resources
            ]

    def read_cluster(
        _: object, kinds: Iterable[Kind], *, progress: Callable[[str], None]
    ) -> Snapshot:
        read.extend(kinds)
        progress("3 nodes")
        return as_declared()

    monkeypatch.setattr(daskfleet.platform.drift.look, "PulumiCli", Cli)
    monkeypatch.setattr(daskfleet.platform.drift.look, "read_cluster", read_cluster)
    return daskfleet.platform.drift.look.look(Path(), "prod", progress=said.append), said, read


def test_where_nothing_differs_all_was_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    state = recorded_state()

    report, said, read = looked(monkeypatch, state)

    assert (report.stack, report.differences, report.notices) == ("rehearsal", (), ())
    assert report.google_resources == len(state.google)
    assert report.kubernetes_objects == len(state.objects) + len(state.releases)
    assert said[0] == "reading the state"
    assert said[1].startswith(f"reading Google Cloud: 1 of {len(state.google)}, ")
    assert said[-1] == "reading the cluster: 3 nodes"
    assert set(ALWAYS) < set(read)
    assert len(read) == len(set(read))
    assert Kind("networking.k8s.io/v1", "NetworkPolicy") in read


def test_without_its_cluster_only_google_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    report, _, read = looked(monkeypatch, recorded_state(), is_cluster_there=False)

    assert [each.resource for each in report.differences] == ["Cluster rapids-gpu"]
    assert "Only Google Cloud was compared" in report.notices[0]
    assert read == []


def test_a_state_without_a_way_to_the_cluster_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    state = recorded_state().model_copy(update={"kubeconfig": None})

    with pytest.raises(DriftError, match="did not get as far as the cluster"):
        looked(monkeypatch, state)


def test_an_update_that_runs_or_was_killed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = recorded_state().model_copy(update={"pending": ("NodePool a", "NodePool b")})

    report, _, _ = looked(monkeypatch, state)

    (notice,) = report.notices
    assert "an update works on NodePool a, NodePool b" in notice
