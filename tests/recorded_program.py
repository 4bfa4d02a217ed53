"""The whole program under Pulumi's mocks, with everything that it registers recorded.

Mocks check no types, no required inputs and no duplicate names; only the rehearsal's real engine
says that something deploys. They do show what a setting changes, and with which options.
"""

import asyncio
import gc
import json
import runpy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn

import pulumi
import pytest
from google.protobuf import json_format
from pulumi import resource_hooks
from pulumi.runtime import mocks as pulumi_mocks
from pulumi.runtime import resource as runtime_resource
from pulumi.runtime.proto import resource_pb2, source_pb2

from components.gates import retire_workers, rollout_gate, serving_pods
from daskfleet.planning.plan import PodResources

LOAD_BALANCED = {"status": {"loadBalancer": {"ingress": [{"ip": "10.0.0.9"}]}}}
"""What GKE writes once a load balancer has its address."""

ENDPOINTS = {
    "endpoint": "192.0.2.1",
    "masterAuth": {"clusterCaCertificate": "Q0E="},
    "controlPlaneEndpointsConfig": {"dnsEndpointConfig": {"endpoint": "gke-1.example.goog"}},
}
"""What Google works out for a cluster."""

STACK_TYPE = "pulumi:pulumi:Stack"
IDENTITY = {"email": "nodes@example.test", "member": "serviceAccount:nodes@example.test"}
"""What Google works out for a service account."""


CERTIFICATE = {
    "certPem": "CERTIFICATE",
    "validityStartTime": "2026-01-01T00:00:00Z",
    "validityEndTime": "2999-01-01T00:00:00Z",
}
"""What the tls provider makes."""


@dataclass(frozen=True, kw_only=True)
class Registration:
    """One resource, as the program asked the engine for it."""

    type: str
    name: str
    inputs: dict[str, Any]
    is_custom: bool
    parent: str
    provider: str
    is_protected: bool
    deletes_before_replace: bool
    deleted_with: str
    dependencies: frozenset[str]
    replace_on_changes: tuple[str, ...]
    ignore_changes: tuple[str, ...]
    error_hooks: tuple[str, ...]


@dataclass(kw_only=True)
class Recording:
    """Everything that one run of the program did."""

    registrations: list[Registration] = field(default_factory=list)
    component_outputs: dict[str, dict[str, Any]] = field(default_factory=dict)
    gates: list[dict[str, Any]] = field(default_factory=list)
    """Arguments of each wait for a Dask cluster."""

    cost: dict[str, Any] = field(default_factory=dict)
    """The output ``cost``, but for the budget itself, of which it must say more than the number."""

    def of_type(self, kind: str) -> list[Registration]:
        """Return registrations of one type, for example ``gcp:container/nodePool:NodePool``."""
        return [each for each in self.registrations if each.type == kind]

    @property
    def fingerprint(self) -> str:
        """Everything that a setting could change, in an order that does not depend on timing.

        Without the notices: what members are told of a setting is not what the setting does.
        """
        known = sorted(
            json.dumps([each.type, each.name, each.inputs, each.is_protected], sort_keys=True)
            for each in self.registrations
            if not each.name.endswith("-notice")
        )
        gates = sorted(
            f"{gate['declared']} {gate['rollout']} {gate['timeout_s']}" for gate in self.gates
        )
        decided = json.dumps([self.component_outputs, self.cost], sort_keys=True)
        return "\n".join([*known, *gates, decided])


class _Mocks(pulumi_mocks.Mocks):
    def __init__(self, ranges: Mapping[str, str]) -> None:
        super().__init__()
        self._ranges = ranges

    def new_resource(self, args: pulumi_mocks.MockResourceArgs) -> tuple[str, dict[Any, Any]]:
        computed: dict[str, Mapping[str, Any]] = {
            "gcp:container/cluster:Cluster": {**ENDPOINTS, **self._ranges},
            "gcp:serviceaccount/account:Account": IDENTITY,
            "kubernetes:core/v1:Service": LOAD_BALANCED,
            "random:index/randomPassword:RandomPassword": {"result": f"PASSWORD OF {args.name}"},
            "tls:index/privateKey:PrivateKey": {"privateKeyPem": f"KEY OF {args.name}"},
            "tls:index/certRequest:CertRequest": {"certRequestPem": "REQUEST"},
            "tls:index/selfSignedCert:SelfSignedCert": CERTIFICATE,
            "tls:index/locallySignedCert:LocallySignedCert": CERTIFICATE,
        }
        return f"{args.name}-id", {**args.inputs, **computed.get(args.typ, {})}

    def call(self, args: pulumi_mocks.MockCallArgs) -> NoReturn:
        raise AssertionError(f"The program asks nothing of providers, but called {args.token}.")


class _Monitor(pulumi_mocks.MockMonitor):
    def __init__(self, recording: Recording, ranges: Mapping[str, str]) -> None:
        super().__init__(_Mocks(ranges))
        self.recording = recording

    def RegisterResource(self, request: resource_pb2.RegisterResourceRequest) -> Any:  # noqa: N802
        if request.type == STACK_TYPE:  # the SDK makes it in the first run of a process alone
            return super().RegisterResource(request)  # type: ignore[no-untyped-call]
        self.recording.registrations.append(
            Registration(
                type=request.type,
                name=request.name,
                inputs=json_format.MessageToDict(request.object),
                is_custom=request.custom,
                parent=request.parent,
                provider=request.provider,
                is_protected=request.protect,
                deletes_before_replace=request.deleteBeforeReplace,
                deleted_with=request.deletedWith,
                dependencies=frozenset(request.dependencies),
                replace_on_changes=tuple(request.replaceOnChanges),
                ignore_changes=tuple(request.ignoreChanges),
                error_hooks=tuple(request.hooks.on_error),
            )
        )
        return super().RegisterResource(request)  # type: ignore[no-untyped-call]

    def RegisterResourceOutputs(  # noqa: N802
        self, request: resource_pb2.RegisterResourceOutputsRequest
    ) -> Any:
        if f"::{STACK_TYPE}::" not in request.urn:
            outputs = json_format.MessageToDict(request.outputs)
            self.recording.component_outputs[request.urn] = outputs
        return super().RegisterResourceOutputs(request)  # type: ignore[no-untyped-call]


def record(
    settings: Mapping[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    *,
    serving: tuple[PodResources, ...] = (),
) -> Recording:
    """Run the program on these settings, with every Dask cluster ready at once.

    ``serving`` is what serves every blue-green team beside the cluster that is declared.
    """
    recording = Recording()

    async def ready_at_once(**arguments: Any) -> None:
        recording.gates.append(arguments)

    async def nothing_to_retire(**_: Any) -> None:
        """There is no cluster yet."""

    def export(name: str, value: dict[str, Any]) -> None:
        if name == "cost":
            recording.cost.update(value)
            del recording.cost["monthly_budget_usd"]

    async def serves(*_: Any, **__: Any) -> tuple[PodResources, ...]:
        return serving

    monkeypatch.setattr(rollout_gate, "take_over", ready_at_once)
    monkeypatch.setattr(serving_pods, "serving_pods", serves)
    monkeypatch.setattr(retire_workers, "retire_surplus", nothing_to_retire)
    # Under mocks the outputs of the stack itself are registered nowhere.
    monkeypatch.setattr(pulumi, "export", export)
    # The mock monitor has no server for callbacks, and runs no step that a hook could precede.
    monkeypatch.setattr(resource_hooks, "register_resource_hook", _registered)
    monkeypatch.setattr(resource_hooks, "register_error_hook", _registered)
    # Where in the code each resource was made is in no recording, and finding it a fifth of a run.
    monkeypatch.setattr(runtime_resource, "_get_stack_trace", source_pb2.StackTrace)
    with _own_event_loop(), _collector_at_rest():
        _run(_Monitor(recording, _ranges(settings)), settings)
    return recording


def _ranges(settings: Mapping[str, Any]) -> Mapping[str, str]:
    """What Google says of a cluster in a network whose ranges are those of the settings."""
    declared = settings.get("network", {})
    outputs = {"pods_cidr": "clusterIpv4Cidr", "services_cidr": "servicesIpv4Cidr"}
    return {output: declared[key] for key, output in outputs.items() if key in declared}


def _run(monitor: _Monitor, settings: Mapping[str, Any]) -> None:
    pulumi.runtime.set_mocks(
        monitor.mocks, project="daskfleet", stack="test", preview=False, monitor=monitor
    )
    pulumi.runtime.set_all_config(
        {
            f"daskfleet:{key}": value if isinstance(value, str) else json.dumps(value)
            for key, value in settings.items()
        }
    )

    def program() -> None:
        runpy.run_path("__main__.py", run_name="__main__")

    pulumi.runtime.test(program)()  # type: ignore[no-untyped-call]


def _registered(_: object) -> asyncio.Future[None]:
    done = asyncio.get_event_loop().create_future()
    done.set_result(None)
    return done


@contextmanager
def _own_event_loop() -> Iterator[None]:
    """Give Pulumi, which takes the thread's event loop, one that no other test has closed."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        yield
    finally:
        asyncio.set_event_loop(None)
        loop.close()


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Let the garbage of a run lie until it ends.

    The SDKs are a million objects, and to walk them all again and again was two fifths of a run.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
