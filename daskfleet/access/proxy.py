"""The HTTP proxy that stands between this machine and the Kubernetes API, where one does."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from daskfleet.access.errors import AccessError
from daskfleet.access.kubeconfig import Kubeconfig, server_of

HTTP = ("http", "https")
SOCKS = ("socks5", "socks5h")
OF_ENVIRONMENT = ("https", "http", "all")
"""As httpx reads them (0.28, ``get_environment_proxies``); it makes a connection pool for each,
whether it is used or not."""

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Proxy:
    """A proxy, and who names it."""

    url: str
    named_by: str
    way_around: str
    """What to do where no proxy is needed."""
    is_meant: bool
    """Whether it is used for this server. The environment may exclude servers from its proxies."""

    @property
    def address(self) -> str:
        """Its URL without user and password, which may have any character, escaped or not."""
        scheme = _SCHEME.match(self.url)
        begin = scheme[0] if scheme else ""
        return begin + self.url.removeprefix(begin).rpartition("@")[2]


def proxy_to(kubeconfig: Kubeconfig) -> Proxy | None:
    """Return the proxy by which requests to the API server go; None: they go straight.

    Raises:
        AccessError: one is named that cannot be used.

    """
    named = list(_named(kubeconfig))
    for proxy in named:
        _require_usable(proxy)
    return next((proxy for proxy in named if proxy.is_meant), None)


def _named(kubeconfig: Kubeconfig) -> Iterator[Proxy]:
    if url := kubeconfig["clusters"][0]["cluster"].get("proxy-url"):
        yield Proxy(
            url=str(url),
            named_by="`proxy-url` of the kubeconfig",
            way_around="remove `proxy-url` from the kubeconfig",
            is_meant=True,
        )
        return
    server = urlsplit(server_of(kubeconfig))
    host = server.hostname or ""
    of_environment = getproxies()
    for scheme in OF_ENVIRONMENT:
        if url := of_environment.get(scheme):
            yield Proxy(
                url=url if "://" in url else f"http://{url}",
                named_by=f"{scheme.upper()}_PROXY",
                way_around=f"add {host} to NO_PROXY",
                is_meant=scheme in {server.scheme, "all"} and not proxy_bypass(host),
            )


def _require_usable(proxy: Proxy) -> None:
    try:
        scheme = httpx.URL(proxy.url).scheme
    except httpx.InvalidURL:
        raise AccessError(
            f"{proxy.named_by} names the proxy {proxy.address}, which is not a URL. Write user "
            f"and password with %-escapes, correct it, or {proxy.way_around}."
        ) from None
    if scheme in HTTP:
        return
    if scheme not in SOCKS:
        raise AccessError(
            f"{proxy.named_by} names the proxy {proxy.address}, whose kind is unknown: use http, "
            f"https, socks5 or socks5h. Correct it, or {proxy.way_around}."
        )
    if find_spec("socksio") is None:
        raise AccessError(
            f"{proxy.named_by} names the SOCKS proxy {proxy.address}, for which this Python lacks "
            "a package: `pip install 'httpx[socks]'`. Where no proxy is needed, unset it."
        )
