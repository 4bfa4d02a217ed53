"""Members of a project's IAM policy."""

import threading
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar, Final

from typing_extensions import override

from rehearsal.providers.gcp.google_api import RETRY_S, GoogleApiError
from rehearsal.providers.gcp.resource import LOCAL, GoogleResource
from rehearsal.providers.gcp.rest_mapping import Document, Table
from rehearsal.providers.protocol import Call, Properties, ProviderError, State

_POLICY_LOCK: Final = threading.Lock()
"""Members of one provider take turns; conflicts with others are answered by the etag."""


class IamMember(GoogleResource):
    """gcp:projects/iAMMember:IAMMember; conditions and other members of a role stay untouched.

    The policy's etag is no output here: it moves with every other member's change and would
    show as drift at each refresh.
    """

    sdk_module = "pulumi_gcp.projects"
    sdk_class = "IAMMemberArgs"
    autonamed = False
    table: ClassVar[Table] = {"condition": LOCAL}
    replacing = ("role", "member", "condition")
    imported = frozenset({"role", "member"})

    @override
    def identify(self, inputs: Properties) -> str:
        _refuse_condition(inputs)
        return f"{inputs['project']}/{inputs['role']}/{inputs['member']}"

    @override
    def identity(self, resource_id: str) -> Properties:
        project, _, rest = resource_id.partition("/")
        role, _, member = rest.rpartition("/")
        if not (project and role and member):
            raise ProviderError(
                f"the id {resource_id!r} does not have the form project/roles/role/member"
            )
        return {"project": project, "role": role, "member": member}

    @override
    def fetch(self, resource_id: str, call: Call) -> Document | None:
        parts = self.identity(resource_id)
        members = _members(self._policy(parts["project"], call), parts["role"])
        return parts if parts["member"] in members else None

    @override
    def insert(self, resource_id: str, inputs: Properties, call: Call) -> None:
        self._change(inputs, call, lambda members, member: sorted({*members, member}))

    @override
    def apply(self, old: State, inputs: Properties, changed: set[str], call: Call) -> None:
        """Nothing of a member can change in place."""

    @override
    def remove(self, old: State, call: Call) -> None:
        parts = self.identity(old.id)
        self._change(parts, call, lambda members, member: [m for m in members if m != member])

    def _policy(self, project: str, call: Call) -> Document:
        options = {"options": {"requestedPolicyVersion": 3}}
        return self._post(f"projects/{project}:getIamPolicy", options, call)

    def _change(
        self,
        parts: Properties,
        call: Call,
        members_after: Callable[[list[str], str], list[str]],
    ) -> None:
        """Read, change and write the policy; start again when someone else wrote in between."""

        def attempt() -> bool | None:
            policy = self._policy(parts["project"], call)
            members = members_after(_members(policy, parts["role"]), parts["member"])
            try:
                self._write(policy, parts, members, call)
            except GoogleApiError as error:
                if error.code == HTTPStatus.CONFLICT:
                    return None
                raise
            return True

        with _POLICY_LOCK:
            call.until(
                attempt,
                every_s=RETRY_S,
                default_timeout_s=self.default_timeout_s,
                waiting_for=lambda: f"the IAM policy of {parts['project']} to keep still",
            )

    def _write(self, policy: Document, parts: Properties, members: list[str], call: Call) -> None:
        others = [binding for binding in policy.get("bindings", []) if not _is_for(binding, parts)]
        own = [{"role": parts["role"], "members": members}] if members else []
        body = {
            "policy": {**policy, "bindings": [*others, *own], "version": 3},
            "updateMask": "bindings,etag,auditConfigs",
        }
        self._post(f"projects/{parts['project']}:setIamPolicy", body, call)

    def _post(self, path: str, body: Document, call: Call) -> Document:
        return self.api.send(
            "POST",
            "resource_manager",
            path,
            body=body,
            call=call,
            default_timeout_s=self.default_timeout_s,
        )


def _members(policy: Document, role: str) -> list[str]:
    parts = {"role": role}
    found: list[Any] = [b for b in policy.get("bindings", []) if _is_for(b, parts)]
    return [member for binding in found for member in binding.get("members", [])]


def _is_for(binding: Document, parts: Properties) -> bool:
    return binding.get("role") == parts["role"] and not binding.get("condition")


def _refuse_condition(inputs: Properties) -> None:
    if inputs.get("condition"):
        raise ProviderError(
            "condition of gcp:projects/iAMMember:IAMMember is not served by the gcp stand-in; "
            "leave it out or run the rehearsal with `--providers real`"
        )
