"""The page that says what a change of each setting does, from what was found and back."""

import re
from collections.abc import Iterable

from daskfleet.catalog.changes import ChangeClass
from tests.project import PROJECT_DIR
from tests.setting_classes.found import Found

PAGE = PROJECT_DIR / "docs" / "setting-changes.md"
HEAD = """# What a change of a setting does

Each setting was changed on a fleet that sets everything. The inputs that changed with it were
looked up in [the table of change classes](decisions/0011-change-classes-say-what-people-feel.md).
The class is the worst that may happen: many a change does less, and where keys have to fit each
other, they changed together. What your change does to your fleet, [the review](review.md) says
before it happens. [Every setting](settings.md) says what each may be.

`python -m tests.setting_classes` writes this page from the program, and a test compares.

| class | what it means |
|---|---|
"""
NOTHING = "No resource changes: it decides what is refused, counted or waited for."
REFUSED = "It has one value in this release, or changes with others that were not tried."
ROW = re.compile(r"^\| `([a-z0-9_.]+)` \| `?([a-z-]+)`? \|.*$", re.MULTILINE)


MEANINGS = {
    ChangeClass.NOTHING: "at most Pulumi's own state",
    ChangeClass.ADDS: "something new; what runs is not touched",
    ChangeClass.IN_PLACE: "pods, nodes and connections stay",
    ChangeClass.RESTARTS_PLATFORM: "the operator or the driver's installer restarts; Dask goes on",
    ChangeClass.INTERRUPTS_CLIENTS: "connections or notebooks end; Dask's pods stay",
    ChangeClass.ROLLS_DASK_CLUSTER: "a team's scheduler and workers are new, their memory is lost",
    ChangeClass.ROLLS_NODES: "nodes of a pool are re-created, and every pod on them moves",
    ChangeClass.REPLACES_POOL: "all nodes of a pool go, and their GPUs are given back",
    ChangeClass.REPLACES_CLUSTER: "the GKE cluster goes with all that is in it",
    ChangeClass.DESTROYS_DATA: "what nobody can bring back goes: a namespace with its volumes",
}


def page(rows: Iterable[str]) -> str:
    """Draw the page."""
    classes = "".join(f"| `{each.value}` | {text} |\n" for each, text in MEANINGS.items())
    table = "\n".join(("| setting | at worst | because |", "|---|---|---|", *rows))
    return f"{HEAD}{classes}\n{table}\n"


def row_of_page(path: str, found: Found | None) -> str:
    """Draw the row of a setting; None stands for a change that is refused by itself."""
    if found is None:
        return f"| `{path}` | refused | {REFUSED} |"
    what = found.row.what if found.row else NOTHING
    return f"| `{path}` | `{found.change_class.value}` | {what} |"


def rows_on_page() -> dict[str, str]:
    """The rows that there are, by setting."""
    return {row[1]: row[0] for row in ROW.finditer(PAGE.read_text("utf-8"))}


def class_on_page(path: str) -> str | None:
    """What the page says of a setting."""
    row = ROW.search(rows_on_page().get(path, ""))
    return row[2] if row else None


def class_named(found: Found | None) -> str:
    """The word of the page for it."""
    return "refused" if found is None else found.change_class.value
