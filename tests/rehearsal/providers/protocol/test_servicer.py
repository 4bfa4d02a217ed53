"""The provider protocol over gRPC, in process. Unit tier: a loopback server, no engine."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from google.protobuf import empty_pb2
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc, status_pb2

from rehearsal.providers.protocol import UNKNOWN, Secret, start_server
from rehearsal.providers.protocol.engine_log import EngineLog
from rehearsal.providers.protocol.values import decode, encode
from tests.rehearsal.providers.protocol.toy_provider import FUNCTION, TOKEN, ToyProvider

Stub = provider_pb2_grpc.ResourceProviderStub
URN = f"urn:pulumi:dev::project::my:component:Team${TOKEN}::blue"


@pytest.fixture
def stub() -> Iterator[Stub]:
    server, port = start_server(ToyProvider(), EngineLog())
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield Stub(channel)
    server.stop(grace=None)


def _text(error: grpc.RpcError) -> str:
    """Read what the engine would show."""
    assert isinstance(error, grpc.Call)
    return error.details() or ""


def _create(stub: Stub, *, fail: str, preview: bool = False) -> provider_pb2.CreateResponse:
    properties = encode({"fail": fail})
    answer: provider_pb2.CreateResponse = stub.Create(
        provider_pb2.CreateRequest(urn=URN, properties=properties, preview=preview)
    )
    return answer


def test_the_handshake_asks_for_secrets_and_tells_the_version(stub: Stub) -> None:
    assert stub.Handshake(provider_pb2.ProviderHandshakeRequest()).accept_secrets
    assert stub.GetPluginInfo(empty_pb2.Empty()).version == "1.2.3"


def test_check_returns_inputs_with_an_autoname_that_one_seed_always_gives(stub: Stub) -> None:
    request = provider_pb2.CheckRequest(
        urn=URN, news=encode({"fail": "no"}), randomSeed=b"seed of the step"
    )
    names = {decode(stub.Check(request).inputs)["name"] for _ in range(2)}
    assert len(names) == 1
    assert names.pop().startswith("blue-")


def test_check_failures_name_the_property(stub: Stub) -> None:
    answer = stub.Check(provider_pb2.CheckRequest(urn=URN, news=encode({})))
    assert [(f.property, f.reason) for f in answer.failures] == [("fail", "input fail is missing")]


def test_a_detailed_diff_tells_replacements_from_updates(stub: Stub) -> None:
    answer = stub.Diff(
        provider_pb2.DiffRequest(
            urn=URN,
            old_inputs=encode({"name": "a", "size": {"gb": 1}}),
            news=encode({"name": "b", "size": {"gb": 2}}),
        )
    )
    kinds = {path: diff.kind for path, diff in answer.detailedDiff.items()}
    assert kinds == {
        "name": provider_pb2.PropertyDiff.UPDATE_REPLACE,
        "size.gb": provider_pb2.PropertyDiff.UPDATE,
    }
    assert list(answer.replaces) == ["name"]
    assert list(answer.diffs) == ["name", "size"]
    assert answer.deleteBeforeReplace


def test_equal_inputs_are_no_diff(stub: Stub) -> None:
    same = encode({"name": "a"})
    answer = stub.Diff(provider_pb2.DiffRequest(urn=URN, old_inputs=same, news=same))
    assert answer.changes == provider_pb2.DiffResponse.DIFF_NONE


def test_a_preview_leaves_computed_outputs_unknown(stub: Stub) -> None:
    assert decode(_create(stub, fail="no", preview=True).properties)["address"] is UNKNOWN


def test_a_secret_input_is_secret_in_the_outputs(stub: Stub) -> None:
    properties = encode({"fail": Secret("no")})
    answer = stub.Create(provider_pb2.CreateRequest(urn=URN, properties=properties, preview=True))
    assert decode(answer.properties)["fail"] == Secret("no")


def test_an_error_text_reaches_the_engine_unchanged(stub: Stub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        _create(stub, fail="refuse")
    assert _text(caught.value) == "quota exceeded: ask for more"


def test_a_half_made_resource_carries_its_id_and_reasons(stub: Stub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        _create(stub, fail="half")
    assert isinstance(caught.value, grpc.Call)
    metadata = {entry.key: entry.value for entry in caught.value.trailing_metadata() or ()}
    status = status_pb2.Status.FromString(metadata["grpc-status-details-bin"])
    detail = provider_pb2.ErrorResourceInitFailed()
    assert status.details[0].Unpack(detail)
    assert (detail.id, list(detail.reasons)) == ("half-1", ["no GPU left"])
    assert decode(detail.inputs) == {"fail": "half"}


def test_an_unexpected_exception_is_an_internal_error_with_its_type(stub: Stub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        _create(stub, fail="crash")
    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.INTERNAL
    assert "KeyError" in _text(caught.value)


def test_cancel_ends_a_waiting_create(stub: Stub) -> None:
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(_create, stub, fail="hang")
        stub.Cancel(empty_pb2.Empty())
        error = waiting.exception(timeout=10)
    assert isinstance(error, grpc.RpcError)
    assert _text(error) == "cancelled while waiting for Godot"


def test_a_resource_that_is_gone_reads_as_an_empty_id(stub: Stub) -> None:
    assert stub.Read(provider_pb2.ReadRequest(urn=URN, id="gone")).id == ""


def test_an_unserved_type_is_refused_with_what_is_served_and_the_next_step(stub: Stub) -> None:
    urn = "urn:pulumi:dev::project::toy:index:Other::blue"
    with pytest.raises(grpc.RpcError) as caught:
        stub.Check(provider_pb2.CheckRequest(urn=urn))
    text = _text(caught.value)
    assert "toy:index:Other is not served by the toy stand-in" in text
    assert f"it serves {TOKEN}" in text
    assert "--providers real" in text


def test_a_function_is_answered(stub: Stub) -> None:
    answer = stub.Invoke(provider_pb2.InvokeRequest(tok=FUNCTION))
    assert decode(getattr(answer, "return")) == {"answer": 42}


def test_another_function_is_refused_by_name(stub: Stub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        stub.Invoke(provider_pb2.InvokeRequest(tok="toy:index:getThing"))
    assert "toy:index:getThing" in _text(caught.value)


def test_a_provider_argument_that_means_another_cluster_replaces(stub: Stub) -> None:
    answer = stub.DiffConfig(
        provider_pb2.DiffRequest(old_inputs=encode({"cluster": "a"}), news=encode({"cluster": "b"}))
    )
    assert list(answer.replaces) == ["cluster"]


def test_a_refused_configuration_says_why(stub: Stub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        stub.Configure(provider_pb2.ConfigureRequest(args=encode({"cluster": "bad"})))
    assert _text(caught.value) == "cluster bad does not exist"
