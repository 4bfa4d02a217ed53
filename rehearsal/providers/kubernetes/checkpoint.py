"""What the state keeps of an object: the live document and three keys of bookkeeping.

The keys are the real provider's (`checkpointObject` in pulumi-kubernetes `provider.go`), which
reads its old inputs from `__inputs`: a stack that the stand-in made would otherwise show every
object as replaced when the real plugin takes over.
"""

from rehearsal.providers.kubernetes.manifest import Manifest
from rehearsal.providers.protocol import Properties, Secret, reveal

_INPUTS = "__inputs"
_FIELD_MANAGER = "__fieldManager"
_INITIAL_API_VERSION = "__initialApiVersion"


def checkpoint(*, inputs: Manifest, live: Manifest, manager: str) -> Properties:
    """Outputs of a resource; the data of a Secret stays secret."""
    return {
        **_sealed(live),
        _INPUTS: _sealed(inputs),
        _FIELD_MANAGER: manager,
        _INITIAL_API_VERSION: live.get("apiVersion", inputs["apiVersion"]),
    }


def stored_manager(outputs: Properties) -> str | None:
    """The field manager under which the object was created, None for one not yet ours."""
    manager = outputs.get(_FIELD_MANAGER)
    return manager if isinstance(manager, str) else None


def _sealed(manifest: Manifest) -> Properties:
    if manifest.get("kind") != "Secret" or manifest.get("apiVersion") != "v1":
        return manifest
    return {
        key: Secret(reveal(value)) if key in ("data", "stringData") else value
        for key, value in manifest.items()
    }
