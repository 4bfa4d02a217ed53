"""Names and defaults that Check adds to an object's inputs."""

from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.manifest import AUTONAMED, Manifest, annotation, lookup
from rehearsal.providers.protocol import CheckFailure, Naming

AUTONAME_DIGITS = 8
"""Hex digits that pulumi-kubernetes appends to the logical name."""


def with_identity(inputs: Manifest, kind: Kind) -> tuple[Manifest, list[CheckFailure]]:
    """Inputs with `apiVersion` and `kind`; one failure for each that contradicts the token."""
    expected = {"apiVersion": kind.api_version, "kind": kind.name}
    failures = [
        CheckFailure(key, f"is {inputs[key]!r}, but the resource type says {value!r}")
        for key, value in expected.items()
        if inputs.get(key, value) != value
    ]
    return {**inputs, **expected}, failures


def with_name(inputs: Manifest, *, old_inputs: Manifest, naming: Naming) -> Manifest:
    """Inputs with a name: the program's, else the old automatic one, else a new automatic one."""
    metadata = inputs.get("metadata", {})
    if not isinstance(metadata, dict) or metadata.get("name") or metadata.get("generateName"):
        return inputs
    if annotation(old_inputs, AUTONAMED) == "true":
        name = lookup(old_inputs, "metadata", "name")
    elif old_inputs:
        return inputs
    else:
        name = naming.autoname(digits=AUTONAME_DIGITS)
    annotations = metadata.get("annotations") or {}
    if isinstance(annotations, dict):
        metadata = {**metadata, "annotations": {**annotations, AUTONAMED: "true"}}
    return {**inputs, "metadata": {**metadata, "name": name}}


def with_namespace(inputs: Manifest, namespace: str) -> Manifest:
    """Inputs in the provider's default namespace unless they name one."""
    metadata = inputs.get("metadata")
    if not isinstance(metadata, dict) or metadata.get("namespace"):
        return inputs
    return {**inputs, "metadata": {**metadata, "namespace": namespace}}
