"""Recorded documents (data/README.md), and a recorded fleet that tests change."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from daskfleet.platform.drift.look import in_cluster
from daskfleet.platform.drift.model import Difference
from daskfleet.platform.drift.snapshot import Kind, Snapshot
from daskfleet.platform.drift.state import PulumiResource, StackState, parse_state
from daskfleet.pod_status import KubernetesObject

DATA = Path(__file__).parent / "data"


def recorded(name: str) -> Any:
    """Return a recorded document."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def recorded_state() -> StackState:
    """Return the state after `pulumi up`."""
    return parse_state(recorded("state"))


def declared(name: str) -> PulumiResource:
    """Return a resource of the state by its logical name."""
    state = recorded_state()
    everything = (*state.google, *state.objects, *state.releases)
    (found,) = (each for each in everything if each.urn.endswith(f"::{name}"))
    return found


def recorded_objects() -> dict[Kind, tuple[KubernetesObject, ...]]:
    """Return the cluster after `pulumi up`."""
    return {
        Kind(*key.rsplit(":", 1)): tuple(objects) for key, objects in recorded("cluster").items()
    }


def as_declared() -> Snapshot:
    """Return the cluster after `pulumi up`, with nothing done since."""
    return Snapshot(objects=recorded_objects())


def with_objects(*changed: KubernetesObject) -> Snapshot:
    """Return the cluster with these objects in place of those of the same name, or beside them."""
    objects = recorded_objects()
    for live in changed:
        kind = _kind(live, objects)
        others = (each for each in objects.get(kind, ()) if _key(each) != _key(live))
        objects[kind] = (*others, live)
    return Snapshot(objects=objects)


def without(kind: Kind, is_gone: Callable[[str], bool]) -> Snapshot:
    """Return the cluster without the objects whose name says so."""
    objects = recorded_objects()
    kept = tuple(each for each in objects[kind] if not is_gone(each["metadata"]["name"]))
    assert len(kept) < len(objects[kind])
    return Snapshot(objects={**objects, kind: kept})


def in_recorded_cluster(snapshot: Snapshot) -> list[Difference]:
    """Compare a cluster with the recorded state."""
    return in_cluster(recorded_state(), snapshot)


def edited(live: KubernetesObject, change: Callable[[KubernetesObject], None]) -> KubernetesObject:
    """Return a changed copy."""
    copied = copy.deepcopy(live)
    change(copied)
    return copied


def _kind(live: KubernetesObject, objects: dict[Kind, tuple[KubernetesObject, ...]]) -> Kind:
    """A list's items say their kind only where it is a custom one; else the UID tells."""
    if "kind" in live:
        return Kind(live["apiVersion"], live["kind"])
    uid = live["metadata"]["uid"]
    return next(
        k for k, of_kind in objects.items() if any(o["metadata"]["uid"] == uid for o in of_kind)
    )


def _key(live: KubernetesObject) -> tuple[str | None, str]:
    return live["metadata"].get("namespace"), live["metadata"]["name"]
