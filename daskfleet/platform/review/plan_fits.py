"""``daskfleet review plan-fits``: whether a saved plan is still of the state that there is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from daskfleet.access.errors import AccessError
from daskfleet.access.pulumi_state import export_state
from daskfleet.checkout import PROJECT_DIR
from daskfleet.consoles import only_looking, open_console
from daskfleet.platform.review.errors import ReviewError
from daskfleet.platform.review.plan_binding import (
    Moved,
    UnboundPlanError,
    binding_of,
    binding_to,
    moved,
)
from daskfleet.visible import visible

MOVED = 3
"""Exit status when the state is another one. 1 says that nothing can be said."""

MOST_NAMED = 20
"""Resources that are named; nobody reads more to know that somebody was faster."""

INSTEAD = (
    "Nothing was changed. Make a new plan with `daskfleet review --save-plan` and have it "
    "reviewed; in CI start the workflow that makes one."
)


def plan_fits(
    plan: Annotated[Path, typer.Argument(help="What `daskfleet review --save-plan` kept.")],
    *,
    stack: Annotated[str, typer.Option(help="The stack that it is to be applied to.")],
) -> None:
    """Say whether the state is the one that a plan was made from; ask before `up --plan`.

    Changes nothing and takes no lock. Exit status: 0 it is, 3 the state has moved, and what did;
    1 nothing can be said.
    """
    said = open_console(stderr=True)
    with only_looking(said, ReviewError):
        found = look(PROJECT_DIR, plan, stack=stack)
    if found:
        _tell(found, stack, said)
        raise typer.Exit(MOVED)
    said.print(Text(f"  The plan is of the state that {visible(stack)} has."), soft_wrap=True)


def look(project_dir: Path, plan: Path, *, stack: str) -> tuple[Moved, ...]:
    """Return what of the state is not as it was when the plan was made.

    Raises:
        ReviewError: the plan or the state cannot be read, or the plan is bound to none.

    """
    try:
        planned = binding_of(plan.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReviewError(f"{plan}: {error.strerror}. {INSTEAD}") from error
    except UnicodeDecodeError as error:
        raise ReviewError(f"{plan}: it is no plan, since it is no text. {INSTEAD}") from error
    except UnboundPlanError as error:
        raise ReviewError(f"{plan}: {error}. {INSTEAD}") from error
    try:
        return moved(planned, binding_to(export_state(project_dir, stack)))
    except AccessError as error:
        raise ReviewError(str(error)) from error


def _tell(found: Sequence[Moved], stack: str, said: Console) -> None:
    count = f"{len(found)} resource{'' if len(found) == 1 else 's'}"
    lines = [
        f"The state of {stack} has moved since the plan was made: {count}.",
        *(f"  {each.title} {each.what}" for each in found[:MOST_NAMED]),
    ]
    if len(found) > MOST_NAMED:
        lines.append(f"  … and {len(found) - MOST_NAMED} more")
    for line in (*lines, "`daskfleet history` tells which update did it.", INSTEAD):
        said.print(Text(f"  {visible(line)}", style="red"), soft_wrap=True)
