"""Who is behind each team's address, from moment to moment."""

import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

from kubernetes import client, config, watch
from urllib3.exceptions import HTTPError

from rehearsal.errors import RehearsalError
from rehearsal.supervisor.launch import live_supervisor
from rehearsal.workspace import Workspace

OF_THE_ADDRESS = "kubernetes.io/service-name=dask"
WATCH_S = 1
"""One watch; the next goes on where it ended, and the end of all is seen that soon."""

ANSWER_S = 10
"""An API server on this machine answers within milliseconds, or not at all."""

LOOK_AGAIN_S = 0.2
UNREACHABLE = (
    client.ApiException,
    config.ConfigException,
    HTTPError,
    OSError,
    RehearsalError,
    json.JSONDecodeError,
)
"""There is no control plane, or it does not answer, or it has forgotten where a watch was."""


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
    """Follows the EndpointSlices of every Service ``dask`` while the block runs.

    When the control plane goes, nobody is behind any address; the one that comes in its place is
    followed from then on.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._slices: dict[tuple[str, str], frozenset[str]] = {}
        self._version = ""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self.moments: dict[str, list[Moment]] = {}
        """By namespace, from when it was first seen with an address."""

    def __enter__(self) -> Self:
        self._begin()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._note(is_last=True)

    def _follow(self) -> None:
        while not self._ended.is_set():
            try:
                self._watch()
            except UNREACHABLE:
                self._begin_again()

    def _watch(self) -> None:
        stream = watch.Watch().stream(
            self._api.list_endpoint_slice_for_all_namespaces,
            label_selector=OF_THE_ADDRESS,
            resource_version=self._version,
            timeout_seconds=WATCH_S,
            _request_timeout=ANSWER_S,
        )
        for event in stream:
            item = event["object"]
            self._version = item.metadata.resource_version
            self._slices[_key(item)] = frozenset() if event["type"] == "DELETED" else _ready(item)
            self._note()

    def _begin_again(self) -> None:
        while not self._ended.is_set():
            try:
                self._begin()
            except UNREACHABLE:
                self._slices = {}
                self._note()
                self._ended.wait(LOOK_AGAIN_S)
            else:
                return

    def _begin(self) -> None:
        """Connect to the control plane that there is now, and see who is there."""
        supervisor = live_supervisor(self._workspace)
        if supervisor is None or not supervisor.clusters:
            raise RehearsalError("There is no control plane whose addresses could be watched.")
        how = client.Configuration()
        how.retries = False  # they are made here, and without a warning for each
        kubeconfig = str(supervisor.clusters[-1].kubeconfig)
        connection = config.new_client_from_config(kubeconfig, client_configuration=how)
        self._api = client.DiscoveryV1Api(connection)
        listed = self._api.list_endpoint_slice_for_all_namespaces(
            label_selector=OF_THE_ADDRESS, _request_timeout=ANSWER_S
        )
        self._slices = {_key(item): _ready(item) for item in listed.items}
        self._version = (listed.metadata and listed.metadata.resource_version) or ""
        self._note()

    def _note(self, *, is_last: bool = False) -> None:
        now: dict[str, frozenset[str]] = dict.fromkeys(self.moments, frozenset())
        for (namespace, _), ready in self._slices.items():
            now[namespace] = now.get(namespace, frozenset()) | ready
        for namespace, schedulers in now.items():
            known = self.moments.setdefault(namespace, [])
            if is_last or not known or known[-1].schedulers != schedulers:
                known.append(Moment(at_s=time.monotonic(), schedulers=schedulers))


def _key(endpoint_slice: Any) -> tuple[str, str]:
    return endpoint_slice.metadata.namespace, endpoint_slice.metadata.name


def _ready(endpoint_slice: Any) -> frozenset[str]:
    document: Mapping[str, Any] = endpoint_slice.to_dict()
    return frozenset(
        endpoint["target_ref"]["name"]
        for endpoint in document["endpoints"] or ()
        if endpoint["conditions"]["ready"]
    )
