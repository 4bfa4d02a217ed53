"""Pure: a container's probes as declared, and what their results add up to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rehearsal.dask_pods.model import Document

ProbeKind = Literal["startup", "readiness", "liveness"]

EXTRA_PERIOD_S = 0.5
"""Until a container has been well for the first time it is asked this often, beside the probes
that are due: a kubelet asks a worker at its start, when it cannot be ready, and again after 10 s.
Failures of these extra looks count for nothing, so that thresholds mean what they mean on GKE."""


@dataclass(frozen=True, kw_only=True)
class HttpGet:
    """``httpGet``: well is a status of 200 to 399."""

    port: int
    path: str
    scheme: str
    headers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class TcpSocket:
    """``tcpSocket``: well is a connection."""

    port: int


@dataclass(frozen=True, kw_only=True)
class Exec:
    """``exec``: well is exit code 0."""

    argv: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class NotProbed:
    """A handler that nothing here can ask; it is never well, and says why."""

    why: str


@dataclass(frozen=True, kw_only=True)
class ProbeSpec:
    """One probe with Kubernetes' defaults filled in."""

    kind: ProbeKind
    handler: HttpGet | TcpSocket | Exec | NotProbed
    initial_delay_s: float
    period_s: float
    timeout_s: float
    success_threshold: int
    failure_threshold: int
    grace_s: float | None
    """What a container gets that this probe has killed, where it is not the pod's own."""


def probes_of(container: Document) -> tuple[ProbeSpec, ...]:
    """Read the probes of a container."""
    kinds: Sequence[ProbeKind] = ("startup", "readiness", "liveness")
    return tuple(
        _probe(kind, container[f"{kind}Probe"], container.get("ports", ()))
        for kind in kinds
        if container.get(f"{kind}Probe")
    )


def _probe(kind: ProbeKind, probe: Document, ports: Sequence[Document]) -> ProbeSpec:
    return ProbeSpec(
        kind=kind,
        handler=_handler(probe, ports),
        initial_delay_s=probe.get("initialDelaySeconds", 0),
        period_s=probe.get("periodSeconds", 10),
        timeout_s=probe.get("timeoutSeconds", 1),
        success_threshold=probe.get("successThreshold", 1),
        failure_threshold=probe.get("failureThreshold", 3),
        grace_s=probe.get("terminationGracePeriodSeconds"),
    )


def _handler(probe: Document, ports: Sequence[Document]) -> HttpGet | TcpSocket | Exec | NotProbed:
    if "exec" in probe:
        return Exec(argv=tuple(probe["exec"].get("command", ())))
    handler: Mapping[str, Any] = probe.get("httpGet") or probe.get("tcpSocket") or {}
    if "port" not in handler:
        return NotProbed(why=f"no probe of this kind here: {', '.join(probe)}")
    port = _port(handler["port"], ports)
    if port is None:
        return NotProbed(why=f"couldn't find port: {handler['port']}")
    if "tcpSocket" in probe:
        return TcpSocket(port=port)
    return HttpGet(
        port=port,
        path=handler.get("path", "/"),
        scheme=handler.get("scheme", "HTTP").lower(),
        headers=tuple((h["name"], h["value"]) for h in handler.get("httpHeaders", ())),
    )


def _port(port: int | str, ports: Sequence[Document]) -> int | None:
    if isinstance(port, int) or port.isdigit():
        return int(port)
    return next((int(p["containerPort"]) for p in ports if p.get("name") == port), None)


@dataclass(kw_only=True)
class ProbeCount:
    """What the results of one probe add up to, since the container's process started."""

    spec: ProbeSpec
    started_at: float
    is_well: bool = field(init=False)
    has_failed: bool = field(default=False, init=False)
    """Whether it has failed as often in a row as it may."""
    _has_been_well: bool = field(default=False, init=False)
    _in_a_row: int = field(default=0, init=False)
    _last: bool | None = field(default=None, init=False)
    _next_due: float = field(init=False)
    _next_extra: float = field(init=False)

    def __post_init__(self) -> None:
        # A kubelet takes a container for alive, and not for ready, until it knows better.
        self.is_well = self.spec.kind == "liveness"
        self._next_due = self._next_extra = self.started_at + self.spec.initial_delay_s

    def is_due(self, now: float) -> bool:
        """Whether it is time to ask, by the probe's own period or beside it."""
        return now >= self._next_due or (self._wants_extra and now >= self._next_extra)

    @property
    def _wants_extra(self) -> bool:
        return not self._has_been_well and self.spec.kind != "liveness"

    def asked(self, now: float) -> bool:
        """Note that it is asked now; returns whether a failure counts."""
        counts = now >= self._next_due
        if counts:
            self._next_due = now + self.spec.period_s
        self._next_extra = now + EXTRA_PERIOD_S
        return counts

    def answered(self, *, well: bool, counts: bool) -> None:
        """Note an answer."""
        if not well and not counts:
            return
        self._in_a_row = self._in_a_row + 1 if well == self._last else 1
        self._last = well
        threshold = self.spec.success_threshold if well else self.spec.failure_threshold
        if self._in_a_row >= threshold:
            self.is_well = well
            self._has_been_well = self._has_been_well or well
            self.has_failed = not well
