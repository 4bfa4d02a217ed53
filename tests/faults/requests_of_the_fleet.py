"""Every request by which the engine changes Google Cloud between the fleets of the cases.

A test compares them with a clean run, so that no boundary is missing.
"""

from tests.faults.case import Request

UP = (
    Request(name="network", method="POST", path="/global/networks$"),
    Request(name="service account", method="POST", path="/serviceAccounts$"),
    Request(name="subnetwork", method="POST", path="/subnetworks$"),
    Request(name="router", method="POST", path="/routers$"),
    Request(name="first grant", method="POST", path=":setIamPolicy$"),
    Request(name="second grant", method="POST", path=":setIamPolicy$", nth=1),
    Request(name="NAT", method="PATCH", path="/routers/rapids-gpu-router$"),
    Request(name="cluster", method="POST", path="/clusters$"),
    Request(name="default pool's removal", method="DELETE", path="/nodePools/default-pool$"),
    Request(name="first pool", method="POST", path="/nodePools$"),
    Request(name="second pool", method="POST", path="/nodePools$", nth=1),
    Request(name="third pool", method="POST", path="/nodePools$", nth=2),
)

DESTROY = (
    Request(name="worker pool", method="DELETE", path="/nodePools/a100$"),
    Request(name="scheduler pool", method="DELETE", path="/nodePools/scheduler-pool$"),
    Request(name="system pool", method="DELETE", path="/nodePools/system$"),
    Request(name="cluster", method="DELETE", path="/clusters/rapids-gpu$"),
    Request(name="NAT", method="PATCH", path="/routers/rapids-gpu-router$"),
    Request(name="subnetwork", method="DELETE", path="/subnetworks/rapids-gpu-nodes$"),
    Request(name="router", method="DELETE", path="/routers/rapids-gpu-router$"),
    Request(name="first grant", method="POST", path=":setIamPolicy$"),
    Request(name="second grant", method="POST", path=":setIamPolicy$", nth=1),
    Request(name="network", method="DELETE", path="/global/networks/rapids-gpu$"),
    Request(name="service account", method="DELETE", path="/serviceAccounts/"),
)

GROW = (
    Request(name="size", method="POST", path="/nodePools/a100:setSize$"),
    Request(name="new pool", method="POST", path="/nodePools$"),
)

SHRINK = (
    Request(name="size", method="POST", path="/nodePools/a100:setSize$"),
    Request(name="old pool", method="DELETE", path="/nodePools/more$"),
)

READS = (
    Request(name="the network", method="GET", path="/global/networks/rapids-gpu$"),
    Request(name="the service account", method="GET", path="/serviceAccounts/rapids-gpu-nodes@"),
    Request(name="the subnetwork", method="GET", path="/subnetworks/rapids-gpu-nodes$"),
    *(
        Request(name=f"the router, {nth + 1}", method="GET", path="/rapids-gpu-router$", nth=nth)
        for nth in range(3)
    ),
    *(
        Request(name=f"the policy, {nth + 1}", method="POST", path=":getIamPolicy$", nth=nth)
        for nth in range(4)
    ),
    *(
        Request(name=f"the cluster, {nth + 1}", method="GET", path="/clusters/rapids-gpu$", nth=nth)
        for nth in range(3)
    ),
    *(
        Request(name=f"{pool}, {nth + 1}", method="GET", path=f"/nodePools/{pool}$", nth=nth)
        for pool in ("system", "scheduler-pool", "a100")
        for nth in range(3)
    ),
    *(
        Request(
            name=f"the machines of {pool}, {nth + 1}",
            method="GET",
            path=f"/gke-rapids-gpu-{pool}-[0-9a-f]+-grp$",
            nth=nth,
        )
        for pool in ("system", "scheduler-pool", "a100")
        for nth in range(2)
    ),
)
"""Every read of a clean `up` from nothing."""
