"""What has to be there before a recording can be replayed: what it shows and does not make."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from rehearsal.emulator import discovery
from rehearsal.emulator.api_mounts import mount_of
from rehearsal.emulator.document import Document
from rehearsal.recordings.fields import ANY_TEXT, document_of, fields_of
from rehearsal.recordings.model import Exchange, Recording

_OF_ITS_POOLS = {"nodeConfig", "initialNodeCount", "nodePoolDefaults"}
"""Fields of a cluster that say once more what its pools say; GKE refuses both at once."""


def creations(recording: Recording) -> Iterator[Exchange]:
    """Return the requests that make what a recording shows and does not make itself.

    An answer is all that is known of what was once asked for. What only Google writes is left out,
    and so are texts that the recording does not say.
    """
    yield from _networks(recording)
    if any(exchange.method != "GET" for exchange in recording.exchanges):
        return
    for exchange in recording.exchanges:
        parent, _, name = exchange.path.rpartition("/")
        mount = mount_of(exchange.path)
        if parent.endswith("/clusters") and exchange.answer and mount is not None:
            answer = document_of(exchange.answer)
            cluster = {**_cluster(mount.load(), answer), "name": name}
            body = fields_of({"cluster": cluster})
            yield Exchange(method="POST", path=parent, request=body, status=200)


def _networks(recording: Recording) -> Iterator[Exchange]:
    """Return the requests for networks that a recording reads before it has made them."""
    known: set[str] = set()
    for exchange in recording.exchanges:
        folder, _, name = exchange.path.rpartition("/")
        if exchange.method == "POST" and exchange.request is not None:
            known.add(f"{exchange.path}/{exchange.request.get('/name')}")
        mount = mount_of(exchange.path)
        is_read = exchange.method == "GET" and exchange.status == HTTPStatus.OK
        if not (is_read and folder.endswith("/global/networks") and mount is not None):
            continue
        if exchange.path not in known:
            known.add(exchange.path)
            network = _written(mount.load(), "Network", document_of(exchange.answer))
            body = fields_of({**network, "name": name})
            yield Exchange(method="POST", path=folder, request=body, status=exchange.status)


def _cluster(api: discovery.Api, answer: Document) -> Document:
    cluster = _written(api, "Cluster", answer)
    for number, pool in enumerate(cluster.get("nodePools", []), start=1):
        pool["name"] = f"pool-{number}"
    return {key: value for key, value in cluster.items() if key not in _OF_ITS_POOLS}


def _written(api: discovery.Api, schema: str, document: Document) -> Document:
    """Return what a client may have written of an object."""
    properties = api.schemas[schema].get("properties", {})
    kept: Document = {}
    for key, value in document.items():
        field = properties.get(key)
        if field is None or _is_googles(field):
            continue
        told = _told(api, field, value)
        if told is not None:
            kept[key] = told
    return kept


def _told(api: discovery.Api, field: Document, value: Any) -> Any:
    if value == ANY_TEXT:
        return None
    if "$ref" in field and isinstance(value, dict):
        return _written(api, field["$ref"], value)
    if isinstance(value, list):
        told = [_told(api, field.get("items", {}), item) for item in value]
        return [item for item in told if item is not None] or None
    if isinstance(value, dict):
        return {key: item for key, item in value.items() if item != ANY_TEXT} or None
    return value


def _is_googles(field: Document) -> bool:
    about = str(field.get("description", "")).lower()
    return bool(field.get("readOnly")) or about.startswith(("[output only]", "output only"))
