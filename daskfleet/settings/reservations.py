"""Which of Google's reservations the nodes of a pool may take their machines from."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from daskfleet.settings.base import Settings, refusal
from daskfleet.settings.google_names import ProjectId, ReservationName

ANY = "any"
NONE = "none"


class Reservation(Settings):
    """One reservation of Compute Engine: machines of one kind that Google keeps for a project."""

    name: ReservationName
    """Its name, in the zone of the nodes. It is made outside of this program."""

    project: ProjectId | None = None
    """The project that made it and shares it with this one. Left out: this project."""

    machines: Annotated[int, Field(ge=1)] | None = None
    """How many machines it has. They are paid for whether nodes use them or not. Without this
    number the estimate of a reservation of this project says "at least"."""


def _known_word(value: Any) -> Any:
    if value not in (ANY, NONE):
        raise refusal(
            "This is neither a word for reservations in general nor a reservation by its name.",
            allowed=f"{ANY}, {NONE}, or a mapping such as {{name: my-reservation}}",
            next_step="write the reservation's name as {name: ...}.",
        )
    return value


def _kind(value: Any) -> str:
    return "reservation" if isinstance(value, Reservation | Mapping) else "word"


ReservationChoice = Annotated[
    Annotated[Literal["any", "none"], BeforeValidator(_known_word), Tag("word")]
    | Annotated[Reservation, Tag("reservation")],
    Discriminator(_kind),
]
"""``any``: whichever has room, else on demand. ``none``: none, though one would have room. Or one
by its name: nodes from that one, and from nowhere else."""
