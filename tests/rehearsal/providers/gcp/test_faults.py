"""What the stand-in does when Google's APIs refuse, stall or fail. Tier: loopback."""

import pytest

from rehearsal.emulator import ConnectionReset, ErrorAnswer, OperationFailure, Stockout
from rehearsal.providers.gcp import google_api
from rehearsal.providers.gcp.google_api import GoogleApi, GoogleApiError
from rehearsal.providers.protocol import (
    OperationTimedOutError,
    ProviderError,
    ResourceIncompleteError,
    State,
)
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.gcp.conftest import StandIn
from tests.rehearsal.providers.gcp.fleet import (
    CLUSTER,
    FLEET,
    NETWORK,
    POOL,
    cluster,
    create_fleet,
    pool_config,
)

BUSY = ErrorAnswer(
    method="POST",
    path="/nodePools$",
    code=400,
    message="Cluster is running incompatible operation operation-1.",
    reason="failedPrecondition",
    times=2,
)


@pytest.fixture(autouse=True)
def _quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(google_api, "RETRY_S", 0.01)


def test_a_stocked_out_pool_stays_in_the_state_with_no_more_words_than_the_real_providers(
    stand_in: StandIn,
) -> None:
    create_fleet(stand_in, until=CLUSTER)
    stand_in.emulator.faults.add(Stockout(pool="a100", times=100))
    with pytest.raises(ResourceIncompleteError) as caught:
        stand_in.create(POOL, FLEET[POOL])
    assert caught.value.resource_id.endswith("/nodePools/a100")
    said = 'NodePool a100 was created in the error state "RUNNING_WITH_ERROR"'
    assert caught.value.reasons == (said,)
    half = State(caught.value.resource_id, caught.value.inputs, caught.value.outputs)
    stand_in.delete(POOL, half)
    assert stand_in.type(POOL).read(stored=half, call=engine_call()) is None


@pytest.mark.parametrize("name", ["labels", "resourceLabels"])
def test_the_last_label_of_a_pool_cannot_be_taken_away(stand_in: StandIn, name: str) -> None:
    """The provider then names no field, and GKE says so (terraform-provider-google 15848)."""
    old = stand_in.update(
        POOL, create_fleet(stand_in)[POOL], pool_config(**{name: {"team": "a", "stage": "b"}})
    )
    less = stand_in.update(POOL, old, pool_config(**{name: {"team": "a"}}))

    with pytest.raises(ProviderError, match=r"At least one of .* must be specified"):
        stand_in.update(POOL, less, pool_config(**{name: {}}))


def test_a_busy_cluster_is_asked_again(stand_in: StandIn) -> None:
    create_fleet(stand_in, until=CLUSTER)
    stand_in.emulator.faults.add(BUSY)
    assert stand_in.create(POOL, FLEET[POOL]).id


def test_a_cluster_that_stays_busy_times_out_and_says_what_it_waited_for(
    stand_in: StandIn,
) -> None:
    create_fleet(stand_in, until=CLUSTER)
    stand_in.emulator.faults.add(BUSY.model_copy(update={"times": 10_000}))
    with pytest.raises(OperationTimedOutError, match=r"POST .*/nodePools to be accepted"):
        stand_in.create(POOL, FLEET[POOL], engine_call(timeout_s=0.2))


def test_a_refusal_is_passed_on_in_googles_words_and_not_retried(stand_in: StandIn) -> None:
    quota = "Insufficient regional quota to satisfy request"
    stand_in.emulator.faults.add(
        ErrorAnswer(method="POST", path="/networks$", code=403, message=quota, reason="forbidden")
    )
    with pytest.raises(GoogleApiError, match=f"googleapi: Error 403: {quota}, forbidden"):
        stand_in.create(NETWORK, FLEET[NETWORK])


@pytest.mark.parametrize(
    "fault",
    [
        ErrorAnswer(method="POST", path="/networks$", code=503, message="try later", times=2),
        ConnectionReset(method="POST", path="/networks$", times=2),
    ],
    ids=["503", "reset"],
)
def test_a_server_error_that_passes_is_survived(
    stand_in: StandIn, fault: ErrorAnswer | ConnectionReset
) -> None:
    stand_in.emulator.faults.add(fault)
    assert stand_in.create(NETWORK, FLEET[NETWORK]).id


def test_a_server_error_that_stays_fails_after_three_tries(stand_in: StandIn) -> None:
    stand_in.emulator.faults.add(
        ErrorAnswer(method="POST", path="/networks$", code=500, message="broken", times=3)
    )
    with pytest.raises(GoogleApiError, match="Error 500: broken"):
        stand_in.create(NETWORK, FLEET[NETWORK])


def test_a_failed_operation_fails_with_its_status_message(stand_in: StandIn) -> None:
    old = create_fleet(stand_in)[POOL]
    stand_in.emulator.faults.add(
        OperationFailure(method="POST", path=":setSize$", message="the zone has no A100")
    )
    with pytest.raises(ProviderError, match="the zone has no A100"):
        stand_in.update(POOL, old, {**FLEET[POOL], "nodeCount": 3})


def test_a_protected_cluster_is_not_deleted_and_nothing_is_sent(stand_in: StandIn) -> None:
    create_fleet(stand_in, until="gcp:projects/iAMMember:IAMMember")
    state = stand_in.create(CLUSTER, cluster(deletionProtection=True))
    before = stand_in.writes()
    with pytest.raises(ProviderError, match="deletion_protection is set to true"):
        stand_in.delete(CLUSTER, state)
    assert stand_in.writes() == before


def test_an_abandoned_network_stays_and_a_prevented_one_refuses(stand_in: StandIn) -> None:
    state = stand_in.create(NETWORK, {**FLEET[NETWORK], "deletionPolicy": "ABANDON"})
    stand_in.delete(NETWORK, state)
    assert stand_in.type(NETWORK).read(stored=state, call=engine_call()) is not None
    prevented = State(state.id, state.inputs, {**state.outputs, "deletionPolicy": "PREVENT"})
    with pytest.raises(ProviderError, match="has deletionPolicy PREVENT"):
        stand_in.delete(NETWORK, prevented)


def test_deleting_what_is_gone_succeeds(stand_in: StandIn) -> None:
    state = stand_in.create(NETWORK, FLEET[NETWORK])
    stand_in.delete(NETWORK, state)
    stand_in.delete(NETWORK, state)
    assert stand_in.type(NETWORK).read(stored=state, call=engine_call()) is None


def test_a_pool_that_exists_already_is_not_adopted(stand_in: StandIn) -> None:
    create_fleet(stand_in)
    with pytest.raises(ProviderError, match="nodePools/a100 - already exists"):
        stand_in.create(POOL, FLEET[POOL])


@pytest.mark.parametrize(
    "url", ["", "https://compute.googleapis.com/compute/beta/", "http://127.0.0.1:80/compute"]
)
def test_anything_but_an_emulator_on_this_machine_is_refused(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("GOOGLE_CONTAINER_CUSTOM_ENDPOINT", "http://127.0.0.1:80/container/")
    monkeypatch.setenv("GOOGLE_COMPUTE_CUSTOM_ENDPOINT", url)
    with pytest.raises(ProviderError, match=r"GOOGLE_COMPUTE_CUSTOM_ENDPOINT is .*never speaks"):
        GoogleApi.from_environment()
