"""What exists in the emulated project, in a form in which two fleets can be compared."""

from typing import Any

from rehearsal.emulator.world import Cluster, Pool, Project

Picture = dict[str, Any]


def live_project(project: Project) -> Picture:
    """Everything that costs, serves or grants, without what is random or a time."""
    return {
        "clusters": {name: _cluster(cluster) for (_, name), cluster in project.clusters.items()},
        "compute": {
            path: sorted(nat["name"] for nat in document.get("nats", []))
            for path, document in project.compute.items()
        },
        "service accounts": sorted(project.service_accounts),
        "grants": sorted(
            f"{binding['role']} {member}"
            for binding in project.policy.get("bindings", [])
            for member in binding["members"]
        ),
    }


def is_short(pool: Pool) -> bool:
    """Tell whether GKE is still trying to get the pool its machines."""
    return pool.document["status"] == "RUNNING_WITH_ERROR" and any(
        len(pool.instances.get(zone, ())) != count for zone, count in pool.target.items()
    )


def _cluster(cluster: Cluster) -> Picture:
    pools = {name: _pool(pool) for name, pool in cluster.pools.items()}
    return {"status": cluster.document["status"], "pools": pools}


def _pool(pool: Pool) -> Picture:
    sizes = {zone: len(names) for zone, names in pool.instances.items()}
    return {"status": pool.document["status"], "target": pool.target, "machines": sizes}
