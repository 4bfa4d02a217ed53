"""How long a team's certificates are good for, and when they are replaced."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from daskfleet.settings.base import Settings

SHORTEST_DAYS = 60
LONGEST_DAYS = 3650
"""Below the first, a warning a month ahead would be there from the start; beyond the second nobody
remembers how a rotation is done."""


class Tls(Settings):
    """Encryption between a team's clients, scheduler and workers, and who may be one of them."""

    validity_days: Annotated[int, Field(ge=SHORTEST_DAYS, le=LONGEST_DAYS)] = 365
    """How long the certificates are good for, in days. ``up`` warns in the last month and refuses
    in the last week; then change ``rotation``. Changing the number of days makes new certificates,
    as a change of ``rotation`` does."""

    rotation: Annotated[int, Field(ge=1, le=9999)] = 1
    """A new number makes a new certificate authority with new certificates for everyone: the team's
    Dask cluster is replaced as its ``rollout`` says, its address stays, and clients need the new
    certificate."""


def _tls(value: Any) -> Any:
    """``tls: true`` stands for ``tls: {}``, and ``tls: false`` for none."""
    if isinstance(value, bool):
        return {} if value else None
    return value


TlsSetting = Annotated[Tls | None, BeforeValidator(_tls, json_schema_input_type=Tls | bool | None)]
"""``true``, ``false``, or the numbers."""
