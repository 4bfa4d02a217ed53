"""The provider protocol over gRPC: one servicer for every Provider.

Message meanings: pulumi/pulumi `proto/pulumi/provider.proto`. The SDK's own servicer
(`pulumi.provider.experimental`) lacks Handshake and Attach and loses `old_inputs` and
provider diffs, hence this one on the generated base class.
"""

# ruff: noqa: N802 - the methods have the protocol's names

import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc, status_pb2

from rehearsal.providers.protocol.call import Call
from rehearsal.providers.protocol.diff import Diff, format_path
from rehearsal.providers.protocol.engine_log import EngineLog
from rehearsal.providers.protocol.errors import ProviderError, ResourceIncompleteError
from rehearsal.providers.protocol.provider import Checked, Naming, Provider, ResourceType, State
from rehearsal.providers.protocol.values import conceal, decode, encode


class ProviderServicer(provider_pb2_grpc.ResourceProviderServicer):
    """Serves one Provider to one engine."""

    def __init__(self, provider: Provider, log: EngineLog) -> None:
        self._provider = provider
        self._log = log
        self._cancelled = threading.Event()

    def Handshake(self, _request: Any, _context: Any) -> Any:
        """Agree on what values may look like."""
        return provider_pb2.ProviderHandshakeResponse(
            accept_secrets=True, accept_resources=False, accept_outputs=False
        )

    def Attach(self, request: Any, _context: Any) -> Any:
        """Take the address of the engine when it did not start this process."""
        self._log.connect(request.address)
        return empty_pb2.Empty()

    def GetPluginInfo(self, _request: Any, _context: Any) -> Any:
        """Tell the version."""
        return plugin_pb2.PluginInfo(version=self._provider.version)

    def GetMapping(self, _request: Any, _context: Any) -> Any:
        """No mapping from another ecosystem."""
        return provider_pb2.GetMappingResponse()

    def Cancel(self, _request: Any, _context: Any) -> Any:
        """End every wait at once."""
        self._cancelled.set()
        return empty_pb2.Empty()

    def CheckConfig(self, request: Any, context: Any) -> Any:
        """Validate the provider's inputs."""
        with _reporting_errors(context):
            return _check_response(self._provider.check_config(decode(request.news)))

    def DiffConfig(self, request: Any, context: Any) -> Any:
        """Compare the provider's inputs."""
        with _reporting_errors(context):
            old_inputs = decode(request.old_inputs)
            diff = self._provider.diff_config(old_inputs=old_inputs, inputs=decode(request.news))
            return _diff_response(diff)

    def Configure(self, request: Any, context: Any) -> Any:
        """Take the provider's inputs."""
        with _reporting_errors(context):
            self._provider.configure(decode(request.args))
            return provider_pb2.ConfigureResponse(
                acceptSecrets=True, supportsPreview=True, acceptResources=False
            )

    def Invoke(self, request: Any, context: Any) -> Any:
        """Answer a function, or refuse it by name."""
        with _reporting_errors(context):
            answer = self._provider.function(request.tok)
            if answer is None:
                raise ProviderError(
                    f"function {request.tok} is not served by the {self._provider.name} "
                    f"stand-in; {_NEXT_STEP}"
                )
            response = provider_pb2.InvokeResponse()
            getattr(response, "return").CopyFrom(encode(answer))
            return response

    def Check(self, request: Any, context: Any) -> Any:
        """Validate a resource's inputs."""
        with _reporting_errors(context):
            checked = self._type(request.urn).check(
                inputs=decode(request.news),
                old_inputs=decode(request.olds),
                naming=Naming(_name(request.urn), request.randomSeed),
            )
            return _check_response(checked)

    def Diff(self, request: Any, context: Any) -> Any:
        """Compare a stored resource with new inputs."""
        with _reporting_errors(context):
            old = State(request.id, decode(request.old_inputs), decode(request.olds))
            return _diff_response(
                self._type(request.urn).diff(old=old, inputs=decode(request.news))
            )

    def Create(self, request: Any, context: Any) -> Any:
        """Create a resource."""
        with _reporting_errors(context):
            inputs = decode(request.properties)
            call = self._call(request, preview=request.preview)
            state = self._type(request.urn).create(inputs=inputs, call=call)
            outputs = encode(conceal(state.outputs, like=inputs))
            return provider_pb2.CreateResponse(id=state.id, properties=outputs)

    def Read(self, request: Any, context: Any) -> Any:
        """Read a live resource."""
        with _reporting_errors(context):
            stored = State(request.id, decode(request.inputs), decode(request.properties))
            live = self._type(request.urn).read(stored=stored, call=self._call(request))
            if live is None:
                return provider_pb2.ReadResponse(id="")
            return provider_pb2.ReadResponse(
                id=live.id,
                inputs=encode(conceal(live.inputs, like=stored.inputs)),
                properties=encode(conceal(live.outputs, like=stored.inputs)),
            )

    def Update(self, request: Any, context: Any) -> Any:
        """Change a resource in place."""
        with _reporting_errors(context):
            inputs = decode(request.news)
            old = State(request.id, decode(request.old_inputs), decode(request.olds))
            call = self._call(request, preview=request.preview)
            state = self._type(request.urn).update(old=old, inputs=inputs, call=call)
            outputs = encode(conceal(state.outputs, like=inputs))
            return provider_pb2.UpdateResponse(properties=outputs)

    def Delete(self, request: Any, context: Any) -> Any:
        """Delete a resource."""
        with _reporting_errors(context):
            old = State(request.id, decode(request.old_inputs), decode(request.properties))
            self._type(request.urn).delete(old=old, call=self._call(request))
            return empty_pb2.Empty()

    def _type(self, urn: str) -> ResourceType:
        token = _token(urn)
        resource_type = self._provider.resource_type(token)
        if resource_type is None:
            raise ProviderError(
                f"resource type {token} is not served by the {self._provider.name} stand-in; "
                f"it serves {', '.join(self._provider.served())}; {_NEXT_STEP}"
            )
        return resource_type

    def _call(self, request: Any, *, preview: bool = False) -> Call:
        return Call(
            urn=request.urn,
            name=_name(request.urn),
            type=_token(request.urn),
            preview=preview,
            timeout_s=request.timeout or None,
            cancelled=self._cancelled,
            report=lambda text: self._log.status(request.urn, text),
        )


_NEXT_STEP = (
    "install the real plugin (`pulumi plugin install resource <name>`) and run the rehearsal "
    "with `--providers real`"
)


def _token(urn: str) -> str:
    """Take the resource's own type: the last of the parents' chain in the URN."""
    return urn.split("::")[2].rsplit("$", 1)[-1]


def _name(urn: str) -> str:
    return urn.split("::", 3)[3]


def _check_response(checked: Checked) -> Any:
    failures = [
        provider_pb2.CheckFailure(property=failure.path, reason=failure.reason)
        for failure in checked.failures
    ]
    return provider_pb2.CheckResponse(inputs=encode(checked.inputs), failures=failures)


def _diff_response(diff: Diff) -> Any:
    top = sorted({str(path[0]) for path in diff.changes})
    replaces = sorted({str(path[0]) for path, change in diff.changes.items() if change.replaces})
    changes = provider_pb2.DiffResponse.DIFF_SOME if top else provider_pb2.DiffResponse.DIFF_NONE
    return provider_pb2.DiffResponse(
        changes=changes,
        diffs=top,
        replaces=replaces,
        deleteBeforeReplace=diff.delete_before_replace,
        hasDetailedDiff=True,
        detailedDiff={
            format_path(path): provider_pb2.PropertyDiff(kind=change.value, inputDiff=True)
            for path, change in diff.changes.items()
        },
    )


@contextmanager
def _reporting_errors(context: Any) -> Iterator[None]:
    """Turn exceptions into gRPC errors: texts pass through, partial failures keep the state."""
    try:
        yield
    except ResourceIncompleteError as error:
        detail = provider_pb2.ErrorResourceInitFailed(
            id=error.resource_id,
            properties=encode(conceal(error.outputs, like=error.inputs)),
            inputs=encode(error.inputs),
            reasons=list(error.reasons),
        )
        status = status_pb2.Status(code=grpc.StatusCode.UNKNOWN.value[0], message=str(error))
        status.details.add().Pack(detail)
        context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
        _abort(context, grpc.StatusCode.UNKNOWN, str(error))
    except ProviderError as error:
        _abort(context, grpc.StatusCode.UNKNOWN, str(error))
    except Exception as error:  # noqa: BLE001 - the engine must get an answer
        sys.stderr.write(traceback.format_exc())
        _abort(context, grpc.StatusCode.INTERNAL, f"{type(error).__name__}: {error}")


def _abort(context: Any, code: grpc.StatusCode, text: str) -> NoReturn:
    context.abort(code, text)
    raise AssertionError("abort always raises")
