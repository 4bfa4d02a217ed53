"""Names and address ranges that collide or break their rules."""

from typing import Any

from tests.daskfleet.planning.documents import Document, Refusal, minimal

LONG = "a" * 54

RANGES = {"pods_cidr": "10.4.0.0/14", "services_cidr": "10.8.0.0/20"}
EXISTING = {
    "project": "acme-host",
    "network": "company",
    "subnetwork": "dask",
    "pods_range": "pods",
    "services_range": "services",
}


def in_existing(**network: Any) -> Document:
    """A fleet in a network that exists, of which all is said."""
    return minimal(network={"existing": EXISTING, "nodes_cidr": "10.0.0.0/20", **RANGES, **network})


def team_open_to(*ranges: str) -> dict[str, Any]:
    """A team with an address in the VPC."""
    access = {"internal_load_balancer": {"source_ranges": list(ranges)}}
    return {"name": "alpha", "access": access}


def with_buckets(*buckets: dict[str, str]) -> Document:
    """A team with these buckets."""
    return minimal(project_number=1, teams=[{"name": "alpha", "buckets": list(buckets)}])


REFUSALS: dict[str, Refusal] = {
    "team name too long for the operator's suffix": (
        minimal(teams=[{"name": LONG}]),
        "teams[0].name",
        LONG,
        "at most 53 lower-case letters",
        "correct teams[0].name",
    ),
    "team name too long for the suffix of a blue-green cluster": (
        minimal(
            teams=[{"name": "a" * 45, "workers": 1, "rollout": "blue-green"}],
            scheduler_pool={"node_count": 2},
        ),
        "teams[0].name",
        "a" * 45,
        "at most 44 characters",
        "choose a shorter name, or rollout recreate",
    ),
    "ill-formed team name": (
        minimal(teams=[{"name": "1st_team"}]),
        "teams[0].name",
        "1st_team",
        "beginning with a letter",
        "correct teams[0].name",
    ),
    "pool name too long": (
        minimal(worker_pools=[{"name": "p" * 41}]),
        "worker_pools[0].name",
        "p" * 41,
        "at most 40 lower-case letters",
        "correct worker_pools[0].name",
    ),
    "pool name too long for a generation's hash": (
        minimal(worker_pools=[{"name": "p" * 35, "replacement": "surge"}]),
        "worker_pools[0].name",
        "p" * 35,
        "at most 33 characters, or replacement in-place",
        "shorten the name by 2 characters",
    ),
    "namespace of the pods that pull images": (
        minimal(image_prepull=True, teams=[{"name": "image-prepull"}]),
        "teams[0].name",
        "image-prepull",
        "names other than dask-operator, image-prepull and default",
        "choose another name for the team",
    ),
    "operator among the pods that pull images": (
        minimal(image_prepull=True, operator={"namespace": "image-prepull"}),
        "operator.namespace",
        "image-prepull",
        "names other than image-prepull",
        "choose another namespace for the operator",
    ),
    "reserved namespace": (
        minimal(teams=[{"name": "kube-system"}]),
        "teams[0].name",
        "kube-system",
        "do not begin with kube-, gke-, gmp-",
        "choose another name",
    ),
    "team in the operator's namespace": (
        minimal(teams=[{"name": "dask-operator"}]),
        "teams[0].name",
        "dask-operator",
        "names other than dask-operator",
        "choose another name",
    ),
    "member without a kind": (
        minimal(teams=[{"name": "alpha", "members": ["alice@example.com"]}]),
        "teams[0].members[0]",
        "alice@example.com",
        "user:, group: or serviceAccount: and an email address in lower case",
        "correct teams[0].members[0]",
    ),
    "everybody as a member": (
        minimal(teams=[{"name": "alpha", "members": ["allAuthenticatedUsers"]}]),
        "teams[0].members[0]",
        "allAuthenticatedUsers",
        "user:, group: or serviceAccount:",
        "correct teams[0].members[0]",
    ),
    "group on a cluster that knows no groups": (
        minimal(teams=[{"name": "alpha", "members": ["user:a@b.org", "group:alpha@b.org"]}]),
        "teams[0].members[1]",
        "group:alpha@b.org",
        "group: together with cluster.security_group",
        "set cluster.security_group to gke-security-groups@b.org",
    ),
    "ill-formed security group": (
        minimal(cluster={"security_group": "everybody@example.com"}),
        "cluster.security_group",
        "everybody@example.com",
        "gke-security-groups@ and the organisation's domain",
        "correct cluster.security_group",
    ),
    "duplicate teams": (
        minimal(
            teams=[{"name": "alpha", "workers": 1}, {"name": "alpha", "workers": 1}],
            scheduler_pool={"node_count": 2},
        ),
        "teams[1].name",
        "alpha",
        "each name once",
        "rename one of the two",
    ),
    "duplicate pools": (
        minimal(
            worker_pools=[{"name": "scheduler-pool"}],
        ),
        "worker_pools[0].name",
        "scheduler-pool",
        "each name once",
        "rename one of the two",
    ),
    "ill-formed label": (
        minimal(labels={"env": "Production"}),
        "labels.env",
        "Production",
        "at most 63 lower-case letters",
        "correct labels.env",
    ),
    "label key that Google keeps": (
        minimal(labels={"goog-env": "x"}),
        "labels.goog-env",
        "x",
        "keys that do not begin with goog",
        "choose another key",
    ),
    "overlapping ranges": (
        minimal(network={"services_cidr": "10.0.8.0/22"}),
        "network.services_cidr",
        "10.0.8.0/22",
        "a range outside 10.0.0.0/20",
        "move services_cidr or nodes_cidr",
    ),
    "pod range too small for the pools": (
        minimal(network={"pods_cidr": "10.4.0.0/25"}),
        "network.pods_cidr",
        "10.4.0.0/25",
        "a range of /24 or larger",
        "widen pods_cidr to /24",
    ),
    "range with host bits": (
        minimal(network={"pods_cidr": "10.4.0.1/14"}),
        "network.pods_cidr",
        "10.4.0.1/14",
        "without host bits",
        "correct network.pods_cidr",
    ),
    "range that is a number": (
        minimal(network={"nodes_cidr": True}),
        "network.nodes_cidr",
        "true",
        "an IPv4 network without host bits",
        "correct network.nodes_cidr",
    ),
    "network that exists, of which a range is not said": (
        minimal(network={"existing": EXISTING, **RANGES}),
        "network.nodes_cidr",
        "not given",
        "the range that subnetwork dask has",
        "gcloud compute networks subnets describe dask --project acme-host --region us-central1",
    ),
    "network that exists, and NAT of the program's own": (
        in_existing(nat="own"),
        "network.nat",
        "own",
        "nothing, or none",
        "remove nat",
    ),
    "one range for pods and Services": (
        in_existing(existing={**EXISTING, "services_range": "pods"}),
        "network.existing.services_range",
        "pods",
        "the name of another secondary range",
        "name the range that is meant for Services",
    ),
    "path of a network in place of its name": (
        in_existing(existing={**EXISTING, "network": "global/networks/n"}),
        "network.existing.network",
        "global/networks/n",
        "the name alone",
        "correct network.existing.network",
    ),
    "ranges of a network that exists that overlap": (
        in_existing(services_cidr="10.4.0.0/20"),
        "network.services_cidr",
        "10.4.0.0/20",
        "a range outside 10.4.0.0/14",
        "move services_cidr or pods_cidr",
    ),
    "small range of a network that exists": (
        in_existing(pods_cidr="10.4.0.0/25"),
        "network.pods_cidr",
        "10.4.0.0/25",
        "a range of /24 or larger",
        "name a subnetwork whose range has /24 or more",
    ),
    "load balancer for everybody": (
        minimal(teams=[team_open_to("0.0.0.0/0")]),
        "teams[0].access.internal_load_balancer.source_ranges",
        '["0.0.0.0/0"]',
        "ranges of networks that you know",
        "name those",
    ),
    "load balancer for nobody": (
        minimal(teams=[team_open_to()]),
        "teams[0].access.internal_load_balancer.source_ranges",
        "[]",
        "at least one entry",
        "correct teams[0].access.internal_load_balancer.source_ranges",
    ),
    "load balancer with a range inside of another one": (
        minimal(teams=[team_open_to("10.128.0.0/20", "10.128.1.0/24")]),
        "teams[0].access.internal_load_balancer.source_ranges",
        '["10.128.0.0/20", "10.128.1.0/24"]',
        "ranges that do not overlap",
        "remove 10.128.1.0/24, or narrow 10.128.0.0/20",
    ),
    "load balancer for the pods of other teams": (
        minimal(teams=[team_open_to("192.168.7.0/24", "10.4.7.0/24")]),
        "teams[0].access.internal_load_balancer.source_ranges[1]",
        "10.4.7.0/24",
        "ranges outside 10.4.0.0/14",
        "name the clients' own network",
    ),
    "buckets without the project's number": (
        minimal(teams=[{"name": "alpha", "buckets": [{"name": "data"}]}]),
        "project_number",
        "none",
        "the number of project example-project",
        "gcloud projects describe example-project --format='value(projectNumber)'",
    ),
    "bucket with its scheme": (
        with_buckets({"name": "gs://data"}),
        "teams[0].buckets[0].name",
        "gs://data",
        "without gs://",
        "correct teams[0].buckets[0].name",
    ),
    "bucket called after Google": (
        with_buckets({"name": "our-google-data"}),
        "teams[0].buckets[0].name",
        "our-google-data",
        "a name that Cloud Storage gives",
        "gcloud storage ls",
    ),
    "bucket called like an address": (
        with_buckets({"name": "192.0.2.10"}),
        "teams[0].buckets[0].name",
        "192.0.2.10",
        "a name that Cloud Storage gives",
        "gcloud storage ls",
    ),
    "bucket with two dots in a row": (
        with_buckets({"name": "data..example.com"}),
        "teams[0].buckets[0].name",
        "data..example.com",
        "a name that Cloud Storage gives",
        "gcloud storage ls",
    ),
    "bucket with a part that is too long": (
        with_buckets({"name": "a" * 64}),
        "teams[0].buckets[0].name",
        "a" * 64,
        "a name that Cloud Storage gives",
        "gcloud storage ls",
    ),
    "bucket twice with different access": (
        with_buckets({"name": "data", "access": "write"}, {"name": "data"}),
        "teams[0].buckets[1]",
        "data: read",
        "each bucket once",
        "remove one of the two",
    ),
}
