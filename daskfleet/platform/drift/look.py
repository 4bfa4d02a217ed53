"""One comparison: read state, Google Cloud and cluster, and put the differences together."""

from collections.abc import Callable
from pathlib import Path

from daskfleet.access.kubeconfig import NO_PROVIDER
from daskfleet.platform.drift.collect_cluster import read_cluster
from daskfleet.platform.drift.collect_pulumi import PulumiCli
from daskfleet.platform.drift.dask import dask_differences
from daskfleet.platform.drift.errors import DriftError
from daskfleet.platform.drift.google import google_differences, is_cluster_gone
from daskfleet.platform.drift.model import Difference, Report, by_severity
from daskfleet.platform.drift.objects import kind_of, object_differences
from daskfleet.platform.drift.releases import made_by, release_differences
from daskfleet.platform.drift.skew import skew_differences
from daskfleet.platform.drift.snapshot import ALWAYS, Snapshot
from daskfleet.platform.drift.state import StackState


def look(project_dir: Path, stack: str | None, *, progress: Callable[[str], None]) -> Report:
    """Compare what runs with what the last ``pulumi up`` declared.

    Raises:
        DriftError: something could not be read.

    """
    pulumi = PulumiCli(project_dir, stack)
    progress("reading the state")
    state = pulumi.read_state()
    done = 0

    def google_progress(title: str) -> None:
        nonlocal done
        done += 1
        progress(f"reading Google Cloud: {done} of {len(state.google)}, {title}")

    readings = pulumi.read_google(state.google, progress=google_progress)
    differences = list(google_differences(readings))
    notices = list(_notices(state))
    if is_cluster_gone(readings):
        notices.append("The cluster is gone with everything in it. Only Google Cloud was compared.")
    else:
        snapshot = _read_objects(state, progress)
        differences += in_cluster(state, snapshot)
    return Report(
        stack=state.stack,
        differences=by_severity(differences),
        notices=tuple(notices),
        google_resources=len(state.google),
        kubernetes_objects=len(state.objects) + len(state.releases),
    )


def in_cluster(state: StackState, snapshot: Snapshot) -> list[Difference]:
    """Compare everything in the cluster."""
    return [
        *(each for resource in state.objects for each in object_differences(resource, snapshot)),
        *dask_differences(state.objects, snapshot),
        *(each for release in state.releases for each in release_differences(release, snapshot)),
        *skew_differences(state.pools, snapshot),
    ]


def _read_objects(state: StackState, progress: Callable[[str], None]) -> Snapshot:
    if state.kubeconfig is None:
        raise DriftError(NO_PROVIDER)
    kinds = {
        *ALWAYS,
        *(kind_of(resource) for resource in state.objects),
        *(kind for release in state.releases for kind, _ in made_by(release)),
    }
    return read_cluster(
        state.kubeconfig, kinds, progress=lambda what: progress(f"reading the cluster: {what}")
    )


def _notices(state: StackState) -> list[str]:
    if not state.pending:
        return []
    names = ", ".join(state.pending)
    notice = (
        f"The state says that an update works on {names}: either one runs now, and some of this is "
        "its work, or one was killed: then `daskfleet recover`, and `pulumi up`."
    )
    return [notice]
