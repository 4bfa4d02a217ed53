"""Send a recording to the emulator, and keep what it answered to each request."""

import asyncio
import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from bench.recreate import creations
from rehearsal.emulator import Emulator, Latency, NoKubernetes
from rehearsal.emulator.document import Document
from rehearsal.recordings.fields import Fields, document_of, fields_of, name_of
from rehearsal.recordings.model import Exchange, Recording

FASTER_THAN_GOOGLE = 3_000
"""Operations take hundredths of a second, and are seen running as Google's are."""

_OF_A_VERSION = "initialClusterVersion"
_ANY_VERSION = "latest"
"""The emulator has one version, and clients ask for those of the day. Answers compare none."""

_LINK = re.compile(r"\{([^}]+)\}")
_READ_BEFORE_WRITTEN = ("etag", "fingerprint", "labelFingerprint", "resourceVersion")
_PATIENCE_S = 20.0


@dataclass(frozen=True, kw_only=True)
class Answered:
    """What the emulator made of one recorded request."""

    exchange: Exchange
    status: int
    """0 when there was no answer."""
    answer: Fields


def replay(recording: Recording) -> list[Answered]:
    """Replay a recording on an emulator of its own, which has no Kubernetes behind it."""
    return asyncio.run(_replay(recording))


async def _replay(recording: Recording) -> list[Answered]:
    with tempfile.TemporaryDirectory() as directory:
        emulator = Emulator(
            backend=NoKubernetes(),
            # No recording is of an autoscaler at work, which would come or not by chance.
            latency=replace(Latency.scaled(FASTER_THAN_GOOGLE), autoscaler_interval_s=600),
            request_log=Path(directory) / "requests.jsonl",
        )
        await emulator.start()
        try:
            async with httpx.AsyncClient(base_url=emulator.base_url, timeout=60) as http:
                client = _Client(http)
                for creation in creations(recording):
                    await client.send(creation)
                return [await client.send(exchange) for exchange in recording.exchanges]
        finally:
            await emulator.stop()


class _Client:
    """Follows the links and repeats the etags that it was given, as Google's clients do."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._seen: Fields = {}
        """Of every field the last value that an answer had."""
        self._read: Fields = {}
        """The same of etags and their like, by their names."""

    async def send(self, exchange: Exchange) -> Answered:
        path = _LINK.sub(lambda link: self._end_of(link[1]), exchange.path)
        body = None if exchange.request is None else document_of(self._current(exchange.request))
        answer = await self._http.request(
            exchange.method, path, params=httpx.QueryParams(exchange.query), json=body
        )
        document = _document(answer)
        fields = fields_of(document)
        self._seen |= fields
        for pointer, value in fields.items():
            if name_of(pointer) in _READ_BEFORE_WRITTEN:
                self._read[name_of(pointer)] = value
        await self._done(document)
        return Answered(exchange=exchange, status=answer.status_code, answer=fields)

    def _end_of(self, pointer: str) -> str:
        return str(self._seen.get(pointer, "unknown")).rpartition("/")[2]

    def _current(self, request: Fields) -> Fields:
        """Return a body with the etags that were read last, and a version that is served."""
        known = self._read | {_OF_A_VERSION: _ANY_VERSION}
        return {pointer: known.get(name_of(pointer), value) for pointer, value in request.items()}

    async def _done(self, operation: Document) -> None:
        """Wait for the operation that was begun, if one was."""
        link = str(operation.get("selfLink", ""))
        if "/operations/" not in link:
            return
        async with asyncio.timeout(_PATIENCE_S):
            while operation.get("status") != "DONE":
                await asyncio.sleep(0.001)
                operation = _document(await self._http.get(httpx.URL(link)))


def _document(answer: httpx.Response) -> Document:
    try:
        document: Any = answer.json()
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
