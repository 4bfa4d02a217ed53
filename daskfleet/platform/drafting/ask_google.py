"""Asking Google for a cluster and the sizes of its pools."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import httpx

from daskfleet.google_cloud.access import get_access
from daskfleet.google_cloud.asking import Shape, ask
from daskfleet.google_cloud.bearer import Access
from daskfleet.google_cloud.endpoints import Api, base_url
from daskfleet.platform.drafting.found import FoundPool
from daskfleet.platform.drafting.google_answers import (
    Cluster,
    InstanceGroup,
    NodePool,
)

ShapeT = TypeVar("ShapeT", bound=Shape)


def ask_google(
    name: str,
    *,
    project: str,
    location: str,
    environment: Mapping[str, str],
    progress: Callable[[str], None],
) -> tuple[Cluster, tuple[FoundPool, ...]]:
    """Read a cluster, and its pools with their sizes; nothing is written.

    Raises:
        NoAccessError: there are no credentials.
        AnswerError: Google does not tell of the cluster, or how many nodes a pool has.

    """
    access = get_access(environment)
    with httpx.Client() as http:
        google = _Google(http=http, environment=environment, access=access)
        progress(f"reading cluster {name} in {location}")
        path = f"projects/{project}/locations/{location}/clusters/{name}"
        cluster = google.get("container", path, Cluster)
        progress("reading how many nodes its pools have")
        sized = tuple(FoundPool(pool=each, nodes=google.size(each)) for each in cluster.node_pools)
        return cluster, sized


@dataclass(frozen=True, kw_only=True)
class _Google:
    http: httpx.Client
    environment: Mapping[str, str]
    access: Access

    def get(self, api: Api, path: str, shape: type[ShapeT]) -> ShapeT:
        url = f"{base_url(api, self.environment)}/{path}"
        return ask(self.http, "GET", url, shape, access=self.access)

    def size(self, pool: NodePool) -> int:
        """GKE's API does not tell it, the instance groups do."""
        paths = [f"projects/{url.partition('/projects/')[2]}" for url in pool.instance_group_urls]
        return sum(self.get("compute", path, InstanceGroup).target_size for path in paths)
