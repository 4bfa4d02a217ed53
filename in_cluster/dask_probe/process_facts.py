"""What one process says of itself. This file is also sent as text: it stands alone.

Runs on the client, on the scheduler and on each worker.
"""

import importlib.util
import json
import platform
import re
from importlib import metadata
from typing import Any

LIBRARIES = {
    "dask": r"dask",
    "distributed": r"distributed",
    "msgpack": r"msgpack",
    "cloudpickle": r"cloudpickle",
    "numpy": r"numpy",
    "pandas": r"pandas",
    "cudf": r"cudf(-cu\d+)?",
    "cupy": r"cupy(-cuda\w+)?",
    "rmm": r"rmm(-cu\d+)?",
    "dask-cuda": r"dask-cuda",
    "ucxx": r"ucxx(-cu\d+)?",
}
"""Names of the distributions that carry a library: wheels name the CUDA that they are built for."""

MEBIBYTE = 1024 * 1024
LONGEST_ERROR = 500
"""Characters."""


def facts() -> str:
    """Return everything, as JSON."""
    return json.dumps({"python": platform.python_version(), "versions": versions(), **gpus()})


def scheduler_facts() -> str:
    """Return the facts of a scheduler, as JSON."""
    return facts()


def worker_facts() -> str:
    """Return the facts of a worker with what it was started with, as JSON."""
    from distributed.worker import Worker  # noqa: PLC0415 - only here is it a worker's process

    (worker,) = Worker._instances  # noqa: SLF001 - ``get_worker`` finds it in tasks only
    return json.dumps(
        {
            "name": str(worker.name),
            "threads": worker.state.nthreads,
            "resources": dict(worker.state.total_resources),
            "process": json.loads(facts()),
        }
    )


def missing_modules(*names: str) -> str:
    """Return, as JSON, those that cannot be found here; none of them is run."""
    return json.dumps([name for name in names if not _is_found(name)])


def _is_found(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:  # of a package that it is in
        return False


def versions() -> dict[str, str]:
    """Return the versions of the libraries that are installed."""
    found: dict[str, str] = {}
    for distribution in metadata.distributions():
        name = re.sub(r"[-_.]+", "-", distribution.metadata["Name"] or "").lower()
        for library, pattern in LIBRARIES.items():
            if re.fullmatch(pattern, name):
                # The first on the path is the one that is imported.
                found.setdefault(library, distribution.version)
    return found


def gpus() -> dict[str, Any]:
    """Return what NVML says of GPUs and driver, and CUDA's runtime where there is a GPU."""
    try:
        import pynvml  # noqa: PLC0415 - is absent where there is no GPU
    except ImportError:
        return {}
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        return {"gpu_error": _one_line(f"NVML: {error}")}
    try:
        handles = map(pynvml.nvmlDeviceGetHandleByIndex, range(pynvml.nvmlDeviceGetCount()))
        seen = [_gpu(pynvml, card, part) for card in handles for part in _parts(pynvml, card)]
        newest = pynvml.nvmlSystemGetCudaDriverVersion_v2()
        said = {
            "gpus": seen,
            "driver": _text(pynvml.nvmlSystemGetDriverVersion()),
            "driver_cuda": cuda_version(newest),
        }
    except pynvml.NVMLError as error:
        return {"gpu_error": _one_line(f"NVML: {error}")}
    return {**said, **cuda_runtime()} if seen else said


def _parts(pynvml: Any, card: Any) -> list[Any]:
    """Return the partitions of a card (MIG) that this process may use, else the card itself."""
    try:
        mode, _ = pynvml.nvmlDeviceGetMigMode(card)
    except pynvml.NVMLError:  # a card that cannot be divided
        return [card]
    if mode != pynvml.NVML_DEVICE_MIG_ENABLE:
        return [card]
    parts = []
    for place in range(pynvml.nvmlDeviceGetMaxMigDeviceCount(card)):
        try:
            parts.append(pynvml.nvmlDeviceGetMigDeviceHandleByIndex(card, place))
        except pynvml.NVMLError:  # nothing there, or somebody else's
            continue
    return parts


def _gpu(pynvml: Any, card: Any, part: Any) -> dict[str, Any]:
    major, minor = pynvml.nvmlDeviceGetCudaComputeCapability(card)
    return {
        "name": _text(pynvml.nvmlDeviceGetName(part)),
        "memory_mib": pynvml.nvmlDeviceGetMemoryInfo(part).total // MEBIBYTE,
        "compute_capability": f"{major}.{minor}",
    }


def cuda_runtime() -> dict[str, str]:
    """Return the version of the CUDA runtime that cupy, else numba, works with."""
    try:
        import cupy  # noqa: PLC0415

        return {"cuda_runtime": cuda_version(cupy.cuda.runtime.runtimeGetVersion())}
    except ImportError:
        pass
    except Exception as error:  # noqa: BLE001 - libraries without their driver raise anything
        return {"gpu_error": _one_line(f"cupy: {error}")}
    try:
        from numba import cuda  # noqa: PLC0415

        major, minor = cuda.runtime.get_version()
    except ImportError:
        return {}
    except Exception as error:  # noqa: BLE001
        return {"gpu_error": _one_line(f"numba: {error}")}
    return {"cuda_runtime": f"{major}.{minor}"}


def cuda_version(number: int) -> str:
    """Return 12.8 for CUDA's 12080."""
    return f"{number // 1000}.{number % 1000 // 10}"


def _one_line(text: str) -> str:
    """Libraries put whole paragraphs into their errors."""
    return " ".join(text.split())[:LONGEST_ERROR]


def _text(value: str | bytes) -> str:
    """Older releases of pynvml answer bytes."""
    return value.decode() if isinstance(value, bytes) else value
