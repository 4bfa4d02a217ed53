"""The fault catalogue inside the cluster: signals at each step, and what happens to machines."""

import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tests.faults.case import AGAIN, RECOVER, WENT_THROUGH, Command
from tests.faults.cluster_stage import OTHER_ZONE, ZONE, Fleet

STEPS_OF_A_TEAM = (
    "Namespace survey-namespace",
    "ServiceAccount survey-service-account",
    "ResourceQuota survey-gpu-quota",
    "LimitRange survey-defaults",
    "NetworkPolicy survey-default-deny",
    "NetworkPolicy survey-scheduler-clients",
    "NetworkPolicy survey-dask-peers",
    "NetworkPolicy survey-egress",
    "NetworkPolicy survey-client-egress",
    "RoleBinding survey-operators-rights",
    "ConfigMap survey-notice",
    "DaskCluster survey-dask-cluster",
    "Service survey-address",
)
"""Everything that `up` makes for a team, by the engine's words."""

_DASK_CLUSTER = "DaskCluster survey-dask-cluster"


_WHILE_DELETING = (
    "etcd restarts",
    "the API server restarts",
    "the operator restarts",
    "the operator's machine is lost",
)
"""What a deletion depends on; machines of GPU pools are not asked."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """The beginning of one of the engine's steps."""

    operation: str
    name: str


@dataclass(frozen=True, kw_only=True)
class Happening:
    """An incident; a machine is named by its pool."""

    incident: Mapping[str, str] = field(default_factory=dict)
    """As the emulator takes it; none: the operator's process is killed."""
    machine_of: str | None = None
    stocked_out: bool = False
    """Whether no machine can be had until `up` has failed once."""
    stays_out: str = ""
    """The zone that has no machine any more, whatever happens."""


@dataclass(frozen=True, kw_only=True)
class ClusterCase:
    """What happens to the whole fleet, and what then leads on."""

    family: str
    at: str
    target: Fleet
    trouble: signal.Signals | Happening
    step: Step | None
    """When, during the `up` that leads to ``target``; None: at rest."""
    commands: tuple[Command, ...]
    """At most; what happens to machines may also pass unnoticed."""

    @property
    def id(self) -> str:
        """Name of the case, for people and for the report."""
        return f"{self.family}: {self.at}"


def signals_at_steps() -> Iterator[ClusterCase]:
    """A team is added, then removed; the engine is ended at each step in turn."""
    interrupted = ("Namespace survey-namespace", _DASK_CLUSTER)
    for number, names, commands in (
        (signal.SIGKILL, STEPS_OF_A_TEAM, RECOVER),
        (signal.SIGINT, interrupted, AGAIN),
        (signal.SIGTERM, interrupted, AGAIN),
    ):
        for name in names:
            for operation, target in (("create", "three teams"), ("delete", "two teams")):
                yield ClusterCase(
                    family=f"{number.name} while a team is {operation}d",
                    at=name,
                    target="three teams" if target == "three teams" else "two teams",
                    trouble=number,
                    step=Step(operation=operation, name=name),
                    commands=commands,
                )


HAPPENINGS: Mapping[str, Happening] = {
    "a machine of scheduler-pool is lost": Happening(machine_of="scheduler-pool"),
    "a machine of a100-fixed is lost": Happening(machine_of="a100-fixed"),
    "a machine of a100-auto is lost": Happening(machine_of="a100-auto"),
    "the operator's machine is lost": Happening(machine_of="system"),
    "scheduler-pool is drained": Happening(
        incident={"kind": "pool-drain", "pool": "scheduler-pool"}
    ),
    "a100-fixed is drained": Happening(incident={"kind": "pool-drain", "pool": "a100-fixed"}),
    "system is drained": Happening(incident={"kind": "pool-drain", "pool": "system"}),
    "the zone is lost": Happening(incident={"kind": "zone-loss", "zone": ZONE}),
    "etcd restarts": Happening(incident={"kind": "process-restart", "process": "etcd"}),
    "the API server restarts": Happening(
        incident={"kind": "process-restart", "process": "kube-apiserver"}
    ),
    "the controller manager restarts": Happening(
        incident={"kind": "process-restart", "process": "kube-controller-manager"}
    ),
    "the scheduler restarts": Happening(
        incident={"kind": "process-restart", "process": "kube-scheduler"}
    ),
    "the operator restarts": Happening(),
}


def happenings() -> Iterator[ClusterCase]:
    """Machines and processes go, at rest and while a team's Dask cluster is created."""
    for name, happening in HAPPENINGS.items():
        yield ClusterCase(
            family="at rest",
            at=name,
            target="two teams",
            trouble=happening,
            step=None,
            commands=WENT_THROUGH,
        )
    yield ClusterCase(
        family="at rest",
        at="the zone is lost, and without stock for a while",
        target="two teams",
        trouble=Happening(incident={"kind": "zone-loss", "zone": ZONE}, stocked_out=True),
        step=None,
        commands=AGAIN,
    )
    yield ClusterCase(
        family="at rest",
        at="one of a pool's two zones is lost, and does not come back",
        target="two teams",
        trouble=Happening(incident={"kind": "zone-loss", "zone": OTHER_ZONE}, stays_out=OTHER_ZONE),
        step=None,
        commands=WENT_THROUGH,
    )
    for name, happening in HAPPENINGS.items():
        yield ClusterCase(
            family="while a team is created",
            at=name,
            target="three teams",
            trouble=happening,
            step=Step(operation="create", name=_DASK_CLUSTER),
            commands=AGAIN,
        )
        if name in _WHILE_DELETING:
            yield ClusterCase(
                family="while a team is deleted",
                at=name,
                target="two teams",
                trouble=happening,
                step=Step(operation="delete", name=_DASK_CLUSTER),
                commands=AGAIN,
            )


def cluster_catalogue() -> list[ClusterCase]:
    """Every case inside the cluster."""
    return [*happenings(), *signals_at_steps()]
