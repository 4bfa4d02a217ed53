"""Another valid value for each input that the program sets."""

from tests.rehearsal.end_to_end.input_changes import fleet_values, health_values, team_values
from tests.rehearsal.end_to_end.input_changes.cases import InputChange


def input_changes() -> tuple[InputChange, ...]:
    """All of them."""
    return (
        *fleet_values.network(),
        *fleet_values.cluster(),
        *fleet_values.pools(),
        *fleet_values.providers(),
        *team_values.team(),
        *team_values.dask(),
        *fleet_values.software(),
        *fleet_values.rights(),
        *team_values.ephemeral(),
        *team_values.sleep(),
        *fleet_values.prepull(),
        *team_values.tls(),
        *team_values.monitoring(),
        *team_values.jupyter(),
        *health_values.health(),
    )
