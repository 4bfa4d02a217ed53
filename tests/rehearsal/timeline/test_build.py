"""Unit: a timeline from an engine's steps and its state."""

from components.dask_autoscaler import DaskAutoscaler
from components.dask_cluster import DaskCluster
from components.dask_operator import DaskOperator
from components.ephemeral_clusters import EphemeralClusters
from components.gke_cluster import GkeCluster
from components.image_prepull import ImagePrepull
from components.jupyter import Jupyter
from components.network import Network
from components.node_pool import NodePool
from components.node_service_account import NodeServiceAccount
from components.nvidia_driver import NvidiaDriver
from components.operator_rights import OperatorRights
from components.team import Team
from components.team_buckets import TeamBuckets
from components.team_monitoring import TeamMonitoring
from components.team_notice import TeamNotice
from rehearsal.emulator import Latency
from rehearsal.timeline.build import build_timeline
from rehearsal.timeline.groups import COMPONENTS
from rehearsal.timeline.model import Span, Timeline
from rehearsal.timeline.step_times import StepTimes
from tests.rehearsal.timeline import an_up


def timeline(*, latency: Latency | None = None, **auto_pool: object) -> Timeline:
    built = build_timeline(
        an_up.step_times(),
        state=an_up.exported_state(**auto_pool),
        latency=latency or Latency.fast(),
        latency_text="as tested",
    )
    assert built is not None
    return built


def span(of: Timeline, urn: str) -> Span:
    (found,) = (span for span in of.spans if span.urn == urn)
    return found


def test_a_span_waits_for_what_its_provider_needs_and_for_nothing_twice() -> None:
    operator = span(timeline(), an_up.OPERATOR)
    assert operator.waits_for == (an_up.CLUSTER,)


def test_a_span_is_called_by_what_it_belongs_to() -> None:
    groups = {s.urn: s.group for s in timeline().spans}
    assert groups[an_up.SUBNETWORK] == "network"
    assert groups[an_up.FIXED_POOL] == "pool fixed"
    assert groups[an_up.DASK] == "team climate"


def test_every_component_that_owns_resources_has_a_name_for_people() -> None:
    owning = (Network, NodeServiceAccount, GkeCluster, NodePool, NvidiaDriver, ImagePrepull)
    in_cluster = (OperatorRights, DaskOperator, Team, DaskCluster, TeamNotice)
    of_teams = (TeamBuckets, TeamMonitoring, Jupyter, DaskAutoscaler, EphemeralClusters)
    assert {component.TYPE for component in (*owning, *in_cluster, *of_teams)} == set(COMPONENTS)


def test_the_wait_for_pods_is_a_span_between_the_cluster_and_its_address() -> None:
    whole = timeline()
    wait = span(whole, an_up.TEAM_PART)
    assert (wait.start_s, wait.end_s) == (56.5, 60.0)
    assert wait.waits_for == (an_up.DASK,)
    assert set(span(whole, an_up.ADDRESS).waits_for) == {an_up.CLUSTER, an_up.TEAM_PART}


def test_the_critical_path_goes_back_by_what_ended_last() -> None:
    critical = [s.urn for s in timeline().spans if s.is_critical]
    assert critical == [
        an_up.NETWORK,
        an_up.SUBNETWORK,
        an_up.CLUSTER,
        an_up.FIXED_POOL,
        an_up.DASK,
        an_up.TEAM_PART,
        an_up.ADDRESS,
    ]


def test_the_pieces_of_the_critical_path_are_the_whole_up() -> None:
    whole = timeline()
    assert [piece.group for piece in whole.critical_path] == [
        "start of the program",
        "network",
        "cluster",
        "pool fixed",
        "team climate",
    ]
    assert sum(piece.duration_s for piece in whole.critical_path) == whole.up_s == 60.2


def test_a_replaced_resource_is_one_span_from_its_first_step_to_its_last() -> None:
    times = StepTimes()
    for operation, begin_s, end_s in (("delete-replaced", 1, 2), ("create-replacement", 4, 6)):
        times.began(an_up.FIXED_POOL, at_s=begin_s)
        times.ended(an_up.FIXED_POOL, name="NodePool fixed", operation=operation, at_s=end_s)
    state = an_up.exported_state()
    built = build_timeline(times, state=state, latency=Latency.fast(), latency_text="fast")
    assert built is not None
    (only,) = built.spans
    assert (only.start_s, only.end_s, only.waits_for) == (1, 6, ())


def test_an_up_that_changes_nothing_has_no_timeline() -> None:
    state = an_up.exported_state()
    assert (
        build_timeline(StepTimes(), state=state, latency=Latency.fast(), latency_text="fast")
        is None
    )


def test_a_kept_timeline_is_read_back_as_it_was_and_its_json_has_the_ratio() -> None:
    whole = timeline(latency=Latency.scaled(60), minNodeCount=0)
    assert Timeline.model_validate_json(whole.model_dump_json()) == whole
    assert whole.model_dump(mode="json")["ratio"] == whole.ratio
