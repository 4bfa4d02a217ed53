"""Project-level APIs: cloudresourcemanager (project, IAM policy) and serviceusage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehearsal.emulator.errors import AbortedError
from rehearsal.emulator.service_accounts import check_service_account
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import World

_MEMBER = "serviceAccount:"


class Projects:
    """Projects, their IAM policies and their (always enabled) services."""

    def __init__(self, *, world: World) -> None:
        self._world = world

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        return {
            "cloudresourcemanager.projects.get": self.get,
            "cloudresourcemanager.projects.getIamPolicy": self.get_policy,
            "cloudresourcemanager.projects.setIamPolicy": self.set_policy,
            "cloudresourcemanager.projects.testIamPermissions": self.test_permissions,
            "serviceusage.services.get": self.get_service,
            "serviceusage.services.batchGet": self.batch_get_services,
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
            raise AbortedError(
                "There were concurrent policy changes. Please retry the whole read-modify-write "
                "with exponential backoff."
            )
        for binding in policy.get("bindings", ()):
            for member in binding.get("members", ()):
                if member.startswith(_MEMBER):
                    check_service_account(project, member.removeprefix(_MEMBER))
        policy.pop("version", None)
        project.policy = policy
        return self._policy(project.name)

    def _policy(self, project_name: str) -> Document:
        policy = self._world.project(project_name).policy
        conditional = any("condition" in binding for binding in policy.get("bindings", ()))
        return {"version": 3 if conditional else 1, "etag": fingerprint(policy), **policy}

    async def test_permissions(self, call: Call) -> Document:
        """Grant everything: the rehearsal's user owns the project."""
        return {"permissions": call.body.get("permissions", [])}

    async def get_service(self, call: Call) -> Document:
        """Say that the service is enabled."""
        return self._service(call["v1Id"], call["v1Id1"], call["servicesId"])

    async def batch_get_services(self, call: Call) -> Document:
        """Say that all asked services are enabled."""
        names = call.query.get("names", "").split(",")
        parts = [name.split("/") for name in names if name]
        return {"services": [self._service(p[0], p[1], p[3]) for p in parts]}

    @staticmethod
    def _service(kind: str, parent: str, service: str) -> Document:
        return {
            "name": f"{kind}/{parent}/services/{service}",
            "parent": f"{kind}/{parent}",
            "state": "ENABLED",
            "config": {"name": service},
        }
