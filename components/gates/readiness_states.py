"""Pure: what becomes of a Dask cluster by the look of it, and what is said of that."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Ready:
    """The scheduler and all workers are ready."""


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """Pods are on their way, or will never come."""

    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Creating:
    """The operator is asked to create the cluster's objects and has not done so yet."""

    missing: tuple[str, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Who is waited for."""
        return (f"the Dask operator has not made {', '.join(self.missing)} yet",)


@dataclass(frozen=True, kw_only=True)
class CreationFailing:
    """The operator tries in vain to create the cluster's objects, once a minute, for ever.

    While it does, the cluster cannot be deleted: the operator retries under deletion too, and
    never releases its finalizer.
    """

    error: str

    @property
    def reasons(self) -> tuple[str, ...]:
        """What the operator ran into."""
        return (f"the Dask operator failed: {self.error}",)


@dataclass(frozen=True, kw_only=True)
class Incomplete:
    """Objects are missing and the operator does not care until it is asked to create them."""

    missing: tuple[str, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """What is missing."""
        return (f"{', '.join(self.missing)} do not exist",)


@dataclass(frozen=True, kw_only=True)
class Outdated:
    """Everything runs, with certificates that were replaced; waiting does not help."""

    pods: tuple[str, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Which pods, and what to do."""
        why = (
            f"{', '.join(self.pods)} started before the team's TLS certificates were made: they "
            "were replaced, at their end or by hand, and Dask has loaded the old ones. Another "
            "tls.rotation in the stack file replaces certificates and pods"
        )
        return (why,)


@dataclass(frozen=True, kw_only=True)
class Asleep:
    """The workers are away, and nobody will bring them back: the team sleeps no more."""

    workers: int

    @property
    def reasons(self) -> tuple[str, ...]:
        """What is waited for."""
        return (f"the {self.workers} workers that slept come back",)


NotReady = Waiting | Creating | CreationFailing | Incomplete | Outdated | Asleep
State = Ready | NotReady
