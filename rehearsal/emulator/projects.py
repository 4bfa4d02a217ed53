"""cloudresourcemanager: projects, their IAM policies and what organisations restrict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehearsal.emulator.errors import PolicyChangedError
from rehearsal.emulator.iam_bindings import version_of
from rehearsal.emulator.service_accounts import check_service_account
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.restrictions import RestrictionBook
    from rehearsal.emulator.world import World

_MEMBER = "serviceAccount:"


class Projects:
    """Projects and their IAM policies."""

    def __init__(self, *, world: World, restrictions: RestrictionBook) -> None:
        self._world = world
        self._restrictions = restrictions

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        return {
            "cloudresourcemanager.projects.get": self.get,
            "cloudresourcemanager.projects.getEffectiveOrgPolicy": self.get_organisation_policy,
            "cloudresourcemanager.projects.getIamPolicy": self.get_policy,
            "cloudresourcemanager.projects.setIamPolicy": self.set_policy,
            "cloudresourcemanager.projects.testIamPermissions": self.test_permissions,
        }

    async def get(self, call: Call) -> Document:
        """Return the project."""
        project = self._world.project(call["projectId"])
        return {
            "projectId": project.name,
            "projectNumber": project.number,
            "name": project.name,
            "lifecycleState": "ACTIVE",
        }

    async def get_policy(self, call: Call) -> Document:
        """Return the IAM policy and its etag."""
        return self._policy(call["resource"])

    async def set_policy(self, call: Call) -> Document:
        """Replace the IAM policy, if the caller has seen the latest one."""
        project = self._world.project(call["resource"])
        policy = dict(call.body.get("policy", {}))
        etag = policy.pop("etag", None)
        if etag is not None and etag != self._policy(project.name)["etag"]:
            raise PolicyChangedError
        for binding in policy.get("bindings", ()):
            for member in binding.get("members", ()):
                if member.startswith(_MEMBER):
                    check_service_account(project, member.removeprefix(_MEMBER))
        policy.pop("version", None)
        project.policy = policy
        return self._policy(project.name)

    def _policy(self, project_name: str) -> Document:
        policy = self._world.project(project_name).policy
        version = version_of(policy.get("bindings", ()))
        return {"version": version, "etag": fingerprint(policy), **policy}

    async def get_organisation_policy(self, call: Call) -> Document:
        """Return what holds of a constraint for the project."""
        return self._restrictions.organisation_policy(call.body.get("constraint", ""))

    async def test_permissions(self, call: Call) -> Document:
        """Grant what no restriction denies."""
        return {"permissions": self._restrictions.granted(call.body.get("permissions", []))}
