"""What a supervisor says about itself and its clusters: ``supervisor.json``."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from daskfleet.files import write_private_file
from rehearsal.process import ProcessRecord


class Record(BaseModel):
    """A part of ``supervisor.json``."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DeadProcessRecord(Record):
    """A control plane process that ended although nobody asked it to."""

    name: str
    exit_code: int | None
    """Negative: the signal that ended it. None: not known."""
    log_file: Path


class OperatorRecord(Record):
    """The operator process, while the operator's pod is ready."""

    process: ProcessRecord
    """The one that was started last."""
    namespace: str
    service_account: str
    """Name within ``namespace``; the process talks to the Kubernetes API as this account."""
    image: str
    """What the pod would run; the process runs the installed package."""
    restarts: int
    failures_in_a_row: int = 0
    """How often it has ended by itself soon after its start."""
    log_file: Path

    @property
    def user(self) -> str:
        """The account as the Kubernetes API's audit log spells it."""
        return f"system:serviceaccount:{self.namespace}:{self.service_account}"


class DaskRecord(Record):
    """What runs behind the pods of Dask's schedulers and workers, in mode ``run``."""

    departures: tuple[str, ...]
    """What has run differently from the pods' own words, in sentences."""


class ClusterRecord(Record):
    """One control plane."""

    name: str
    endpoint: str
    """``host:port`` of the Kubernetes API."""
    kubeconfig: Path
    audit_log: Path
    dead_processes: tuple[DeadProcessRecord, ...] = ()
    operator: OperatorRecord | None = None
    dask: DaskRecord | None = None
    """None: kwok calls the pods ready, and nothing runs."""


class SupervisorRecord(Record):
    """The whole of ``supervisor.json``."""

    process: ProcessRecord
    base_url: str
    """Where the emulated Google APIs answer."""
    latency: str = "fast"
    """How long they take, as ``rehearse up`` was given it when the stage was set."""
    clusters: tuple[ClusterRecord, ...] = ()

    def write(self, path: Path) -> None:
        """Replace ``path`` as a whole: a reader sees the old record or the new one."""
        write_private_file(path, self.model_dump_json(indent=2))


def read_record(path: Path) -> SupervisorRecord | None:
    """Return the record at ``path``, alive or stale; None when there is none."""
    if not path.exists():
        return None
    return SupervisorRecord.model_validate_json(path.read_bytes())
