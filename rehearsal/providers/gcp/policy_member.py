"""One member of one role in an IAM policy, whatever the policy is of."""

import re
import threading
from abc import abstractmethod
from collections.abc import Callable
from http import HTTPStatus
from typing import ClassVar, Final

from typing_extensions import override

from rehearsal.providers.gcp.google_api import RETRY_S, GoogleApiError
from rehearsal.providers.gcp.resource import LOCAL, GoogleResource
from rehearsal.providers.gcp.rest_mapping import Document, Table
from rehearsal.providers.protocol import Call, Properties, ProviderError, State

_POLICY_LOCK: Final = threading.Lock()
"""Members of one provider take turns; conflicts with others are answered by the etag."""

_ID: Final = re.compile(
    r"(?P<owner>.+?)/(?P<role>(?:(?:projects|organizations)/[^/]+/)?roles/[^/]+)/(?P<member>.+)"
)
_CONFLICTS: Final = (HTTPStatus.CONFLICT, HTTPStatus.PRECONDITION_FAILED)
"""Resource Manager's and Cloud Storage's words for a policy that somebody else wrote since."""


class PolicyMember(GoogleResource):
    """Conditions and other members of a role stay untouched.

    The policy's etag is no output here: it moves with every other member's change and would
    show as drift at each refresh.
    """

    sdk_class = "IAMMemberArgs"
    autonamed = False
    table: ClassVar[Table] = {"condition": LOCAL}
    imported = frozenset({"role", "member"})

    @abstractmethod
    def owner(self, inputs: Properties) -> str:
        """Name what the policy is of, as the id begins."""

    @abstractmethod
    def owned_by(self, owner: str) -> Properties:
        """Read the inputs that name what the policy is of; empty when the form is wrong."""

    @abstractmethod
    def policy(self, parts: Properties, call: Call) -> Document:
        """Read the policy."""

    @abstractmethod
    def set_policy(self, parts: Properties, policy: Document, call: Call) -> None:
        """Write the policy."""

    @override
    def identify(self, inputs: Properties) -> str:
        if inputs.get("condition"):
            raise ProviderError(
                f"condition of {self.sdk_class.removesuffix('Args')} is not served by the gcp "
                "stand-in; leave it out or run the rehearsal with `--providers real`"
            )
        return f"{self.owner(inputs)}/{inputs['role']}/{inputs['member']}"

    @override
    def identity(self, resource_id: str) -> Properties:
        parts = _ID.fullmatch(resource_id)
        owned = self.owned_by(parts["owner"]) if parts else {}
        if parts is None or not owned:
            raise ProviderError(
                f"the id {resource_id!r} does not have the form owner/roles/role/member"
            )
        return {**owned, "role": parts["role"], "member": parts["member"]}

    @override
    def fetch(self, resource_id: str, call: Call) -> Document | None:
        parts = self.identity(resource_id)
        members = _members(self.policy(parts, call), parts["role"])
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

    def _change(
        self,
        parts: Properties,
        call: Call,
        members_after: Callable[[list[str], str], list[str]],
    ) -> None:
        """Read, change and write the policy; start again when someone else wrote in between."""
        role = parts["role"]

        def attempt() -> bool | None:
            policy = self.policy(parts, call)
            members = members_after(_members(policy, role), parts["member"])
            others = [each for each in policy.get("bindings", []) if not _is_for(each, role)]
            own = [{"role": role, "members": members}] if members else []
            try:
                self.set_policy(parts, {**policy, "bindings": [*others, *own], "version": 3}, call)
            except GoogleApiError as error:
                if error.code in _CONFLICTS:
                    return None
                raise
            return True

        with _POLICY_LOCK:
            call.until(
                attempt,
                every_s=RETRY_S,
                default_timeout_s=self.default_timeout_s,
                waiting_for=lambda: f"the IAM policy of {self.owner(parts)} to keep still",
            )


def _members(policy: Document, role: str) -> list[str]:
    found = [each for each in policy.get("bindings", []) if _is_for(each, role)]
    return [member for binding in found for member in binding.get("members", [])]


def _is_for(binding: Document, role: str) -> bool:
    return binding.get("role") == role and not binding.get("condition")
