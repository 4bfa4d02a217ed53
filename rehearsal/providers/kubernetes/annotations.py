"""Annotations by which a program steers how the provider waits (pulumi-kubernetes `metadata`)."""

import json
from dataclasses import dataclass
from typing import Any

import jsonpath

from rehearsal.providers.kubernetes.manifest import Manifest, annotation, lookup
from rehearsal.providers.protocol import ProviderError

SKIP_AWAIT = "pulumi.com/skipAwait"
WAIT_FOR = "pulumi.com/waitFor"
TIMEOUT_SECONDS = "pulumi.com/timeoutSeconds"
PATCH_FORCE = "pulumi.com/patchForce"
PATCH_FIELD_MANAGER = "pulumi.com/patchFieldManager"
DELETION_PROPAGATION = "pulumi.com/deletionPropagationPolicy"

_PROPAGATION = {"orphan": "Orphan", "background": "Background", "foreground": "Foreground"}


@dataclass(frozen=True)
class WaitCondition:
    """One expression of `pulumi.com/waitFor`."""

    text: str
    path: str
    expected: str | None

    def holds(self, live: Manifest) -> bool:
        """Whether the object, as its controller last saw it, fulfils the expression."""
        generation = lookup(live, "metadata", "generation")
        observed = lookup(live, "status", "observedGeneration")
        if generation is not None and observed is not None and observed < generation:
            return False
        found = jsonpath.findall(self.path, live)
        return bool(found) and (self.expected is None or _as_text(found[0]) == self.expected)


def skips_await(inputs: Manifest) -> bool:
    """Whether the program asked not to wait."""
    return annotation(inputs, SKIP_AWAIT) == "true"


def timeout_s(inputs: Manifest, *, default_s: float) -> float:
    """The annotated time-out, else the default; custom time-outs of the resource beat both."""
    text = annotation(inputs, TIMEOUT_SECONDS)
    return float(text) if text is not None and text.isdecimal() else default_s


def deletion_propagation(inputs: Manifest) -> str:
    """`propagationPolicy` of a deletion, foreground unless annotated."""
    policy = annotation(inputs, DELETION_PROPAGATION) or "foreground"
    return _PROPAGATION.get(policy.lower(), "Foreground")


def wait_conditions(inputs: Manifest) -> tuple[WaitCondition, ...]:
    """The conditions of `pulumi.com/waitFor`: one expression, or a JSON list of them.

    Raises:
        ProviderError: an expression that cannot be evaluated.

    """
    text = annotation(inputs, WAIT_FOR)
    if text is None:
        return ()
    try:
        expressions = json.loads(text)
    except ValueError:
        expressions = [text]
    if not isinstance(expressions, list):
        expressions = [text]
    if not expressions:
        raise ProviderError(f"{WAIT_FOR} is an empty list; name at least one condition")
    return tuple(_parse(str(expression)) for expression in expressions)


def _parse(expression: str) -> WaitCondition:
    kind, _, rest = expression.partition("=")
    if kind == "condition" and rest:
        name, _, status = rest.partition("=")
        path = f"$.status.conditions[?@.type == {json.dumps(name)}].status"
        return WaitCondition(expression, path, status or "True")
    if kind == "jsonpath":
        return _parse_jsonpath(expression, rest)
    raise ProviderError(
        f"{WAIT_FOR} is {expression!r}; allowed are `jsonpath={{.path}}`, "
        "`jsonpath={.path}=value`, `condition=Type` and `condition=Type=Status`"
    )


def _parse_jsonpath(expression: str, rest: str) -> WaitCondition:
    braced, closing, expected = rest.rpartition("}")
    if not rest.startswith("{") or not closing or (expected and not expected.startswith("=")):
        raise ProviderError(
            f"{WAIT_FOR} is {expression!r}; the path stands in braces, as in "
            "`jsonpath={.status.phase}=Running`"
        )
    inner = braced[1:].strip()
    path = inner if inner.startswith("$") else f"${inner}"
    try:
        jsonpath.compile(path)
    except jsonpath.JSONPathError as error:
        raise ProviderError(f"{WAIT_FOR} is {expression!r}: {error}") from error
    return WaitCondition(expression, path, expected[1:] or None)


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
