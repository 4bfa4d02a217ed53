"""Read what a project has of GKE in one zone: by GET only, and redacted before it is kept."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import httpx

from daskfleet.google_cloud.endpoints import ENDPOINTS
from daskfleet.visible import in_short
from rehearsal.emulator import discovery
from rehearsal.errors import RehearsalError
from rehearsal.recordings.model import Exchange, Recording, Source
from rehearsal.recordings.redact import redacted, redacted_refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from daskfleet.google_cloud.bearer import Access
    from rehearsal.emulator.document import Document

PROJECT = re.compile(r"(?:[a-z][-a-z0-9.]{0,61}:)?[a-z][-a-z0-9]{4,28}[a-z0-9]")
LOCATION = re.compile(r"[a-z]+(?:-[a-z]+)+\d+(?:-[a-z])?")
RECORDED_PROJECT = "acme"
"""What a recording calls every project."""

_NAME = re.compile(r"[a-z](?:[-a-z0-9]{0,38}[a-z0-9])?")
_VERSION = "v1beta1"
_TIMEOUT_S = 30
_LARGEST_ANSWER_BYTES = 16 * 1024**2
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_NEXT = "Nothing was written."


class Reader:
    """Asks GKE's API with the caller's own token."""

    def __init__(
        self, http: httpx.Client, *, access: Access, environment: Mapping[str, str]
    ) -> None:
        """Build it over a client.

        Raises RehearsalError where the token would go out unencrypted, or nowhere.
        """
        variable, default = ENDPOINTS["container"]
        try:
            self._base_url = httpx.URL((environment.get(variable) or default).rstrip("/"))
        except httpx.InvalidURL as error:
            raise RehearsalError(
                f"{variable} is no URL: {in_short(str(error), 80)}. {_NEXT}"
            ) from None
        if self._base_url.scheme != "https" and self._base_url.host not in _LOOPBACK:
            raise RehearsalError(
                f"{variable} is {in_short(str(self._base_url), 80)}: a token is sent by https, "
                f"or to this machine. {_NEXT}"
            )
        self._http = http
        self._headers = {"Authorization": f"Bearer {access.token}"}
        if access.billed_to:
            self._headers["X-Goog-User-Project"] = access.billed_to
        self._api = discovery.load("container", _VERSION)
        self.left_out = 0
        """Fields that Google answered and does not document; they are in no recording."""

    def recording(self, *, project: str, zone: str) -> Recording:
        """Read clusters, their node pools and the operations of one zone.

        Raises RehearsalError for an answer that cannot be recorded.
        """
        return Recording(
            source=Source(
                recorded="GKE in one zone of a user's own project, read only",
                repository="",
                commit="",
                path="",
                licence="Apache-2.0",
                answered_by="google",
            ),
            exchanges=tuple(self._exchanges(f"projects/{project}/locations/{zone}", zone)),
        )

    def _exchanges(self, parent: str, zone: str) -> Iterator[Exchange]:
        recorded = f"projects/{RECORDED_PROJECT}/locations/{zone}"
        clusters = self._get(f"{parent}/clusters")
        if clusters.refused:
            raise RehearsalError(
                f"GKE answered {clusters.status} when it was asked for the clusters of {parent}: "
                f"{clusters.message}. container.clusters.list is needed (roles/container.viewer). "
                f"{_NEXT}"
            )
        yield self._exchange(f"{recorded}/clusters", clusters, "ListClustersResponse")
        names = list(clusters.names("clusters"))
        if not names:
            raise RehearsalError(f"There is no cluster in {parent}. {_NEXT}")
        for number, name in enumerate(names, start=1):
            one, told = f"{parent}/clusters/{name}", f"{recorded}/clusters/cluster-{number}"
            yield self._exchange(told, self._get(one), "Cluster")
            pools = self._get(f"{one}/nodePools")
            yield self._exchange(f"{told}/nodePools", pools, "ListNodePoolsResponse")
        operations = self._get(f"{parent}/operations")
        yield self._exchange(f"{recorded}/operations", operations, "ListOperationsResponse")

    def _exchange(self, path: str, answer: _Answer, schema: str) -> Exchange:
        if answer.refused:
            fields = redacted_refusal(answer.document)
        else:
            fields, left_out = redacted(self._api, schema, answer.document)
            self.left_out += left_out
        return Exchange(
            method="GET",
            path=f"/container/{_VERSION}/{path}",
            status=answer.status,
            answer=fields,
        )

    def _get(self, path: str) -> _Answer:
        url = f"{self._base_url}/{path}"
        where = f"GET {path} at {self._base_url.host}"
        try:
            with self._http.stream(
                "GET", url, headers=self._headers, timeout=_TIMEOUT_S, follow_redirects=False
            ) as answer:
                text = bytearray()
                for part in answer.iter_bytes():
                    text += part
                    if len(text) > _LARGEST_ANSWER_BYTES:
                        raise RehearsalError(f"{where}: the answer is larger than 16 MiB. {_NEXT}")
                return _Answer(answer.status_code, _document(bytes(text), where))
        except (httpx.LocalProtocolError, UnicodeEncodeError):
            # Its words have the header in them, and so the token.
            raise RehearsalError(
                f"{where}: the token has a character that no request can carry, perhaps a line "
                f"break. {_NEXT}"
            ) from None
        except httpx.HTTPError as error:
            why = in_short(str(error) or type(error).__name__, 200)
            raise RehearsalError(f"{where}: {why}. {_NEXT}") from error


class _Answer:
    def __init__(self, status: int, document: Document) -> None:
        self.status = status
        self.document = document

    @property
    def refused(self) -> bool:
        return self.status != httpx.codes.OK

    @property
    def message(self) -> str:
        error = self.document.get("error")
        said = error.get("message") if isinstance(error, dict) else None
        return in_short(str(said or "no message"), 200).rstrip(".")

    def names(self, key: str) -> Iterator[str]:
        """Return the names of a list's entries. Raises RehearsalError for what is no name."""
        entries = self.document.get(key, [])
        for entry in entries if isinstance(entries, list) else []:
            name = entry.get("name") if isinstance(entry, dict) else None
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise RehearsalError(
                    f"GKE's list of {key} has an entry that is called {in_short(repr(name), 60)}, "
                    f"which is no name of Google's. {_NEXT}"
                )
            yield name


def _document(text: bytes, where: str) -> Document:
    try:
        document: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RehearsalError(f"{where}: the answer is no JSON that can be read. {_NEXT}") from error
    if not isinstance(document, dict):
        raise RehearsalError(f"{where}: the answer is no JSON object. {_NEXT}")
    return document
