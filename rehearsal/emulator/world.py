"""Everything that exists in the emulated Google: projects and what is in them."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rehearsal.emulator.derived_fields import pod_range_use, shown_pool
from rehearsal.emulator.errors import NotFoundError
from rehearsal.emulator.request_log import now

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rehearsal.emulator.backend import ClusterRef
    from rehearsal.emulator.document import Document

_INSTANCE_NAME_LIMIT = 63
_SUFFIX_LENGTH = len("-12345678-grp")


_NEW_BUCKET: list[Document] = [
    {
        "role": "roles/storage.legacyBucketOwner",
        "members": ["projectEditor:of-the-bucket", "projectOwner:of-the-bucket"],
    },
    {"role": "roles/storage.legacyBucketReader", "members": ["projectViewer:of-the-bucket"]},
]
"""What Google writes into the policy of a new bucket; the project is made up
(cloud.google.com/storage/docs/access-control/iam-roles, "Basic roles")."""


def fingerprint(*parts: object) -> str:
    """Return a short stable hash of ``parts``, in the role of GKE's etags and fingerprints."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:8]


def parent_of(project: str, location: str) -> str:
    """Return a location's resource path; GKE still writes zones as ``zones/``."""
    is_zone = location.count("-") > 1
    return f"projects/{project}/{'zones' if is_zone else 'locations'}/{location}"


@dataclass(kw_only=True)
class Pool:
    """A node pool and its machines."""

    cluster: ClusterRef
    document: Document
    """As GKE answers it, without what ``instances`` says."""
    instances: dict[str, list[str]]
    """Names of the machines by zone."""
    target: dict[str, int] = field(default_factory=dict)
    """Machines wanted by zone: the target sizes of the managed instance groups."""
    awaiting_driver: dict[str, str] = field(default_factory=dict)
    """Machines that do not offer their GPUs yet, by name: how many ``nvidia.com/gpu`` each has."""
    drivers: dict[str, str] = field(default_factory=dict)
    """Versions of the drivers that installers have loaded, by machine."""
    created: str = field(default_factory=now)
    """When it was made, and its instance groups with it."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while machines come or go."""

    @property
    def name(self) -> str:
        """The pool's name."""
        return str(self.document["name"])

    @property
    def size(self) -> int:
        """Number of machines over all zones."""
        return sum(map(len, self.instances.values()))

    def settle(self) -> None:
        """Note that all is well: RUNNING, no conditions."""
        self.document["status"] = "RUNNING"
        self.document.pop("statusMessage", None)
        self.document.pop("conditions", None)

    def settle_with_error(self, *, status: str, code: str, message: str) -> None:
        """Note what went wrong, where GKE shows it: status, message and a condition."""
        self.document["status"] = status
        self.document["statusMessage"] = message
        self.document["conditions"] = [{"code": code, "message": message}]

    def note_phase(self, phase: str) -> None:
        """Note how far a blue-green upgrade has come, where GKE shows it."""
        info = {"phase": phase, "greenPoolVersion": self.document["version"]}
        self.document["updateInfo"] = {"blueGreenInfo": info}

    def base_name(self, zone: str) -> str:
        """Return the common start of the names of all machines of a zone."""
        head = f"gke-{self.cluster.name}-{self.name}"[: _INSTANCE_NAME_LIMIT - _SUFFIX_LENGTH]
        return f"{head.rstrip('-')}-{fingerprint(self.cluster, self.name, zone)}"

    def new_instance_name(self, zone: str) -> str:
        """Return an unused name for a machine, as GKE forms them."""
        alphabet = "bcdfghjklmnpqrstvwxz0123456789"
        suffix = "".join(secrets.choice(alphabet) for _ in range(4))
        return f"{self.base_name(zone)}-{suffix}"

    def group_url(self, zone: str) -> str:
        """Return the link of the zone's managed instance group."""
        return (
            "https://www.googleapis.com/compute/v1/projects/"
            f"{self.cluster.project}/zones/{zone}/instanceGroupManagers/{self.base_name(zone)}-grp"
        )

    def answer(self) -> Document:
        """Return the NodePool as the API shows it."""
        return {
            **shown_pool(self.document, created=self.created),
            "etag": fingerprint(self.document),
            "instanceGroupUrls": [self.group_url(zone) for zone in self.target],
        }


@dataclass(kw_only=True)
class Cluster:
    """A cluster and its pools."""

    ref: ClusterRef
    document: Document
    """As GKE answers it, without what ``pools`` says."""
    pools: dict[str, Pool] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """Resource path as GKE writes it in messages."""
        return f"{parent_of(self.ref.project, self.ref.location)}/clusters/{self.ref.name}"

    def pool(self, name: str) -> Pool:
        """Return a pool. Raises NotFoundError."""
        if name not in self.pools:
            raise NotFoundError(f'Not found: node pool "{name}" not found.')
        return self.pools[name]

    def _pod_range_use(self) -> float:
        """Return how much of the range of pods is taken, which all pools share."""
        pools = self.pools.values()
        nodes = [(pool.size, int(pool.document["podIpv4CidrSize"])) for pool in pools]
        return pod_range_use(self.document, nodes)

    def show(self, pool: Pool) -> Document:
        """Return one of its NodePools as the API shows it."""
        answer = pool.answer()
        use = {"podIpv4RangeUtilization": self._pod_range_use()}
        return answer | {"networkConfig": answer["networkConfig"] | use}

    def answer(self) -> Document:
        """Return the Cluster as the API shows it."""
        pools = [self.show(pool) for pool in self.pools.values()]
        use = {"defaultPodIpv4RangeUtilization": self._pod_range_use()}
        answer = {
            **self.document,
            "ipAllocationPolicy": self.document["ipAllocationPolicy"] | use,
            "nodePools": pools,
            "currentNodeCount": sum(pool.size for pool in self.pools.values()),
            "instanceGroupUrls": [url for pool in pools for url in pool["instanceGroupUrls"]],
            "labelFingerprint": fingerprint(self.document.get("resourceLabels")),
            "etag": fingerprint(self.document),
        }
        return answer | ({"nodeConfig": pools[0]["config"]} if pools else {})


@dataclass(kw_only=True)
class Project:
    """One project's resources, by name."""

    name: str
    clusters: dict[tuple[str, str], Cluster] = field(default_factory=dict)
    """By (location, name)."""
    compute: dict[str, Document] = field(default_factory=dict)
    """Networks, subnetworks, routers, addresses and the like by path (``global/networks/N``)."""
    service_accounts: dict[str, Document] = field(default_factory=dict)
    """By e-mail address."""
    repositories: dict[str, Document] = field(default_factory=dict)
    """Artifact Registry's, by full name."""
    keys: dict[str, Document] = field(default_factory=dict)
    """Key rings and keys of Cloud KMS, by full name."""
    policy: Document = field(default_factory=dict)
    """IAM policy, without its etag."""
    is_host: bool = False
    """Whether other projects can be attached to it: Shared VPC."""
    host_project: str = ""
    """The project that it is attached to."""

    @property
    def number(self) -> str:
        """Project number, made from the name."""
        return str(100_000_000_000 + int(fingerprint(self.name), 16))

    def cluster(self, location: str, name: str) -> Cluster:
        """Return a cluster. Raises NotFoundError."""
        found = self.clusters.get((location, name))
        if found is None:
            path = f"{parent_of(self.name, location)}/clusters/{name}"
            raise NotFoundError(f"Not found: {path}.")
        return found


@dataclass(kw_only=True)
class World:
    """All projects; a project exists as soon as it is asked for."""

    projects: dict[str, Project] = field(default_factory=dict)
    """By name."""
    bucket_bindings: dict[str, list[Document]] = field(default_factory=dict)
    """IAM policies that have been set, by bucket."""
    iam_bindings: dict[str, list[Document]] = field(default_factory=dict)
    """IAM policies that have been set, by the resource's full name."""
    last_id: int = 4_000_000_000_000_000_000

    def project(self, name: str) -> Project:
        """Return the project of that name."""
        return self.projects.setdefault(name, Project(name=name))

    def bucket_policy(self, name: str) -> list[Document]:
        """Return the bindings of a bucket's IAM policy; a new bucket has those that Google gives.

        Names of buckets are global, and no request here tells whose one is.
        """
        return self.bucket_bindings.get(name, _NEW_BUCKET)

    def set_bucket_policy(self, name: str, bindings: list[Document]) -> None:
        """Replace the bindings of a bucket's IAM policy."""
        self.bucket_bindings[name] = bindings

    def clusters(self) -> Iterator[Cluster]:
        """Return the clusters of all projects."""
        for project in self.projects.values():
            yield from project.clusters.values()

    def new_id(self) -> str:
        """Return an unused numeric resource id."""
        self.last_id += 1
        return str(self.last_id)
