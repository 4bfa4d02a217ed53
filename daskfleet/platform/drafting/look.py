"""One look at a cluster: what Google tells, and what Kubernetes tells where it can be asked."""

from collections.abc import Callable, Mapping

from daskfleet.access.errors import AccessError
from daskfleet.platform.drafting.ask_google import ask_google
from daskfleet.platform.drafting.ask_kubernetes import ask_kubernetes
from daskfleet.platform.drafting.errors import DraftError
from daskfleet.platform.drafting.found import Found


def look(
    name: str,
    *,
    project: str,
    location: str,
    environment: Mapping[str, str],
    progress: Callable[[str], None],
) -> Found:
    """Read a cluster; nothing is written.

    Raises:
        DraftError: GKE chooses the nodes of the cluster by itself.
        NoAccessError: there are no credentials for Google.
        AnswerError: Google does not tell of the cluster.

    """
    cluster, pools = ask_google(
        name, project=project, location=location, environment=environment, progress=progress
    )
    if cluster.autopilot.enabled:
        raise DraftError(
            f"{name} is an Autopilot cluster: GKE chooses its nodes, so it has no pools that a "
            "stack file could name. Write one by docs/first-environment.md."
        )
    progress("reading its Dask clusters")
    dask, why = None, ""
    try:
        dask = ask_kubernetes(cluster, environment)
    except AccessError as error:
        why = (
            f"{error} For this cluster that is `gcloud container clusters get-credentials {name} "
            f"--project {project} --location {location}`."
        )
    return Found(
        project=project,
        cluster=cluster,
        pools=pools,
        dask=dask,
        not_looked_at=why,
    )
