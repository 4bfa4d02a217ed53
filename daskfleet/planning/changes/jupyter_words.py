"""What changes of its JupyterLab mean for a team."""

from collections.abc import Sequence

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.reasons import reasons_of
from daskfleet.planning.changes.resource_change import ResourceChange

JUPYTER = "daskfleet:dask:Jupyter"

HAPPENS = {
    ChangeClass.INTERRUPTS_CLIENTS: (
        "the pod of its JupyterLab goes and running notebooks end; scheduler and workers go on"
    ),
    ChangeClass.DESTROYS_DATA: (
        "the home of its JupyterLab goes with everything in it; scheduler and workers go on"
    ),
}


def jupyter_words(changes: Sequence[ResourceChange], worst: ChangeClass) -> str | None:
    """What happens, if it is to the JupyterLab alone that the worst happens."""
    causes = {
        change.parent_type
        for change in changes
        if any(reason.change_class is worst for reason in reasons_of(change))
    }
    return HAPPENS.get(worst) if causes == {JUPYTER} else None
