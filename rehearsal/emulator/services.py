"""serviceusage: which APIs of Google are switched on.

All are, in every project, until a restriction or a client disables one.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from rehearsal.emulator import discovery
from rehearsal.emulator.errors import InvalidArgumentError, UnimplementedError

if TYPE_CHECKING:
    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.restrictions import RestrictionBook

_NAME = re.compile(r"([^/]+)/([^/]+)/services/([^/]+)")
_STATES = ("ENABLED", "DISABLED")
_ENDED = "operations/noop.DONE_OPERATION"
"""What Google calls the operation of a change that has been made already."""


class Services:
    """APIs that projects use."""

    def __init__(self, *, restrictions: RestrictionBook) -> None:
        self._restrictions = restrictions

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        prefix = "serviceusage.services."
        return {
            f"{prefix}get": self.get,
            f"{prefix}batchGet": self.batch_get,
            f"{prefix}list": self.list,
            f"{prefix}enable": partial(self.switch, "Enable"),
            f"{prefix}disable": partial(self.switch, "Disable"),
            f"{prefix}batchEnable": self.batch_enable,
            "serviceusage.operations.get": self.get_operation,
        }

    async def get(self, call: Call) -> Document:
        """Return a service."""
        return self._service(call["v1Id"], call["v1Id1"], call["servicesId"])

    async def batch_get(self, call: Call) -> Document:
        """Return the asked services."""
        names = [name for name in call.query.get("names", "").split(",") if name]
        found = [_NAME.fullmatch(name) for name in names]
        wrong = [name for name, match in zip(names, found, strict=True) if match is None]
        if wrong:
            raise InvalidArgumentError(
                f"names has {', '.join(wrong)}; each is PARENT_KIND/PARENT/services/SERVICE."
            )
        return {"services": [self._service(*match.groups()) for match in found if match]}

    async def list(self, call: Call) -> Document:
        """Return all services, or those of one state, on one page."""
        wished = call.query.get("filter", "")
        state = wished.removeprefix("state:")
        if wished and (state == wished or state not in _STATES):
            raise UnimplementedError(
                f"The emulator filters services by state only, not by {wished!r}."
            )
        names = sorted(f"{api}.googleapis.com" for api in discovery.names())
        found = [self._service(call["v1Id"], call["v1Id1"], name) for name in names]
        return {"services": [each for each in found if state in ("", each["state"])]}

    async def switch(self, verb: str, call: Call) -> Document:
        """Enable or disable a service; the operation that is answered has ended."""
        self._restrictions.set_enabled([call["servicesId"]], enabled=verb == "Enable")
        service = self._service(call["v1Id"], call["v1Id1"], call["servicesId"])
        return _ended(f"{verb}ServiceResponse", {"service": service})

    async def batch_enable(self, call: Call) -> Document:
        """Enable several services."""
        names = call.body.get("serviceIds", [])
        self._restrictions.set_enabled(names, enabled=True)
        services = [self._service(call["v1Id"], call["v1Id1"], name) for name in names]
        return _ended("BatchEnableServicesResponse", {"services": services})

    async def get_operation(self, call: Call) -> Document:
        """Return an operation: each has ended when it is answered."""
        return {"name": f"operations/{call['operationsId']}", "done": True, "response": {}}

    def _service(self, kind: str, parent: str, service: str) -> Document:
        is_disabled = service in self._restrictions.current.disabled_services
        return {
            "name": f"{kind}/{parent}/services/{service}",
            "parent": f"{kind}/{parent}",
            "state": "DISABLED" if is_disabled else "ENABLED",
            "config": {"name": service},
        }


def _ended(kind: str, response: Document) -> Document:
    type_url = f"type.googleapis.com/google.api.serviceusage.v1.{kind}"
    return {"name": _ENDED, "done": True, "response": {"@type": type_url, **response}}
