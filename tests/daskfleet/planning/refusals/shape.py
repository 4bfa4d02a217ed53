"""Keys and values that a stack file cannot have."""

from tests.daskfleet.planning.documents import Document, Refusal, minimal

WINDOW = {"start_time": "2026-01-03T02:00:00Z", "end_time": "2026-01-03T08:00:00Z"}
BACKWARDS = {"start_time": "2026-01-03T08:00:00Z", "end_time": "2026-01-03T02:00:00Z"}


def price(**changes: object) -> Document:
    """The price of the system pool's machine, with some keys set."""
    return {"e2-standard-4": {"usd_per_hour": 0.1, "source": "quote 123", **changes}}


def recurring(recurrence: str) -> Refusal:
    """A maintenance window that recurs like that."""
    return (
        minimal(cluster={"maintenance_window": {**WINDOW, "recurrence": recurrence}}),
        "cluster.maintenance_window.recurrence",
        recurrence,
        "FREQ=WEEKLY;BYDAY=SA,SU",
        "correct cluster.maintenance_window.recurrence",
    )


REFUSALS: dict[str, Refusal] = {
    "maintenance window that ends before it begins": (
        minimal(cluster={"maintenance_window": BACKWARDS}),
        "cluster.maintenance_window.end_time",
        "2026-01-03T02:00:00Z",
        "a time after start_time",
        "correct end_time or start_time",
    ),
    "maintenance exclusion that ends when it begins": (
        minimal(
            cluster={
                "maintenance_window": WINDOW,
                "maintenance_exclusions": [
                    {**WINDOW, "name": "none", "end_time": WINDOW["start_time"]}
                ],
            }
        ),
        "cluster.maintenance_exclusions[0].end_time",
        "2026-01-03T02:00:00Z",
        "a time after start_time",
        "correct end_time or start_time",
    ),
    "recurrence that is no rule": recurring("rubbish"),
    "recurrence by the hour": recurring("FREQ=HOURLY"),
    "recurrence on a day that there is not": recurring("FREQ=WEEKLY;BYDAY=XX"),
    "price of nothing": (
        minimal(prices=price(usd_per_hour=0)),
        "prices.e2-standard-4.usd_per_hour",
        "0",
        "greater than 0",
        "correct prices.e2-standard-4.usd_per_hour",
    ),
    "price without an end": (
        minimal(prices=price(usd_per_hour=float("inf"))),
        "prices.e2-standard-4.usd_per_hour",
        "Infinity",
        "a finite number",
        "correct prices.e2-standard-4.usd_per_hour",
    ),
    "price from nowhere": (
        minimal(prices=price(source="")),
        "prices.e2-standard-4.source",
        '""',
        "say where the price is from",
        "correct prices.e2-standard-4.source",
    ),
    "unknown key": (
        minimal(schedular_pool={}),
        "schedular_pool",
        "{}",
        "scheduler_pool, worker_pools",
        "write scheduler_pool if",
    ),
    "unknown key inside a team": (
        minimal(teams=[{"name": "alpha", "worker": {"memory": 40}}]),
        "teams[0].worker.memory",
        "40",
        "cpu, memory_gib",
        "write memory_gib if",
    ),
    "words in place of a number": (
        minimal(teams=[{"name": "alpha", "workers": "many"}]),
        "teams[0].workers",
        "many",
        "a whole number",
        "correct teams[0].workers",
    ),
    "no team": (minimal(teams=[]), "teams", "[]", "at least one entry", "correct teams"),
    "workers on flex-start": (
        minimal(worker_pools=[{"flex_start": True}]),
        "worker_pools[0].flex_start",
        "true",
        "reservation",
        "remove it; docs/scarce-gpus.md says more",
    ),
    "schedulers on flex-start": (
        minimal(scheduler_pool={"max_run_duration": "86400s"}),
        "scheduler_pool.max_run_duration",
        "86400s",
        "reservation",
        "remove it; docs/scarce-gpus.md says more",
    ),
    "driver mode mixed between pools": (
        minimal(worker_pools=[{"driver": {"install": "gke"}}]),
        "worker_pools[0].driver",
        '{"install": "gke"}',
        "node_count, autoscaling",
        "set daskfleet:driver for the whole stack",
    ),
    "node_count with autoscaling": (
        minimal(worker_pools=[{"node_count": 1, "autoscaling": {"min_nodes": 0, "max_nodes": 2}}]),
        "worker_pools[0].node_count",
        "1",
        "one of node_count and autoscaling",
        "remove node_count to keep autoscaling",
    ),
    "more zones than nodes can be shared out over": (
        minimal(
            worker_pools=[{"zones": ["us-central1-a", "us-central1-c"], "node_count": 3}],
        ),
        "worker_pools[0].node_count",
        "3",
        "a multiple of 2; or autoscaling",
        "write node_count: 4",
    ),
    "a zone twice": (
        minimal(worker_pools=[{"zones": ["us-central1-a", "us-central1-a"], "node_count": 2}]),
        "worker_pools[0].zones",
        '["us-central1-a", "us-central1-a"]',
        "each zone once",
        "remove the second one",
    ),
    "a choice among one zone": (
        minimal(
            worker_pools=[
                {"autoscaling": {"min_nodes": 0, "max_nodes": 2, "location_policy": "ANY"}}
            ]
        ),
        "worker_pools[0].autoscaling",
        '{"min_nodes": 0, "max_nodes": 2, "location_policy": "ANY"}',
        "location_policy only together with several zones",
        "add zones, or remove autoscaling.location_policy",
    ),
    "autoscaling bounds the wrong way round": (
        minimal(worker_pools=[{"autoscaling": {"min_nodes": 3, "max_nodes": 2}}]),
        "worker_pools[0].autoscaling.min_nodes",
        "3",
        "0 to 2",
        "lower min_nodes",
    ),
    "workers and adaptive": (
        minimal(teams=[{"name": "alpha", "workers": 1, "adaptive": {"minimum": 1, "maximum": 2}}]),
        "teams[0].workers",
        "1",
        "one of workers and adaptive",
        "remove workers to keep adaptive",
    ),
    "adaptive bounds between which nothing can move": (
        minimal(teams=[{"name": "alpha", "adaptive": {"minimum": 2, "maximum": 2}}]),
        "teams[0].adaptive.minimum",
        "2",
        "0 to 1",
        "for a fixed number use `workers`",
    ),
    "region without a zone for the nodes": (
        minimal(location="us-central1"),
        "location",
        "us-central1",
        "a region together with node_zone",
        "add node_zone",
    ),
    "zone outside the region": (
        minimal(location="us-central1", node_zone="us-east1-b"),
        "node_zone",
        "us-east1-b",
        "a zone of us-central1",
        "correct node_zone or location",
    ),
    "open public endpoint": (
        minimal(cluster={"endpoint": {"kind": "ip"}}),
        "cluster.endpoint.kind",
        "ip",
        "at least one entry in authorized_networks",
        "name the networks",
    ),
    "endpoint open to the whole internet": (
        minimal(
            cluster={
                "endpoint": {
                    "kind": "ip",
                    "authorized_networks": [{"name": "all", "cidr": "0.0.0.0/0"}],
                }
            }
        ),
        "cluster.endpoint.authorized_networks[0].cidr",
        "0.0.0.0/0",
        "ranges of networks that you know",
        "use kind dns",
    ),
    "a time without upgrades, but no window for them": (
        minimal(
            cluster={
                "maintenance_exclusions": [
                    {
                        "name": "year-end",
                        "start_time": "2026-12-18T00:00:00Z",
                        "end_time": "2027-01-08T00:00:00Z",
                    }
                ]
            }
        ),
        "cluster.maintenance_exclusions",
        (
            '[{"name": "year-end", "start_time": "2026-12-18T00:00:00Z", '
            '"end_time": "2027-01-08T00:00:00Z"}]'
        ),
        "together with maintenance_window",
        "add a maintenance_window",
    ),
    "missing project": (
        {"teams": [{"name": "alpha"}]},
        "project",
        "not given",
        "a value",
        "add project",
    ),
    "unknown driver mode": (
        minimal(driver={"install": "operator"}),
        "driver.install",
        "operator",
        "'daemonset', 'gke'",
        "correct driver.install",
    ),
    "image whose name would run something where doctor's command is pasted": (
        minimal(image="us$(id);-docker.pkg.dev/acme/team/rapids:26.10-cuda12-py3.13"),
        "image",
        "us$(id);-docker.pkg.dev/acme/team/rapids:26.10-cuda12-py3.13",
        "letters, digits and . _ : / -",
        "correct image",
    ),
    "number where YAML should have had quotes": (
        minimal(image={"ref": "x", "rapids": 26.1, "cuda": 12}),
        "image.rapids",
        "26.1",
        "a valid string",
        "put the value in quotes",
    ),
}
