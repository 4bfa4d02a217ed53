"""Whether a Python fits the scheduler, and what to do where it does not, in words."""

import warnings

from distributed.versions import get_versions

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.errors import VersionsDifferError, VersionsDifferWarning
from daskfleet.versions import Difference, Packages, comparable, differences


def check_fit(
    scheduler: Packages, *, team: str | None, told: DeclaredTeam | None, stacklevel: int
) -> None:
    """Compare this Python with the scheduler's packages.

    Raises:
        VersionsDifferError: task graphs of this Python cannot be unpacked there.

    """
    found = differences(get_versions()["packages"], scheduler)
    if any(each.breaks for each in found):
        raise VersionsDifferError(
            f"{_of(team)} cannot unpack what this Python sends: {_joined(found)}. "
            f"{_next_step(scheduler, team=team, told=told)} "
            "connect(..., check_versions=False) connects all the same.",
            found,
        )
    if found:
        warnings.warn(
            f"{_of(team)} has other packages than this Python: {_joined(found)}. Mostly that does "
            "no harm; `daskfleet environment` makes an environment in which all are the same.",
            VersionsDifferWarning,
            stacklevel=stacklevel + 1,
        )


def _of(team: str | None) -> str:
    return f"The scheduler of team {team}" if team else "The team's scheduler"


def _joined(found: tuple[Difference, ...]) -> str:
    return ", ".join(map(str, found))


def _next_step(scheduler: Packages, *, team: str | None, told: DeclaredTeam | None) -> str:
    python = ".".join(comparable(scheduler).get("python", "3").split(".")[:2])
    name = f" {team}" if team else ""
    image = f" ({told.image})" if told else ""
    return (
        f"Make an environment that fits: `daskfleet environment{name} > requirements.txt`, "
        f"`python{python} -m venv fits`, `fits/bin/pip install --requirement requirements.txt`; "
        f"`--format conda` is the same for conda. Or run the team's image{image}: `--format image`."
    )
