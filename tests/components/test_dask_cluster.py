"""Unit: which changes replace a Dask cluster."""

from collections.abc import Iterator
from typing import Any

from components.dask_cluster import REPLACE_ON
from manifests.dask_generation import generation
from tests.components.fleets import alpha

IDENTITY = {"metadata.name", "metadata.namespace", "apiVersion", "kind"}
"""Kubernetes itself replaces an object when these change."""


def paths(document: Any, prefix: str = "") -> Iterator[str]:
    if isinstance(document, dict):
        for key, value in document.items():
            yield from paths(value, f"{prefix}.{key}" if prefix else key)
    else:
        yield prefix


def test_every_field_but_the_number_of_workers_replaces_the_cluster() -> None:
    manifest = generation(alpha(labels={"cost-center": "cc-1"}))

    in_place = {
        path
        for path in paths(manifest)
        if path not in IDENTITY and not any(path.startswith(replaced) for replaced in REPLACE_ON)
    }

    assert in_place == {"spec.worker.replicas"}


def test_nothing_that_replaces_is_named_in_vain() -> None:
    rendered = set(paths(generation(alpha())))

    assert all(any(path.startswith(prefix) for path in rendered) for prefix in REPLACE_ON)
