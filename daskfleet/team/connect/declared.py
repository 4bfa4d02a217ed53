"""Pure: what the last ``pulumi up`` says of a team, as far as a connection needs it."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from daskfleet.team.connect.errors import ConnectError


class DeclaredJupyter(BaseModel):
    """How a team's JupyterLab is reached."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    service: str
    port: int
    token_secret: str


class DeclaredTeam(BaseModel):
    """How a team's Dask cluster is reached inside of the cluster, and what runs there."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    namespace: str
    address: str
    """Of the scheduler, by the name of the team's Service."""

    dashboard: str
    image: str
    rapids: str
    cuda: int
    jupyter: DeclaredJupyter | None = None
    """None: the team has none."""
    tls_client_secret: str | None = None
    """Secret with a client's certificate; None: the team has no TLS."""

    @property
    def service(self) -> str:
        """The team's Service."""
        return (urlsplit(self.address).hostname or "").partition(".")[0]

    @property
    def scheduler_port(self) -> int:
        """Where the scheduler listens."""
        return urlsplit(self.address).port or 0

    @property
    def dashboard_port(self) -> int:
        """Where the scheduler's HTTP server listens."""
        return urlsplit(self.dashboard).port or 0

    def address_at(self, port: int) -> str:
        """Return the scheduler's address by a port of this machine; its protocol stays."""
        return f"{urlsplit(self.address).scheme}://127.0.0.1:{port}"

    def dashboard_at(self, port: int) -> str:
        """Return the dashboard's address by a port of this machine."""
        parts = urlsplit(self.dashboard)
        return parts._replace(netloc=f"127.0.0.1:{port}").geturl()


def declared_team(outputs: Mapping[str, Any], name: str) -> DeclaredTeam:
    """Read the stack's outputs.

    Raises:
        ConnectError: there is no such team, or it has no cluster.

    """
    if not outputs:
        raise ConnectError(
            "The stack has no outputs: no `pulumi up` has succeeded since it was made or "
            "destroyed. Run `pulumi up` first."
        )
    teams = outputs.get("teams") or {}
    if name in (outputs.get("retired_teams") or {}):
        raise ConnectError(f"Team {name} is retired: it has a namespace, and no Dask cluster.")
    if name not in teams:
        known = ", ".join(sorted(teams)) or "none"
        raise ConnectError(f"The stack has no team {name}; it has: {known}.")
    try:
        return DeclaredTeam.model_validate(teams[name])
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise ConnectError(
            f"The stack's output for team {name} lacks what a connection needs ({wrong}). Run "
            "`pulumi up` with this release of the program."
        ) from error
