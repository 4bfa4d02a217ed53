"""Where Helm finds the chart of the operator's definitions, by a path that is part of the state."""

import shutil
import tempfile
from pathlib import Path

from daskfleet.checkout import SOURCE_DIR

IN_A_CHECKOUT = "./manifests/dask-crds"
BESIDE_THE_PROJECT = "./.daskfleet/dask-crds"


def definitions_chart() -> str:
    """Return the chart's path, relative to the project: the same on every machine.

    The path of an installed package would differ between machines and Pythons, and every such
    difference would be an update of the release. So a project without the chart gets a copy.
    """
    if Path(IN_A_CHECKOUT, "Chart.yaml").is_file():
        return IN_A_CHECKOUT
    packaged, copy = SOURCE_DIR / IN_A_CHECKOUT, Path(BESIDE_THE_PROJECT)
    if _contents(copy) != _contents(packaged):
        _put(packaged, copy)
    return BESIDE_THE_PROJECT


def _put(packaged: Path, copy: Path) -> None:
    """Exchange a copy of another release for this one's, as a whole: Helm may be reading it."""
    copy.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=copy.parent) as scratch:
        draft = shutil.copytree(packaged, Path(scratch, "new"))
        if copy.exists():
            copy.replace(Path(scratch, "old"))
        draft.replace(copy)


def _contents(directory: Path) -> dict[Path, bytes]:
    return {
        file.relative_to(directory): file.read_bytes()
        for file in directory.rglob("*")
        if file.is_file()
    }
