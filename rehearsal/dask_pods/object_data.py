"""Pure: what ConfigMaps and Secrets hold, as the API server tells it."""

import base64
from collections.abc import Mapping

from rehearsal.dask_pods.model import Document


def config_map_data(config_map: Document) -> dict[str, bytes]:
    """Return a ConfigMap's content, texts and others."""
    texts = {key: text.encode() for key, text in (config_map.get("data") or {}).items()}
    return texts | _decoded(config_map.get("binaryData"))


def secret_data(secret: Document) -> dict[str, bytes]:
    """Return a Secret's content."""
    return _decoded(secret.get("data"))


def _decoded(data: Mapping[str, str] | None) -> dict[str, bytes]:
    return {key: base64.b64decode(text) for key, text in (data or {}).items()}
