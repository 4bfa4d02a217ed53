"""The world as a JSON document, and the world that such a document describes. Pure.

Whatever is a field of a project, a cluster or a pool is kept, also one that is added later.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from rehearsal.emulator.backend import ClusterRef
from rehearsal.emulator.world import Cluster, Pool, Project, World

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document


def kept_world(world: World) -> Document:
    """Return all that a world holds. It shares its parts with the world: write it at once."""
    return {
        **_fields(world, less={"projects"}),
        "projects": [_kept_project(project) for project in world.projects.values()],
    }


def world_of(kept: Document) -> World:
    """Return the world that ``kept_world`` was given. Raises TypeError for other fields."""
    projects = [_project_of(project) for project in kept["projects"]]
    return World(**kept | {"projects": {project.name: project for project in projects}})


def _kept_project(project: Project) -> Document:
    clusters = [_kept_cluster(cluster) for cluster in project.clusters.values()]
    return {**_fields(project, less={"clusters"}), "clusters": clusters}


def _project_of(kept: Document) -> Project:
    clusters = [_cluster_of(cluster) for cluster in kept["clusters"]]
    by_place = {(cluster.ref.location, cluster.ref.name): cluster for cluster in clusters}
    return Project(**kept | {"clusters": by_place})


def _kept_cluster(cluster: Cluster) -> Document:
    # A pool's cluster is the one that it is found in, and nobody holds its lock now.
    pools = [_fields(pool, less={"cluster", "lock"}) for pool in cluster.pools.values()]
    return {**_fields(cluster, less={"ref", "pools"}), "ref": asdict(cluster.ref), "pools": pools}


def _cluster_of(kept: Document) -> Cluster:
    ref = ClusterRef(**kept["ref"])
    pools = [Pool(cluster=ref, **pool) for pool in kept["pools"]]
    return Cluster(**kept | {"ref": ref, "pools": {pool.name: pool for pool in pools}})


def _fields(thing: Any, *, less: set[str]) -> Document:
    return {f.name: getattr(thing, f.name) for f in fields(thing) if f.name not in less}
