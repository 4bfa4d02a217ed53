"""Waiting until an object is ready, and until it is gone."""

import time
from dataclasses import dataclass, field

from rehearsal.providers.kubernetes import annotations
from rehearsal.providers.kubernetes.api import KubernetesApi
from rehearsal.providers.kubernetes.failure_reasons import failure_reasons
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.manifest import Manifest, lookup, object_id
from rehearsal.providers.kubernetes.readiness import (
    is_awaited,
    unready,
    unready_endpoints,
    waits_for_endpoints,
)
from rehearsal.providers.protocol import Call, OperationTimedOutError, ProviderError

DEFAULT_TIMEOUT_S = 600.0
"""The real provider's limit for readiness and for deletion (`await/await.go`)."""

_POLL_S = 0.25
_SETTLE_S = 1.0
"""How long a Service's endpoints must stay complete. The real provider gives them 10 s after each
change; locally the endpoint controller needs milliseconds, and the answer is the same one."""

_SERVICE = Kind("", "v1", "Service")
_ENDPOINT_SLICE = Kind("discovery.k8s.io", "v1", "EndpointSlice")


class NotReadyError(ProviderError):
    """The object exists but did not become ready; `live` is how it was seen last."""

    def __init__(self, *, live: Manifest, reasons: tuple[str, ...]) -> None:
        super().__init__("; ".join(reasons))
        self.live = live
        self.reasons = reasons


@dataclass
class _Watched:
    """An object under observation."""

    api: KubernetesApi
    kind: Kind
    live: Manifest
    conditions: tuple[annotations.WaitCondition, ...]
    missing: str = "it to be seen"
    complete_since: float | None = field(default=None)

    def refresh(self) -> None:
        metadata = self.live["metadata"]
        live = self.api.get(self.kind, metadata.get("namespace"), metadata["name"])
        if live is None:
            raise ProviderError(f"{self.kind.name} {object_id(self.live)} was deleted meanwhile")
        self.live = live

    def lacks(self) -> str | None:
        """What keeps the object from being ready now."""
        if self.conditions:
            unmet = [item.text for item in self.conditions if not item.holds(self.live)]
            return " and ".join(unmet) or None
        missing = unready(self.kind, self.live)
        if missing is None and self._has_endpoints:
            name = self.live["metadata"]["name"]
            slices = self.api.select(
                _ENDPOINT_SLICE,
                self.live["metadata"]["namespace"],
                labelSelector=f"kubernetes.io/service-name={name}",
            )
            missing = unready_endpoints(slices)
        return missing

    def attempt(self, call: Call) -> Manifest | None:
        """The live object once it is ready and has stayed so for the settling time."""
        self.refresh()
        missing = self.lacks()
        if missing is not None:
            if missing != self.missing:
                call.report(f"waiting for {missing}")
            self.missing, self.complete_since = missing, None
            return None
        now = time.monotonic()
        self.complete_since = self.complete_since or now
        settled = now - self.complete_since >= (_SETTLE_S if self._has_endpoints else 0)
        return self.live if settled else None

    @property
    def _has_endpoints(self) -> bool:
        return self.kind == _SERVICE and waits_for_endpoints(self.live)


def await_ready(
    api: KubernetesApi, kind: Kind, *, inputs: Manifest, live: Manifest, call: Call
) -> Manifest:
    """The object once it is ready: by the program's own conditions, else by its kind's rule.

    Raises:
        NotReadyError: it did not become ready in time, or waiting was cut short.

    """
    conditions = annotations.wait_conditions(inputs)
    if annotations.skips_await(inputs) or not (conditions or is_awaited(kind)):
        return live
    watched = _Watched(api, kind, live, conditions)
    try:
        return call.until(
            lambda: watched.attempt(call),
            every_s=_POLL_S,
            default_timeout_s=annotations.timeout_s(inputs, default_s=DEFAULT_TIMEOUT_S),
            waiting_for=lambda: watched.missing,
        )
    except ProviderError as error:
        reasons = (str(error), *failure_reasons(api, kind, watched.live))
        raise NotReadyError(live=watched.live, reasons=reasons) from error


def require_ready(api: KubernetesApi, kind: Kind, *, inputs: Manifest, live: Manifest) -> None:
    """Look once; raises NotReadyError when the object is not ready by its kind's rule.

    The program's own conditions are of the moment of creation and are not looked at again.
    """
    if annotations.skips_await(inputs) or annotations.wait_conditions(inputs):
        return
    missing = _Watched(api, kind, live, ()).lacks() if is_awaited(kind) else None
    if missing is not None:
        reasons = (f"waiting for {missing}", *failure_reasons(api, kind, live))
        raise NotReadyError(live=live, reasons=reasons)


def await_gone(
    api: KubernetesApi, kind: Kind, *, inputs: Manifest, live: Manifest, call: Call
) -> None:
    """Return once the object is gone, or another one has taken its name.

    Raises:
        OperationTimedOutError: it is still there; names the finalizers that hold it.

    """
    metadata = live["metadata"]
    namespace, name, uid = metadata.get("namespace"), metadata["name"], metadata.get("uid")

    def gone() -> bool | None:
        left = api.get(kind, namespace, name)
        return True if left is None or lookup(left, "metadata", "uid") != uid else None

    call.report("waiting for its deletion")
    try:
        call.until(
            gone,
            every_s=_POLL_S,
            default_timeout_s=annotations.timeout_s(inputs, default_s=DEFAULT_TIMEOUT_S),
            waiting_for=lambda: f"{kind.name} {object_id(live)} to be gone",
        )
    except OperationTimedOutError as error:
        left = api.get(kind, namespace, name)
        if left is None:
            return
        holders = lookup(left, "metadata", "finalizers") or []
        why = f"finalizers {holders} still hold it" if holders else "no finalizer holds it"
        raise OperationTimedOutError(
            f"{error}. {why}; the controller behind a finalizer must run to release it"
        ) from error
