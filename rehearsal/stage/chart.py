"""The operator's Helm chart, taken from the installed dask-kubernetes package.

The published chart comes from the network. The package carries the same chart with two values
that its release process (chartpress) fills in: the chart's version and the image's tag.
"""

import errno
import importlib.metadata
import importlib.util
import shutil
import tempfile
from pathlib import Path

from rehearsal.errors import RehearsalError

PACKAGE = "dask-kubernetes"
CHART_IN_PACKAGE = "deployment/helm/dask-kubernetes-operator"
PLACEHOLDERS = {
    "Chart.yaml": "0.0.1-set.by.chartpress",
    "values.yaml": "set-by-chartpress",
}


def prepare_chart(chart: Path) -> str:
    """Write the chart to the directory ``chart`` as it is published; return its version.

    All rehearsals of a checkout share it. One that is right is left alone, for it may be read now.

    Raises:
        RehearsalError: the package is missing, or its chart is not what this module expects.

    """
    version, source = _installed()
    chart.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=chart.parent) as scratch:
        draft = Path(scratch) / chart.name
        shutil.copytree(source, draft)
        for name, placeholder in PLACEHOLDERS.items():
            _fill_in(draft / name, placeholder, version)
        if _files(draft) != _files(chart):
            if chart.exists():
                chart.replace(Path(scratch) / "previous")
            _put(draft, chart)
    return version


def _files(directory: Path) -> dict[Path, bytes]:
    return {
        file.relative_to(directory): file.read_bytes()
        for file in directory.rglob("*")
        if file.is_file()
    }


def _put(draft: Path, chart: Path) -> None:
    """Move the draft into place, unless another rehearsal was quicker: it has the same package."""
    try:
        draft.replace(chart)
    except OSError as error:
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise


def _installed() -> tuple[str, Path]:
    spec = importlib.util.find_spec("dask_kubernetes.operator")
    if spec is None or spec.origin is None:
        raise RehearsalError(f"Python package {PACKAGE} is not installed; run `make setup`.")
    return importlib.metadata.version(PACKAGE), Path(spec.origin).parent / CHART_IN_PACKAGE


def _fill_in(file: Path, placeholder: str, version: str) -> None:
    text = file.read_text(encoding="utf-8")
    if text.count(placeholder) != 1:
        raise RehearsalError(
            f"{file.name} of the chart in {PACKAGE} {version} has {text.count(placeholder)} times "
            f"{placeholder!r} instead of once; pin a version that this rehearsal knows."
        )
    file.write_text(text.replace(placeholder, version), encoding="utf-8")
