"""What changes of its JupyterLabs mean for a team."""

from collections.abc import Sequence

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.reasons import reasons_of
from daskfleet.planning.changes.resource_change import ResourceChange

JUPYTER = "daskfleet:dask:Jupyter"

HAPPENS = {
    ChangeClass.INTERRUPTS_CLIENTS: (
        "the pod of {whose} goes and running notebooks end; scheduler and workers go on"
    ),
    ChangeClass.DESTROYS_DATA: (
        "the home of {whose} goes with everything in it; scheduler and workers go on"
    ),
}


def jupyter_words(changes: Sequence[ResourceChange], worst: ChangeClass) -> str | None:
    """What happens, if it is to JupyterLabs alone that the worst happens."""
    causes = [
        change
        for change in changes
        if any(reason.change_class is worst for reason in reasons_of(change))
    ]
    if worst not in HAPPENS or {change.parent_type for change in causes} != {JUPYTER}:
        return None
    return HAPPENS[worst].format(whose=_whose(causes))


def _whose(causes: Sequence[ResourceChange]) -> str:
    """By the names in the state: ``<team>-jupyter...``, or ``<team>.<person>-jupyter...``."""
    people = {
        change.name.partition("-jupyter")[0].removeprefix(change.parent).removeprefix(".")
        for change in causes
    }
    if people == {""}:
        return "its JupyterLab"
    if "" in people:
        return "its JupyterLab and of people's own"
    return f"the JupyterLab of {', '.join(sorted(people))}"
