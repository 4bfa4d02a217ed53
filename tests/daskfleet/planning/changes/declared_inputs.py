"""Every input that any component sets, found by running the program on stacks of every kind."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

from daskfleet.planning.changes.property_path import Keys
from tests.recorded_program import Recording, Registration, record
from tests.setting_changes import BASE, IMAGE, IN_EXISTING, KEYS, TWO_ZONES

WRAPPED = "4dabf18193072939515e22adb298388d"
"""The engine's mark of a wrapped value (pulumi sdk/go/common/resource/sig)."""


@dataclass(frozen=True, kw_only=True)
class DeclaredInput:
    """One value that a component gives to a resource."""

    registration: Registration
    keys: Keys

    @property
    def path(self) -> str:
        """The path as the engine would spell it, without list positions."""
        return "".join(f'["{key}"]' if "." in key else f".{key}" for key in self.keys).lstrip(".")


def _varied() -> Iterator[dict[str, Any]]:
    """Stacks that between them take every branch of every component."""
    yield BASE
    yield {
        "project": "example-project",
        "long_lived": False,
        "labels": {"environment": "test"},
        "operator": {"chart": "./charts/own"},
        "scheduler_pool": {"replacement": "surge", "machine_type": "n1-standard-8"},
        "worker_pools": [
            {
                "name": "a100",
                "node_count": 3,
                "replacement": "surge",
                "reservation": {"name": "kept"},
            }
        ],
        "driver": {"install": "gke", "channel": "LATEST"},
        "monitoring": {"dcgm": True},
        "image": IMAGE,
        "teams": [
            {
                "name": "alpha",
                "labels": {"cost-center": "cc-1"},
                "rollout": "blue-green",
                "scheduler": {"fallback": "worker-pool"},
            }
        ],
    }
    on_cpus = deepcopy(BASE)
    on_cpus["scheduler_pool"] = {"accelerator": "none", "machine_type": "e2-standard-16"}
    yield on_cpus
    retiring = deepcopy(BASE)
    retiring["worker_pools"][0]["zones"] = TWO_ZONES
    retiring["teams"][0]["retire"] = True
    retiring["teams"][1]["rollout"] = {"kind": "blue-green", "wait_idle_s": 600}
    yield retiring
    with_a_person = deepcopy(BASE)
    with_a_person["teams"][0]["jupyter"]["people"] = [
        {"name": "alice", "member": "user:alice@example.com"}
    ]
    yield with_a_person
    pulling = deepcopy(BASE) | {"registry": {"pull_secret": "pull"}, "image_prepull": False}
    yield pulling
    private = deepcopy(BASE) | deepcopy(IN_EXISTING)
    private["cluster"]["endpoint"]["kind"] = "private"
    private["cluster"]["binary_authorization"] = True
    private["keys"] = KEYS
    yield private


def recordings(monkeypatch: pytest.MonkeyPatch) -> list[Recording]:
    """The program's registrations on each of the stacks."""
    return [record(stack, monkeypatch) for stack in _varied()]


def declared_inputs(recording: Recording) -> Iterator[DeclaredInput]:
    """All inputs of a recording's resources, the smallest parts of each."""
    for registration in recording.registrations:
        if registration.is_custom:
            for keys in _leaves(registration.inputs, ()):
                yield DeclaredInput(registration=registration, keys=keys)


def _leaves(value: Any, keys: Keys) -> Iterator[Keys]:
    if isinstance(value, Mapping) and WRAPPED in value:
        value = None
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(inner, (*keys, key))
    elif isinstance(value, list) and value:
        for inner in value:
            yield from _leaves(inner, keys)
    else:
        yield keys
