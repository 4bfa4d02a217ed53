"""What a measurement leaves behind: the figures, and the machine that they belong to."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Generic, Self, TypeVar

import psutil
from pydantic import BaseModel, ConfigDict

RESULTS_DIR = Path(__file__).parent / "results"
GIB = 1024**3
PACKAGES = (
    "pulumi",
    "pulumi-gcp",
    "pulumi-kubernetes",
    "pulumi-tls",
    "pydantic",
    "dask-kubernetes",
)


class Figures(BaseModel):
    """A part of what was measured."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Machine(Figures):
    """Where it was measured."""

    processor: str
    cores: int
    memory_gib: float
    system: str
    load_1_min: float
    """Processes that wanted a core in the minute before; above 0, others disturbed."""

    @classmethod
    def this(cls) -> Self:
        """Describe this machine as it is now."""
        return cls(
            processor=_processor(),
            cores=os.cpu_count() or 1,
            memory_gib=round(psutil.virtual_memory().total / GIB, 1),
            system=platform.platform(),
            load_1_min=round(os.getloadavg()[0], 2),
        )


class Conditions(Figures):
    """When and where it was measured, and with what."""

    measured_at: datetime
    machine: Machine
    versions: dict[str, str]

    @classmethod
    def current(cls) -> Self:
        """Describe this moment, to the second, in UTC."""
        return cls(
            measured_at=datetime.now(tz=UTC).replace(microsecond=0),
            machine=Machine.this(),
            versions={
                "python": platform.python_version(),
                **{name: version(name) for name in PACKAGES},
            },
        )


Result = TypeVar("Result", bound=Figures)


class Record(Figures, Generic[Result]):
    """One file of ``results/``."""

    conditions: Conditions
    result: Result

    def write(self, name: str) -> None:
        """Write ``results/<name>.json``, in place of an earlier measurement."""
        file = RESULTS_DIR / f"{name}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, name: str) -> Self:
        """Read ``results/<name>.json``. Raises FileNotFoundError before the first measurement."""
        return cls.model_validate_json((RESULTS_DIR / f"{name}.json").read_bytes())


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
