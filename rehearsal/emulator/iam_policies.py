"""IAM policies of resources: service accounts, subnetworks, repositories of images, keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rehearsal.emulator.errors import NotFoundError, PolicyChangedError
from rehearsal.emulator.iam_bindings import version_of, wished_bindings
from rehearsal.emulator.keys import find_key
from rehearsal.emulator.network_spec import not_found
from rehearsal.emulator.service_accounts import ACCOUNT_DOMAIN, check_service_account, find_account
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.restrictions import RestrictionBook
    from rehearsal.emulator.world import World

    Resource = Callable[[Call], str]


class IamPolicies:
    """Policies of single resources; nothing here enforces them."""

    def __init__(self, *, world: World, restrictions: RestrictionBook) -> None:
        self._world = world
        self._restrictions = restrictions

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        resources: dict[str, Resource] = {
            "iam.projects.serviceAccounts": self._account,
            "compute.subnetworks": self._subnetwork,
            "artifactregistry.projects.locations.repositories": self._repository,
            "cloudkms.projects.locations.keyRings.cryptoKeys": self._key,
        }
        verbs = {
            "getIamPolicy": self.get,
            "setIamPolicy": self.set,
            "testIamPermissions": self.test,
        }
        return {
            f"{prefix}.{verb}": partial(handler, resource)
            for prefix, resource in resources.items()
            for verb, handler in verbs.items()
        }

    def _account(self, call: Call) -> str:
        return str(find_account(self._world, call)["name"])

    def _subnetwork(self, call: Call) -> str:
        path = f"regions/{call['region']}/subnetworks/{call['resource']}"
        if path not in self._world.project(call["project"]).compute:
            raise not_found(call["project"], path)
        return f"projects/{call['project']}/{path}"

    def _key(self, call: Call) -> str:
        return str(find_key(self._world, call)["name"])

    def _repository(self, call: Call) -> str:
        name = (
            f"projects/{call['projectsId']}/locations/{call['locationsId']}"
            f"/repositories/{call['repositoriesId']}"
        )
        if name not in self._world.project(call["projectsId"]).repositories:
            raise NotFoundError(f"Requested entity was not found: {name}.")
        return name

    async def get(self, resource: Resource, call: Call) -> Document:
        """Return a resource's policy and its etag."""
        return self._policy(resource(call))

    async def set(self, resource: Resource, call: Call) -> Document:
        """Replace a resource's policy, if the caller has seen the latest one."""
        name = resource(call)
        # Compute Engine takes the older form too: bindings and etag beside the policy.
        wished = {**call.body, **call.body.get("policy", {})}
        etag = wished.get("etag")
        if etag and etag != self._policy(name)["etag"]:
            raise PolicyChangedError
        bindings = wished_bindings(wished)
        for binding in bindings:
            for member in binding["members"]:
                self._check(member)
        self._world.iam_bindings[name] = bindings
        return self._policy(name)

    async def test(self, resource: Resource, call: Call) -> Document:
        """Grant what no restriction denies."""
        resource(call)
        return {"permissions": self._restrictions.granted(call.body.get("permissions", []))}

    def _policy(self, name: str) -> Document:
        bindings = self._world.iam_bindings.get(name, [])
        return {
            "version": version_of(bindings),
            "etag": fingerprint(name, bindings),
            **({"bindings": bindings} if bindings else {}),
        }

    def _check(self, member: str) -> None:
        kind, _, email = member.partition(":")
        owner = email.partition("@")[2].removesuffix(ACCOUNT_DOMAIN)
        # Google's own agents have e-mail addresses of projects that nobody asks for.
        if kind == "serviceAccount" and owner in self._world.projects:
            check_service_account(self._world.project(owner), email)
