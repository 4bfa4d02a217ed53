"""HTTP side of the emulator: match, check, answer and log each request."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from aiohttp import web
from pydantic import ValidationError

from rehearsal.emulator.api_mounts import MOUNTS, mount_of
from rehearsal.emulator.automatic_upgrade import UPGRADE_PATH
from rehearsal.emulator.calls import Call
from rehearsal.emulator.document import without_nulls
from rehearsal.emulator.errors import (
    BadRequestError,
    FieldViolation,
    GoogleError,
    InvalidArgumentError,
    NotFoundError,
    UnimplementedError,
)
from rehearsal.emulator.faults import (
    ConnectionReset,
    ErrorAnswer,
    Hold,
    LostAnswer,
    OperationFailure,
)
from rehearsal.emulator.held_requests import HELD_PATH, HeldRequests
from rehearsal.emulator.incidents import INCIDENTS_PATH
from rehearsal.emulator.proto3_json import said
from rehearsal.emulator.quiescence import QUIESCE_PATH
from rehearsal.emulator.request_log import LoggedRequest, is_mutating, now
from rehearsal.emulator.restrictions import RESTRICTIONS_PATH
from rehearsal.emulator.schema import accepted

if TYPE_CHECKING:
    from rehearsal.emulator.api_mounts import Mount
    from rehearsal.emulator.automatic_upgrade import AutomaticUpgrades
    from rehearsal.emulator.calls import Handler, Handlers
    from rehearsal.emulator.discovery import Match
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.faults import FaultBook
    from rehearsal.emulator.incidents import Incidents
    from rehearsal.emulator.quiescence import Quiescence
    from rehearsal.emulator.request_log import RequestLog
    from rehearsal.emulator.restrictions import RestrictionBook

logger = logging.getLogger(__name__)

FAULTS_PATH = "/rehearsal/faults"
"""Not Google's: POST a JSON list of faults here to replace those that are set."""
_METHOD_WITH_NULLS = "PATCH"


@dataclass(kw_only=True)
class _Exchange:
    """What is known of one request while it is answered."""

    body: Document | None = None
    api_method: str = ""
    error: str = ""


class Server:
    """Answers requests by the handlers' table."""

    def __init__(
        self,
        *,
        handlers: Handlers,
        faults: FaultBook,
        restrictions: RestrictionBook,
        incidents: Incidents,
        upgrades: AutomaticUpgrades,
        quiescence: Quiescence,
        log: RequestLog,
    ) -> None:
        self._handlers = handlers
        self._incidents = incidents
        self._upgrades = upgrades
        self._quiescence = quiescence
        self._faults = faults
        self._restrictions = restrictions
        self._log = log
        self._held = HeldRequests()

    def application(self) -> web.Application:
        """Return the aiohttp application."""
        app = web.Application(client_max_size=16 * 1024**2, middlewares=[self._quiescence.guard])
        app.router.add_post(FAULTS_PATH, self._set_faults)
        app.router.add_post(RESTRICTIONS_PATH, self._restrictions.post)
        app.router.add_post(INCIDENTS_PATH, self._incidents.post)
        app.router.add_get(HELD_PATH, self._held.list)
        app.router.add_delete(HELD_PATH, self._held.release)
        app.router.add_post(UPGRADE_PATH, self._upgrades.begin)
        app.router.add_post(QUIESCE_PATH, self._quiescence.post)
        app.router.add_route("*", "/{path:.*}", self._serve)
        return app

    async def _set_faults(self, request: web.Request) -> web.Response:
        try:
            self._faults.replace_from_json(await request.read())
        except ValidationError as error:
            return web.Response(status=HTTPStatus.BAD_REQUEST, text=str(error))
        return web.Response(status=HTTPStatus.NO_CONTENT)

    async def _serve(self, request: web.Request) -> web.Response:
        exchange = _Exchange()
        status, answer = 0, {}
        try:
            status, answer = HTTPStatus.OK.value, await self._answer(request, exchange)
        except GoogleError as error:
            exchange.error = str(error)
            status, answer = error.code, _error_body(error, request)
        except ConnectionResetError as error:
            exchange.error = str(error)
        except Exception as error:
            logger.exception("%s %s broke the emulator", request.method, request.path)
            exchange.error = f"The emulator failed: {type(error).__name__}: {error}"
            broken = GoogleError(500, exchange.error, reason="backendError", status="INTERNAL")
            status, answer = broken.code, broken.body()
        self._record(request, exchange, status)
        if not status:
            if request.transport is not None:
                request.transport.abort()
            raise ConnectionResetError(exchange.error)
        return web.json_response(answer, status=status)

    def _record(self, request: web.Request, exchange: _Exchange, status: int) -> None:
        self._log.append(
            LoggedRequest(
                time=now(),
                method=request.method,
                path=request.path,
                query=request.query_string,
                body=exchange.body,
                status=status,
                error=exchange.error,
                api_method=exchange.api_method,
                mutating=is_mutating(http_method=request.method, path=request.path),
            )
        )

    async def _answer(self, request: web.Request, exchange: _Exchange) -> Document:
        exchange.body = await _json_body(request)
        fault = self._faults.on_request(method=request.method, path=request.path)
        if isinstance(fault, ErrorAnswer):
            raise fault.error()
        if isinstance(fault, ConnectionReset):
            raise ConnectionResetError("closed by a fault")
        if isinstance(fault, Hold) and fault.when == "before":
            await self._held.hold(request)
        mount = mount_of(request.path)
        if mount is None:
            served = ", ".join(mount.prefix for mount in MOUNTS)
            raise UnimplementedError(f"Nothing is served at {request.path}. Served: {served}.")
        match, handler = self._find(mount, request)
        exchange.api_method = match.method.id
        self._restrictions.current.check_enabled(mount.api, project=match.project)
        call = Call(
            variables=match.variables,
            query={key: ",".join(request.query.getall(key)) for key in request.query},
            body=_checked_body(mount, match, request, exchange.body),
            service_url=f"{request.scheme}://{request.host}{mount.prefix.rstrip('/')}",
            fault=fault if isinstance(fault, OperationFailure) else None,
        )
        answer = _as_sent(mount, match.method.response_schema, await handler(call))
        if isinstance(fault, Hold) and fault.when == "after":
            await self._held.hold(request)
        if isinstance(fault, LostAnswer):
            raise ConnectionResetError("answered, and the answer lost by a fault")
        return answer

    def _find(self, mount: Mount, request: web.Request) -> tuple[Match, Handler]:
        api = mount.load()
        match = api.match(http_method=request.method, path=mount.flat_path(request.path))
        if match is None:
            raise NotFoundError(
                f"{mount.api} {mount.version} has no method {request.method} {request.path}, "
                "says Google's discovery document."
            )
        unknown = api.unknown_parameters(match.method, set(request.query))
        if unknown:
            words = (
                'Invalid JSON payload received. Unknown name "{0}": Cannot bind query parameter. '
                "Field '{0}' could not be found in request message."
            )
            raise BadRequestError(
                [FieldViolation(description=words.format(name)) for name in unknown]
            )
        handler = self._handlers.get(match.method.id)
        if handler is None:
            raise UnimplementedError(f"The emulator does not implement {match.method.id}.")
        return match, handler


async def _json_body(request: web.Request) -> Document | None:
    text = await request.text()
    if not text:
        return None
    try:
        body = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidArgumentError(f"Invalid JSON payload received. {error}") from error
    if not isinstance(body, dict):
        raise InvalidArgumentError("Invalid JSON payload received. An object is expected.")
    return body


def _error_body(error: GoogleError, request: web.Request) -> Document:
    """Return an error as its API sends it: that of compute has no canonical status.

    So are all seven of its refusals in ``bench/recordings``.
    """
    body, mount = error.body(), mount_of(request.path)
    if mount is not None and mount.api == "compute":
        del body["error"]["status"]
    return body


def _checked_body(
    mount: Mount, match: Match, request: web.Request, body: Document | None
) -> Document:
    if match.method.request_schema is None:
        if body:
            raise InvalidArgumentError(f"{match.method.id} takes no request body.")
        return {}
    checked = accepted(api=mount.load(), schema=match.method.request_schema, body=body or {})
    if request.method == _METHOD_WITH_NULLS:
        return checked
    return _as_sent(mount, match.method.request_schema, without_nulls(checked))


def _as_sent(mount: Mount, schema: str | None, message: Document) -> Document:
    """Return a message as it travels; of other APIs than GKE's no descriptors are at hand."""
    if mount.api != "container" or schema is None:
        return message
    return said(mount.load(), schema, message)
