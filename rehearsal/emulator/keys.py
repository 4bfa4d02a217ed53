"""cloudkms: key rings and keys that encrypt, and whether Google's agents may use them.

Nothing is encrypted. Answers and texts of what is not there: those of k8s-config-connector's
mock, which Google made of its own (``bench/recordings/containercluster.jsonl``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehearsal.emulator.errors import (
    AlreadyExistsError,
    InvalidArgumentError,
    NotFoundError,
    UnimplementedError,
)
from rehearsal.emulator.request_log import now
from rehearsal.emulator.service_accounts import ACCOUNT_DOMAIN

if TYPE_CHECKING:
    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Project, World

ROLE = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
_PURPOSE = "ENCRYPT_DECRYPT"
_ALGORITHM = "GOOGLE_SYMMETRIC_ENCRYPTION"


class Keys:
    """Key rings and keys of projects. Keys can be made and read; no version is changed."""

    def __init__(self, *, world: World) -> None:
        self._world = world

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        prefix = "cloudkms.projects.locations.keyRings."
        return {
            f"{prefix}create": self.create_ring,
            f"{prefix}get": self.get_ring,
            f"{prefix}cryptoKeys.create": self.create_key,
            f"{prefix}cryptoKeys.get": self.get_key,
        }

    async def create_ring(self, call: Call) -> Document:
        """Create a key ring."""
        name = f"{_location(call)}/keyRings/{_wished(call, 'keyRingId')}"
        return self._add(call, "KeyRing", {"name": name, "createTime": now()})

    async def get_ring(self, call: Call) -> Document:
        """Return a key ring."""
        return find_ring(self._world, call)

    async def create_key(self, call: Call) -> Document:
        """Create a key with its first version, which is the primary one."""
        if call.body.get("purpose") != _PURPOSE:
            raise UnimplementedError(f"The emulator has keys of purpose {_PURPOSE} alone.")
        ring = find_ring(self._world, call)["name"]
        name = f"{ring}/cryptoKeys/{_wished(call, 'cryptoKeyId')}"
        template = {"protectionLevel": "SOFTWARE", "algorithm": _ALGORITHM}
        template |= call.body.get("versionTemplate", {})
        made = now()
        primary = {
            **template,
            "name": f"{name}/cryptoKeyVersions/1",
            "state": "ENABLED",
            "createTime": made,
            "generateTime": made,
        }
        key = {
            "destroyScheduledDuration": "2592000s",
            **call.body,
            "name": name,
            "createTime": made,
            "versionTemplate": template,
            "primary": primary,
        }
        return self._add(call, "CryptoKey", key)

    async def get_key(self, call: Call) -> Document:
        """Return a key."""
        return find_key(self._world, call)

    def _add(self, call: Call, kind: str, document: Document) -> Document:
        keys, name = self._world.project(call["projectsId"]).keys, document["name"]
        if name in keys:
            raise AlreadyExistsError(f"{kind} {name} already exists.")
        keys[name] = document
        return document


def find_ring(world: World, call: Call) -> Document:
    """Return the key ring that a path names. Raises NotFoundError."""
    return _find(world, call, "KeyRing", _ring(call))


def find_key(world: World, call: Call) -> Document:
    """Return the key that a path names. Raises NotFoundError."""
    return _find(world, call, "CryptoKey", f"{_ring(call)}/cryptoKeys/{call['cryptoKeysId']}")


def check_keys(world: World, project: Project, *, cluster: Document) -> None:
    """Raise where GKE's agent may not use the key for Secrets of a cluster, or it is not there."""
    wished = cluster.get("databaseEncryption", {})
    if wished.get("keyName"):
        _check_use(world, project, wished["keyName"], agent="container-engine-robot")


def check_disk_key(world: World, project: Project, *, config: Document) -> None:
    """Raise where Compute Engine's agent may not use the key of a pool's boot disks.

    The words are Compute Engine's, from a published log of ``gcloud compute images create``. How
    GKE passes them on, and how late, is not known: here the request for the pool is refused.
    """
    if config.get("bootDiskKmsKey"):
        _check_use(
            world,
            project,
            config["bootDiskKmsKey"],
            agent="compute-system",
            of="Cloud KMS error when using key {key}: ",
        )


def _check_use(world: World, project: Project, key: str, *, agent: str, of: str = "") -> None:
    """Raise unless an agent of ``project`` may use a key that is there.

    Cloud KMS has the same words for both (terraform-google-kms, issue 51).
    """
    member = f"serviceAccount:service-{project.number}@{agent}{ACCOUNT_DOMAIN}"
    may_use = any(
        binding["role"] == ROLE and member in binding.get("members", ())
        for binding in world.iam_bindings.get(key, [])
    )
    if not may_use:
        raise InvalidArgumentError(
            of.format(key=key) + "Permission 'cloudkms.cryptoKeyVersions.useToEncrypt' denied on "
            f"resource '{key}' (or it may not exist)."
        )


def _find(world: World, call: Call, kind: str, name: str) -> Document:
    found = world.project(call["projectsId"]).keys.get(name)
    if found is None:
        raise NotFoundError(f"{kind} {name} not found.")
    return found


def _location(call: Call) -> str:
    return f"projects/{call['projectsId']}/locations/{call['locationsId']}"


def _ring(call: Call) -> str:
    return f"{_location(call)}/keyRings/{call['keyRingsId']}"


def _wished(call: Call, parameter: str) -> str:
    name: str = call.query.get(parameter, "")
    if not name:
        raise InvalidArgumentError(f"{parameter} must be set.")
    return name
