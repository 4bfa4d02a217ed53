"""storage.buckets: what a bucket is and its IAM policy; objects are not kept here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rehearsal.emulator.errors import GoogleError, InvalidArgumentError
from rehearsal.emulator.iam_bindings import WITH_CONDITIONS, version_of, wished_bindings
from rehearsal.emulator.service_accounts import check_service_account
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.restrictions import RestrictionBook
    from rehearsal.emulator.world import World

_ACCOUNT = re.compile(r"serviceAccount:(?P<email>[^@]+@(?P<project>[^.]+)\..*)")
_POD = re.compile(
    r"principal://iam\.googleapis\.com/projects/\d+/locations/global/workloadIdentityPools/"
    r"(?P<pool>(?P<project>[^/]+)\.svc\.id\.goog)/subject/ns/[^/]+/sa/[^/]+"
)


class Buckets:
    """Buckets of any project; each is there, unless a restriction says that it is missing."""

    def __init__(self, *, world: World, restrictions: RestrictionBook) -> None:
        self._world = world
        self._restrictions = restrictions

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        return {
            "storage.buckets.get": self.get,
            "storage.buckets.getIamPolicy": self.get_policy,
            "storage.buckets.setIamPolicy": self.set_policy,
            "storage.buckets.testIamPermissions": self.test_permissions,
        }

    async def get(self, call: Call) -> Document:
        """Return the bucket."""
        name = self._existing(call)
        is_uniform = name not in self._restrictions.current.buckets_with_acls
        return {
            "kind": "storage#bucket",
            "id": name,
            "name": name,
            "iamConfiguration": {"uniformBucketLevelAccess": {"enabled": is_uniform}},
        }

    async def get_policy(self, call: Call) -> Document:
        """Return the IAM policy and its etag."""
        name = self._existing(call)
        asked = int(call.query.get("optionsRequestedPolicyVersion", 1))
        policy = self._policy(name)
        if asked < policy["version"]:
            raise InvalidArgumentError(
                f"The policy of bucket {name} has conditions: ask for it with "
                f"optionsRequestedPolicyVersion={WITH_CONDITIONS}."
            )
        return policy

    async def set_policy(self, call: Call) -> Document:
        """Replace the IAM policy, if the caller has seen the latest one."""
        name = self._existing(call)
        etag = call.body.get("etag")
        if etag and etag != self._policy(name)["etag"]:
            raise GoogleError(
                412,
                "At least one of the pre-conditions you specified did not hold.",
                reason="conditionNotMet",
                status="FAILED_PRECONDITION",
            )
        bindings = wished_bindings(call.body)
        known = set(_members(self._world.bucket_policy(name)))
        for member in _members(bindings):
            if member not in known:
                self._check(member)
        self._world.set_bucket_policy(name, bindings)
        return self._policy(name)

    async def test_permissions(self, call: Call) -> Document:
        """Grant what no restriction denies."""
        self._existing(call)
        asked = call.query.get("permissions", "").split(",")
        return {
            "kind": "storage#testIamPermissionsResponse",
            "permissions": self._restrictions.granted(asked),
        }

    def _existing(self, call: Call) -> str:
        name = call["bucket"]
        if name in self._restrictions.current.missing_buckets:
            raise GoogleError(
                404, "The specified bucket does not exist.", reason="notFound", status="NOT_FOUND"
            )
        return name

    def _policy(self, name: str) -> Document:
        bindings = self._world.bucket_policy(name)
        return {
            "kind": "storage#policy",
            "resourceId": f"projects/_/buckets/{name}",
            "version": version_of(bindings),
            "etag": fingerprint(bindings),
            "bindings": bindings,
        }

    def _check(self, member: str) -> None:
        """Raise 400 for a new member that cannot be: an account, or a pod's identity."""
        if account := _ACCOUNT.fullmatch(member):
            check_service_account(self._world.project(account["project"]), account["email"])
        elif member.startswith("principal://"):
            pod = _POD.fullmatch(member)
            if pod is None:
                raise InvalidArgumentError(f"The emulator does not know members like {member}.")
            if not self._has_pool(pod["project"], pod["pool"]):
                raise InvalidArgumentError(
                    f"Identity Pool does not exist ({pod['pool']}). Please check that you "
                    "specified a valid resource name as returned in the `name` attribute in the "
                    "configuration API."
                )

    def _has_pool(self, project: str, pool: str) -> bool:
        configs = (
            cluster.document.get("workloadIdentityConfig", {})
            for cluster in self._world.project(project).clusters.values()
        )
        return any(config.get("workloadPool") == pool for config in configs)


def _members(bindings: list[Document]) -> Iterator[str]:
    for binding in bindings:
        yield from binding["members"]
