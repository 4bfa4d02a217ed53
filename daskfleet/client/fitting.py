"""Whether a Python fits the scheduler, and what to do where it does not, in words."""

import warnings

from distributed.versions import get_versions

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.errors import VersionsDifferError, VersionsDifferWarning
from daskfleet.versions import VERSION, Difference, Packages, comparable, differences


def check_fit(
    scheduler: Packages,
    *,
    team: str | None,
    told: DeclaredTeam | None,
    stacklevel: int,
    otherwise: str = "",
) -> None:
    """Compare this Python with the scheduler's packages.

    Args:
        scheduler: what it has.
        team: the team's name; None: the caller named none.
        told: what the fleet tells of it; None inside of the cluster.
        stacklevel: frames from a warning to the one whom it concerns.
        otherwise: a last sentence, of how to do without a check.

    Raises:
        VersionsDifferError: task graphs of this Python cannot be unpacked there.

    """
    found = differences(get_versions()["packages"], scheduler)
    if any(each.breaks for each in found):
        raise VersionsDifferError(
            f"{_of(team)} cannot unpack what this Python sends: {_joined(found)}. "
            f"{_next_step(scheduler, team=team, told=told)} {otherwise}".rstrip(),
            found,
        )
    if found:
        warnings.warn(
            f"{_of(team)} has other packages than this Python: {_joined(found)}. Usually that "
            f"does no harm. In an environment of `daskfleet environment {team or 'TEAM'}` all "
            f"are the "
            "same.",
            VersionsDifferWarning,
            stacklevel=stacklevel + 1,
        )


def _of(team: str | None) -> str:
    return f"The scheduler of team {team}" if team else "The team's scheduler"


def _joined(found: tuple[Difference, ...]) -> str:
    return ", ".join(map(str, found))


def _next_step(scheduler: Packages, *, team: str | None, told: DeclaredTeam | None) -> str:
    told_python = comparable(scheduler).get("python", "")
    # Part of a command that people paste.
    python = ".".join(told_python.split(".")[:2]) if VERSION.fullmatch(told_python) else "3"
    image = f" ({told.image})" if told else ""
    command = f"daskfleet environment {team or 'TEAM'}"
    return (
        f"Make an environment that fits: `{command} > requirements.txt`, "
        f"`python{python} -m venv fits`, `fits/bin/pip install --requirement requirements.txt`; "
        f"`--format conda` is the same for conda. Or run the team's image{image}: `--format image`."
    )
