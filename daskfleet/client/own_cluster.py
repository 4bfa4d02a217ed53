"""``daskfleet.Cluster``: a Dask cluster of one's own, for as long as a program wants it."""

import atexit
import importlib
import secrets
from types import TracebackType
from typing import TYPE_CHECKING, Self

from daskfleet.access.own_cluster_bounds import NoSpecError, Wanted
from daskfleet.client.connect import packages_of
from daskfleet.client.held_tunnel import HeldTunnel
from daskfleet.client.own_resources import adapt, own_cluster, scale
from daskfleet.contract.own_clusters import IDLE_TIMEOUT_S
from daskfleet.errors import NoOwnClusterError

if TYPE_CHECKING:
    from daskfleet.client.team_client import TeamClient

TIMEOUT_S = 1200.0
"""A scheduler on a node that has to come first, with its driver and image."""


class Cluster:
    """A Dask cluster like the team's fixed one, on its pools, until ``close``.

    It goes with its ``with`` block, with ``close``, or at the end of Python. Where Python is
    killed, it goes after ``idle_timeout_s`` without work. Unlike ``KubeCluster`` it waits for the
    scheduler's pod, and not until the operator says that it is there (dask-kubernetes#968). It
    speaks TLS where the team does.
    """

    def __init__(
        self,
        team: str,
        *,
        workers: int = 1,
        name: str | None = None,
        idle_timeout_s: int = IDLE_TIMEOUT_S,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        """Make it, and wait for its scheduler.

        Args:
            team: the team's name; it needs ``ephemeral`` in the stack file.
            workers: how many to begin with.
            name: of the cluster; else the team's with an ending that nobody else has.
            idle_timeout_s: seconds without work after which it is deleted.
            timeout_s: seconds to wait for the scheduler.

        Raises:
            daskfleet.errors.NoOwnClusterError: the team may have none, or not so large.
            daskfleet.errors.NoDistributedError: this Python cannot be a client of it.
            daskfleet.errors.AccessError: there is no way to it; the message has the next step.

        """
        self.name = name or f"{team}-own-{secrets.token_hex(3)}"
        wanted = Wanted(name=self.name, workers=workers, idle_timeout_s=idle_timeout_s)
        self._timeout_s = timeout_s
        self._clients: list[TeamClient] = []
        self._tunnel = HeldTunnel(team, timeout_s=timeout_s, lent=own_cluster(wanted))
        try:
            self._opened = self._tunnel.opened.result()
        except BaseException as error:
            self._tunnel.close()  # and with it the cluster
            if isinstance(error, NoSpecError):
                raise NoOwnClusterError(str(error)) from error
            raise
        # What is registered later is called earlier: clients end before distributed does.
        importlib.import_module("distributed")
        atexit.register(self.close)

    @property
    def scheduler_address(self) -> str:
        """Where the scheduler answers on this machine."""
        return self._opened.address

    @property
    def dashboard_link(self) -> str:
        """Where the dashboard answers on this machine."""
        return self._opened.dashboard

    def get_client(self) -> "TeamClient":
        """Return a new client, which is closed with the cluster.

        Raises:
            daskfleet.errors.VersionsDifferError: the team's image has other packages.

        """
        # They need Dask, which a member may still have to install.
        from daskfleet.client.fitting import check_fit  # noqa: PLC0415
        from daskfleet.client.team_client import TeamClient, security_of  # noqa: PLC0415

        certificate = self._opened.certificate
        client = TeamClient(
            self.scheduler_address,
            opened=self._opened,
            security=security_of(certificate) if certificate else None,
            timeout=self._timeout_s,
        )
        self._clients.append(client)
        team = self._opened.team
        packages = client.sync(packages_of, client)
        check_fit(packages, team=team.namespace, told=team, stacklevel=2)
        return client

    def scale(self, workers: int) -> None:
        """Ask for so many workers; ``adapt`` ends with it."""
        self._tunnel.ask(lambda api: scale(api, self._opened.team, workers))

    def adapt(self, *, minimum: int, maximum: int) -> None:
        """Have as many workers as there is work for, within these bounds."""
        self._tunnel.ask(
            lambda api: adapt(api, self._opened.team, minimum=minimum, maximum=maximum)
        )

    def close(self) -> None:
        """Close the clients, and delete the cluster with all that is in its memory."""
        atexit.unregister(self.close)
        while self._clients:
            self._clients.pop().close()
        self._tunnel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
