"""Pure: a saved plan that knows the state that it was made from.

Pulumi's own plan does not: it holds each resource to the operations and inputs that the preview
showed, whatever the resource is by then (pulumi/pulumi pkg/resource/deploy/plan.go). The engine
reads a plan with keys that it does not know (tried with 3.256.0), so the binding is in the plan's
own file and goes wherever that goes.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from daskfleet.access.pulumi_state import State, state_resources

KEY = "daskfleet"
VERSION: Literal[1] = 1
DIGITS = 16
"""Of a SHA-256 in hexadecimal: two states of a resource are not taken for the same."""

_CIPHERTEXT = "ciphertext"
"""What an encrypted value has. It does not count: each `up` encrypts some values anew."""

_COUNTS = (
    "urn",
    "type",
    "id",
    "delete",
    "protect",
    "external",
    "pendingReplacement",
    "initErrors",
    "inputs",
    "outputs",
)
"""What a resource is. Left out is what an `up` without work writes anew: dependencies in another
order, places in the code, and times."""

_IN_KUBERNETES = "kubernetes:"
"""Of an object the outputs do not count: a refresh finds another ``resourceVersion`` whenever a
controller has written its status."""


class Binding(BaseModel):
    """Which state a plan was made from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = VERSION
    resources: Mapping[str, str]
    """A digest of each resource by its URN; of several of one URN all, as of one that is on its way
    out beside its successor."""


class UnboundPlanError(Exception):
    """The plan does not say which state it was made from; the message says what to do."""


@dataclass(frozen=True, kw_only=True)
class Moved:
    """A resource that is not as it was when the plan was made."""

    urn: str
    what: Literal["changed", "is new", "is gone"]

    @property
    def title(self) -> str:
        """Its type without the package, and its name, as reviews spell it."""
        *_, types, name = f"::{self.urn}".split("::", 4)  # whoever wrote the plan wrote it
        return f"{types.rpartition('$')[2].rpartition(':')[2]} {name}"


def binding_to(state: State) -> Binding:
    """Return what a plan has to know of the state that it is made from."""
    digests: dict[str, list[str]] = defaultdict(list)
    for resource in state_resources(state):
        digests[resource["urn"]].append(_digest(resource))
    # What an interrupted update works on is not as it was either.
    for operation in (state.get("deployment") or {}).get("pending_operations") or ():
        digests[operation["resource"]["urn"]].append(str(operation["type"]))
    return Binding(
        resources={urn: "+".join(sorted(of_urn)) for urn, of_urn in sorted(digests.items())}
    )


def bound(plan: str, binding: Binding) -> str:
    """Write the binding into a plan."""
    document = json.loads(plan)
    return json.dumps({**document, KEY: binding.model_dump(mode="json")}, indent=4)


def binding_of(plan: str) -> Binding:
    """Read the binding of a plan.

    Raises:
        UnboundPlanError: it has none that this release reads, or is no plan.

    """
    try:
        document: dict[str, Any] = json.loads(plan)
        return Binding.model_validate(document[KEY])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnboundPlanError(
            "It does not say which state it was made from: `pulumi preview --save-plan` or another "
            "release made it, or it is cut short"
        ) from error


def moved(planned: Binding, now: Binding) -> tuple[Moved, ...]:
    """Return what is not as it was, in the order of the URNs."""
    return tuple(_moved(planned.resources, now.resources))


def _moved(planned: Mapping[str, str], now: Mapping[str, str]) -> Iterator[Moved]:
    for urn in sorted({*planned, *now}):
        if urn not in now:
            yield Moved(urn=urn, what="is gone")
        elif urn not in planned:
            yield Moved(urn=urn, what="is new")
        elif planned[urn] != now[urn]:
            yield Moved(urn=urn, what="changed")


def _digest(resource: Mapping[str, Any]) -> str:
    is_object = str(resource.get("type", "")).startswith(_IN_KUBERNETES)
    told = {key: resource[key] for key in _COUNTS if key in resource}
    if is_object:
        told.pop("outputs", None)
    text = json.dumps(_without_ciphertext(told), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def _without_ciphertext(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            key: "" if key == _CIPHERTEXT else _without_ciphertext(each)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_without_ciphertext(each) for each in value]
    return value
