"""The client of a team's cluster, with which its tunnel ends."""

import asyncio
import atexit
import contextlib
from collections.abc import Mapping
from typing import Any

from distributed import Client, Security

from daskfleet.access.client_certificate import CA_FILE, CERT_FILE, KEY_FILE
from daskfleet.client.held_tunnel import HeldTunnel, Opened

EXIT_TIMEOUT_S = 3
"""As distributed has it for the client that it closes when Python ends."""


class TeamClient(Client):
    """A ``distributed.Client`` that knows its team, and ends its tunnel with itself."""

    def __init__(
        self,
        address: str,
        *,
        tunnel: HeldTunnel | None = None,
        opened: Opened | None = None,
        **options: Any,
    ) -> None:
        """Connect as ``Client`` does, by a tunnel or, inside of the cluster, without."""
        self.team = opened.team if opened else None
        """What the fleet tells of it; None inside of the cluster, where it is not asked."""
        self._tunnel = tunnel
        self._dashboard = opened.dashboard if opened else None
        super().__init__(address, **options)  # type: ignore[no-untyped-call]
        # What is registered later is called earlier: before distributed's own, which would find
        # no tunnel, and closes one client only.
        atexit.register(self._end_with_python)

    @property
    def dashboard_link(self) -> str:
        """The dashboard, at the tunnel's port where there is a tunnel."""
        return self._dashboard or str(super().dashboard_link)

    async def _close(self, *arguments: Any, **options: Any) -> None:
        """Where every way to close ends, that of a scheduler which stays away included."""
        atexit.unregister(self._end_with_python)
        # The event loop still has to release futures that were dropped before this call. If their
        # release went out after the farewell, the scheduler could have hung up, and distributed
        # 2026.8.0 would print the traceback of that (seen on a busy machine, without a tunnel too).
        await asyncio.sleep(0)
        try:
            await super()._close(*arguments, **options)
        finally:
            if self._tunnel is not None:
                await self._tunnel.aclose()

    def _end_with_python(self) -> None:
        if not self.asynchronous:
            with contextlib.suppress(TimeoutError, RuntimeError):
                self.close(timeout=EXIT_TIMEOUT_S)
        if self._tunnel is not None:
            self._tunnel.close()


def new_client(
    way: str | HeldTunnel, opened: Opened | None, *, timeout_s: float, asynchronous: bool
) -> TeamClient:
    """Return a client; with an event loop of the caller's it is to be awaited."""
    options: dict[str, Any] = {"timeout": timeout_s, "asynchronous": asynchronous}
    if isinstance(way, str) or opened is None:
        return TeamClient(str(way), **options)
    security = security_of(opened.certificate) if opened.certificate else None
    return TeamClient(opened.address, tunnel=way, opened=opened, security=security, **options)


def security_of(certificate: Mapping[str, bytes]) -> Security:
    """Return what logs in; distributed takes what is in the files as well as their names."""
    ca, cert, key = (certificate[part].decode() for part in (CA_FILE, CERT_FILE, KEY_FILE))
    return Security(
        tls_ca_file=ca, tls_client_cert=cert, tls_client_key=key, require_encryption=True
    )
