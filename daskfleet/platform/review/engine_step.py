"""A step as the engine tells it in its events and in its digest, before anything is made of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Properties = Mapping[str, Any]
"""Inputs or outputs of a resource: JSON of any shape."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ResourceState:
    """A resource before or after a step."""

    is_custom: bool
    """A provider manages it; else it only groups others."""

    is_protected: bool
    parent: str
    id: str
    inputs: Properties
    outputs: Properties


@dataclass(frozen=True, kw_only=True, slots=True)
class PathChange:
    """One entry of the engine's ``detailedDiff``."""

    kind: str
    """``add``, ``delete``, ``update``, each also with ``-replace`` at its end."""

    is_input: bool
    """Old and new inputs differ; else what there is differs from the new inputs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineStep:
    """What the engine does to one resource; a replacement takes up to three."""

    operation: str
    """The engine's word: ``same``, ``create``, ``create-replacement``, ..."""

    urn: str
    type: str
    provider: str = ""
    """URN of the provider, ``::``, and its id."""

    old: ResourceState | None = None
    new: ResourceState | None = None
    forcing_keys: tuple[str, ...] = ()
    """Inputs that force a replacement, by their first key; ``provider`` is none of them."""

    changed_keys: tuple[str, ...] = ()
    detailed: Mapping[str, PathChange] | None = None
    """None: the engine has compared nothing."""
