"""A provider for tests: one resource type whose behaviour its inputs choose."""

from collections.abc import Sequence

from typing_extensions import override

from rehearsal.providers.protocol import (
    UNKNOWN,
    Call,
    Checked,
    CheckFailure,
    Diff,
    Naming,
    Properties,
    Provider,
    ProviderError,
    ResourceIncompleteError,
    ResourceType,
    State,
    changed_paths,
    covered_by,
    with_replacements,
)

TOKEN = "toy:index:Thing"  # noqa: S105 - a type token
FUNCTION = "toy:index:getAnswer"


class Thing(ResourceType):
    """Fails as told: `fail` is `no`, `refuse`, `half`, `crash` or `hang`."""

    @override
    def check(self, *, inputs: Properties, old_inputs: Properties, naming: Naming) -> Checked:
        failures = [] if "fail" in inputs else [CheckFailure("fail", "input fail is missing")]
        return Checked({"name": naming.autoname(digits=7), **inputs}, failures)

    @override
    def diff(self, *, old: State, inputs: Properties) -> Diff:
        changes = changed_paths(old.inputs, inputs)
        return Diff(
            changes=with_replacements(changes, replacing=covered_by(["name"])),
            delete_before_replace=True,
        )

    @override
    def create(self, *, inputs: Properties, call: Call) -> State:
        if call.preview:
            return State("", inputs, {**inputs, "address": UNKNOWN})
        match inputs["fail"]:
            case "refuse":
                raise ProviderError("quota exceeded: ask for more")
            case "half":
                raise ResourceIncompleteError(
                    resource_id="half-1", outputs=inputs, inputs=inputs, reasons=["no GPU left"]
                )
            case "crash":
                raise KeyError("surprise")
            case "hang":
                call.until(
                    lambda: None, every_s=60, default_timeout_s=60, waiting_for=lambda: "Godot"
                )
        return State("thing-1", inputs, {**inputs, "address": "10.0.0.1"})

    @override
    def read(self, *, stored: State, call: Call) -> State | None:
        return None if stored.id == "gone" else stored

    @override
    def update(self, *, old: State, inputs: Properties, call: Call) -> State:
        return State(old.id, inputs, {**old.outputs, **inputs})

    @override
    def delete(self, *, old: State, call: Call) -> None:
        if old.inputs.get("fail") == "refuse":
            raise ProviderError(f"{old.id} is protected")


class ToyProvider(Provider):
    """Serves Thing."""

    name = "toy"
    version = "1.2.3"

    @override
    def served(self) -> Sequence[str]:
        return (TOKEN,)

    @override
    def resource_type(self, token: str) -> ResourceType | None:
        return Thing() if token == TOKEN else None

    @override
    def function(self, token: str) -> Properties | None:
        return {"answer": 42} if token == FUNCTION else None

    @override
    def check_config(self, inputs: Properties) -> Checked:
        return Checked(inputs)

    @override
    def diff_config(self, *, old_inputs: Properties, inputs: Properties) -> Diff:
        changes = changed_paths(old_inputs, inputs)
        return Diff(changes=with_replacements(changes, replacing=covered_by(["cluster"])))

    @override
    def configure(self, inputs: Properties) -> None:
        if inputs.get("cluster") == "bad":
            raise ProviderError("cluster bad does not exist")
