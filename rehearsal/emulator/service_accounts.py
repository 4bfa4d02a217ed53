"""iam.projects.serviceAccounts: the handlers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rehearsal.emulator.errors import (
    AlreadyExistsError,
    GoogleError,
    InvalidArgumentError,
    NotFoundError,
)
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Project, World

_ACCOUNT_ID = re.compile(r"[a-z]([-a-z0-9]{4,28}[a-z0-9])")
ACCOUNT_DOMAIN = ".iam.gserviceaccount.com"


def check_service_account(project: Project, email: str) -> None:
    """Raise 400 when ``email`` is a service account of ``project`` that does not exist."""
    if email.endswith(f"@{project.name}{ACCOUNT_DOMAIN}") and email not in project.service_accounts:
        raise GoogleError(
            400,
            f"Service account {email} does not exist.",
            reason="badRequest",
            status="INVALID_ARGUMENT",
        )


def find_account(world: World, call: Call) -> Document:
    """Return an account by e-mail or unique id; the project may be ``-``. Raises NotFoundError."""
    wanted = call["serviceAccountsId"]
    name = call["projectsId"]
    if name == "-":
        name = wanted.removesuffix(ACCOUNT_DOMAIN).rsplit("@", 1)[-1]
    for email, account in world.project(name).service_accounts.items():
        if wanted in (email, account["uniqueId"]):
            return account
    raise NotFoundError(f"Service account projects/{name}/serviceAccounts/{wanted} not found.")


class ServiceAccounts:
    """Service accounts of projects."""

    def __init__(self, *, world: World) -> None:
        self._world = world

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        prefix = "iam.projects.serviceAccounts."
        return {
            f"{prefix}create": self.create,
            f"{prefix}delete": self.delete,
            f"{prefix}get": self.get,
            f"{prefix}list": self.list,
            f"{prefix}patch": self.patch,
        }

    async def create(self, call: Call) -> Document:
        """Create an account."""
        project = self._world.project(call["projectsId"])
        account_id = call.body.get("accountId", "")
        if not _ACCOUNT_ID.fullmatch(account_id):
            raise InvalidArgumentError(
                f"Service account ID {account_id!r} must be a match of regex "
                f"'{_ACCOUNT_ID.pattern}' (6 to 30 characters)."
            )
        email = f"{account_id}@{project.name}{ACCOUNT_DOMAIN}"
        if email in project.service_accounts:
            raise AlreadyExistsError(
                f"Service account {account_id} already exists within project "
                f"projects/{project.name}."
            )
        unique_id = self._world.new_id()
        account: Document = {
            "name": f"projects/{project.name}/serviceAccounts/{email}",
            "projectId": project.name,
            "uniqueId": unique_id,
            "email": email,
            "oauth2ClientId": unique_id,
            **call.body.get("serviceAccount", {}),
        }
        project.service_accounts[email] = account
        return _answer(account)

    async def get(self, call: Call) -> Document:
        """Return an account."""
        return _answer(find_account(self._world, call))

    async def list(self, call: Call) -> Document:
        """Return a project's accounts."""
        accounts = self._world.project(call["projectsId"]).service_accounts.values()
        return {"accounts": [_answer(account) for account in accounts]}

    async def patch(self, call: Call) -> Document:
        """Change the fields that ``updateMask`` names."""
        account = find_account(self._world, call)
        wanted = call.body.get("serviceAccount", {})
        for field in call.body.get("updateMask", "").split(","):
            if field not in ("displayName", "display_name", "description"):
                raise InvalidArgumentError(
                    f"updateMask names {field!r}; allowed: displayName, description."
                )
            key = "description" if field == "description" else "displayName"
            account[key] = wanted.get(key, "")
        return _answer(account)

    async def delete(self, call: Call) -> Document:
        """Delete an account. Bindings that name it stay, as in IAM."""
        account = find_account(self._world, call)
        del self._world.project(account["projectId"]).service_accounts[account["email"]]
        self._world.iam_bindings.pop(account["name"], None)
        return {}


def _answer(account: Document) -> Document:
    return {**account, "etag": fingerprint(account)}
