"""Pure: the stack's outputs or a notice as the model of both, and a team in it."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from daskfleet.access.errors import AccessError
from daskfleet.contract.declared import Declared, DeclaredFleet, DeclaredTeam

Told = TypeVar("Told", bound=Declared)


def declared_fleet(outputs: Mapping[str, Any]) -> DeclaredFleet:
    """Read the stack's outputs.

    Raises:
        AccessError: there are none, or another release wrote them.

    """
    if not outputs:
        raise AccessError(
            "The stack has no outputs: no `pulumi up` has succeeded since it was made or "
            "destroyed. Run `pulumi up` first."
        )
    return validated(DeclaredFleet, outputs, what="The stack's outputs lack")


def validated(model: type[Told], document: Mapping[str, Any], *, what: str) -> Told:
    """Read a document that some release of the program has written.

    Raises:
        AccessError: it says less than this release needs.

    """
    try:
        return model.model_validate(document)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise AccessError(
            f"{what} what is needed ({wrong}). To correct that, platform engineers run `pulumi "
            f"up` with this release of the program."
        ) from error


def team_in(fleet: DeclaredFleet, name: str) -> DeclaredTeam:
    """Return a team that has a Dask cluster.

    Raises:
        AccessError: there is no such team, or it is retired.

    """
    if name in fleet.retired_teams:
        raise AccessError(f"Team {name} is retired: it has a namespace, and no Dask cluster.")
    if name not in fleet.teams:
        known = ", ".join(sorted(fleet.teams)) or "none"
        raise AccessError(f"The stack has no team {name}; it has: {known}.")
    return fleet.teams[name]
