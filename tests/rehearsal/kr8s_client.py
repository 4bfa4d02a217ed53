"""Connections to the rehearsal's control planes."""

import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import kr8s
import kr8s.asyncio

TIMEOUT_S = 10
"""An API server on this machine answers within milliseconds, or not at all."""


async def connect(kubeconfig: Path) -> kr8s.asyncio.Api:
    """Connect from asynchronous code."""
    with _newest_kubernetes():
        api = await kr8s.asyncio.api(kubeconfig=_content(kubeconfig))
    api.timeout = TIMEOUT_S
    return api


def connect_blocking(kubeconfig: Path) -> kr8s.Api:
    """Connect from synchronous code."""
    with _newest_kubernetes():
        api = kr8s.api(kubeconfig=_content(kubeconfig))
    api.timeout = TIMEOUT_S
    return api


def _content(kubeconfig: Path) -> str:
    """Return the kubeconfig as kr8s takes it.

    By content, since kr8s keeps connections by their arguments: a cluster that is created anew
    has the old one's path, and another address.
    """
    content: str = json.loads(kubeconfig.read_text(encoding="utf-8"))  # its type hint is too narrow
    return content


@contextmanager
def _newest_kubernetes() -> Iterator[None]:
    """kr8s 0.20 warns of Kubernetes above 1.35; what is read here is stable since 1.9."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Kubernetes version .* is not supported")
        yield
