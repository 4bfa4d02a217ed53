"""Which way leads to a team's scheduler from here."""

from importlib.util import find_spec

from daskfleet.client.held_tunnel import HeldTunnel
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.errors import NoDistributedError

NO_DISTRIBUTED = "This Python has no `distributed`, which every Dask client needs."


def way_to(team: str | None, *, timeout_s: float) -> str | HeldTunnel:
    """Return the scheduler's address inside of the cluster, and elsewhere a tunnel that opens.

    Raises:
        NoTeamError: no team is named, and none can be meant.
        NoDistributedError: no team is named that could tell which one to install.

    """
    if has_distributed():
        from daskfleet.client.inside import inside_address  # noqa: PLC0415 - it needs Dask

        if (address := inside_address(team)) is not None:
            return address
    if team is None:
        raise NoDistributedError(
            f"{NO_DISTRIBUTED} `daskfleet environment TEAM` says which one your team's image has."
        )
    return HeldTunnel(team, timeout_s=timeout_s)


def has_distributed() -> bool:
    """Whether this Python can be a client."""
    return find_spec("distributed") is not None


def require_distributed(team: DeclaredTeam) -> None:
    """Say which one to install, as the fleet tells it.

    Raises:
        NoDistributedError: there is none.

    """
    if has_distributed():
        return
    wanted = " ".join(f"'{name}=={version}'" for name, version in (team.packages or {}).items())
    raise NoDistributedError(
        f"{NO_DISTRIBUTED} The team's image ({team.image}) has this one: "
        f"`pip install {wanted or 'distributed'}`."
    )
