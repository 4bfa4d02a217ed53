"""Who is behind a team's address, from moment to moment."""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from kubernetes import client, config, watch

OF_THE_ADDRESS = "kubernetes.io/service-name=dask"
WATCH_S = 1
"""One watch; the next goes on where it ended, and the end of all is seen that soon."""


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A change, and what is true from then on."""

    at_s: float
    """On the clock of ``time.monotonic``."""

    schedulers: frozenset[str]
    """Pods that are ready behind the address."""


def unserved_s(moments: Sequence[Moment]) -> float:
    """Sum up the time without a ready scheduler; the last moment only ends the one before."""
    return sum(
        later.at_s - earlier.at_s for earlier, later in pairwise(moments) if not earlier.schedulers
    )


class AddressWatch:
    """Follows the EndpointSlices of the Service ``dask`` of a namespace while the block runs."""

    def __init__(self, kubeconfig: Path, *, namespace: str) -> None:
        self._api = client.DiscoveryV1Api(config.new_client_from_config(str(kubeconfig)))
        self._namespace = namespace
        self._slices: dict[str, frozenset[str]] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self.moments: list[Moment] = []

    def __enter__(self) -> Self:
        listed = self._list()
        for item in listed.items:
            self._slices[item.metadata.name] = _ready(item.to_dict())
        self._version = listed.metadata.resource_version
        self._note()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
        self._note()

    def _follow(self) -> None:
        while not self._ended.is_set():
            stream = watch.Watch().stream(
                self._api.list_namespaced_endpoint_slice,
                self._namespace,
                label_selector=OF_THE_ADDRESS,
                resource_version=self._version,
                timeout_seconds=WATCH_S,
            )
            for event in stream:
                item = event["object"]
                self._version = item.metadata.resource_version
                is_gone = event["type"] == "DELETED"
                ready = frozenset() if is_gone else _ready(item.to_dict())
                self._slices[item.metadata.name] = ready
                self._note()

    def _note(self) -> None:
        ready = frozenset().union(*self._slices.values())
        self.moments.append(Moment(at_s=time.monotonic(), schedulers=ready))

    def _list(self) -> Any:
        return self._api.list_namespaced_endpoint_slice(
            self._namespace, label_selector=OF_THE_ADDRESS
        )


def _ready(endpoint_slice: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(
        endpoint["target_ref"]["name"]
        for endpoint in endpoint_slice["endpoints"] or ()
        if endpoint["conditions"]["ready"]
    )
