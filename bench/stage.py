"""A rehearsal's stage for a measurement, in a directory that goes with it."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from daskfleet.checkout import PROJECT_DIR
from rehearsal.progress import Steps
from rehearsal.providers.install import Choice
from rehearsal.stage.stage import Stage, set_stage
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.workspace import Workspace


@contextmanager
def staged(
    write_settings: Callable[[Path], None],
    *,
    providers: Choice,
    steps: Steps,
    latency: str = "fast",
) -> Iterator[Stage]:
    """Set the stage for the settings that are written; they are its ``workspace.stack_file``.

    Its Dask pods are placed and do not run: what is measured is the engine's and Kubernetes' time.
    """
    with tempfile.TemporaryDirectory() as scratch:
        settings = Path(scratch) / "settings.yaml"
        write_settings(settings)
        workspace = Workspace(
            project_dir=PROJECT_DIR,
            directory=Path(scratch) / "rehearsal",
            stack="bench",
            config_file=settings,
        )
        try:
            yield set_stage(
                workspace, providers=providers, latency=latency, dask="place", steps=steps
            )
        finally:
            end_rehearsal(workspace, report=lambda _: None)
