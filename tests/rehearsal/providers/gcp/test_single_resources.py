"""Each resource type on the emulator by itself: what it sends and refuses. Tier: loopback."""

import pytest

from rehearsal.emulator import ErrorAnswer
from rehearsal.providers.gcp import google_api
from rehearsal.providers.gcp.error_state import error_states
from rehearsal.providers.gcp.provider import RESOURCE_TYPES, GcpProvider
from rehearsal.providers.protocol import (
    Change,
    Properties,
    ProviderError,
    ResourceIncompleteError,
    State,
)
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.gcp.conftest import StandIn
from tests.rehearsal.providers.gcp.fleet import (
    ACCOUNT,
    CLUSTER,
    FLEET,
    MEMBER,
    NAT,
    NETWORK,
    ROUTER,
    SUBNETWORK,
    cluster,
    create_fleet,
)

EMAIL = "serviceAccounts/rapids-nodes@acme-research.iam.gserviceaccount.com"
SUBNET = "regions/us-central1/subnetworks/rapids-nodes"


@pytest.fixture(autouse=True)
def _quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(google_api, "RETRY_S", 0.01)


def writes_of_update(stand_in: StandIn, token: str, old: State, inputs: Properties) -> list[str]:
    """Change in place, read back, and say what was sent."""
    before = len(stand_in.writes())
    new = stand_in.update(token, old, inputs)
    assert stand_in.type(token).read(stored=new, call=engine_call()) == new
    return stand_in.writes()[before:]


@pytest.mark.parametrize("changes", [{"displayName": "Machines"}, {"description": "d"}])
def test_a_service_account_is_changed_by_one_patch(stand_in: StandIn, changes: Properties) -> None:
    old = stand_in.create(ACCOUNT, FLEET[ACCOUNT])
    sent = writes_of_update(stand_in, ACCOUNT, old, {**FLEET[ACCOUNT], **changes})
    assert sent == [f"PATCH {EMAIL}"]


@pytest.mark.parametrize(("before", "verb"), [(False, "disable"), (True, "enable")])
def test_switching_a_service_account_off_and_on_is_what_the_emulator_cannot(
    stand_in: StandIn, verb: str, *, before: bool
) -> None:
    new = stand_in.create(ACCOUNT, FLEET[ACCOUNT])
    old = State(new.id, {**new.inputs, "disabled": before}, new.outputs)
    with pytest.raises(ProviderError, match=rf"does not implement iam.*\.{verb}"):
        stand_in.update(ACCOUNT, old, {**FLEET[ACCOUNT], "disabled": not before})


def test_a_service_account_cannot_begin_switched_off(stand_in: StandIn) -> None:
    with pytest.raises(ProviderError, match=r"does not implement iam.*serviceAccounts\.disable"):
        stand_in.create(ACCOUNT, {**FLEET[ACCOUNT], "disabled": True})


def test_a_service_account_without_a_name_is_refused(stand_in: StandIn) -> None:
    with pytest.raises(ProviderError, match="accountId is missing"):
        stand_in.type(ACCOUNT).create(inputs={}, call=engine_call())


@pytest.mark.parametrize(
    ("changes", "writes"),
    [
        ({"ipCidrRange": "10.0.0.0/19"}, [f"POST {SUBNET}/expandIpCidrRange"]),
        ({"privateIpGoogleAccess": False}, [f"POST {SUBNET}/setPrivateIpGoogleAccess"]),
        (
            {"secondaryIpRanges": FLEET[SUBNETWORK]["secondaryIpRanges"][:1]},
            [f"PATCH {SUBNET}"],
        ),
    ],
    ids=["range", "access", "secondary ranges"],
)
def test_a_subnetwork_is_changed_by_the_calls_that_google_has_for_it(
    stand_in: StandIn, changes: Properties, writes: list[str]
) -> None:
    old = create_fleet(stand_in, until=SUBNETWORK)[SUBNETWORK]
    assert writes_of_update(stand_in, SUBNETWORK, old, {**FLEET[SUBNETWORK], **changes}) == writes


@pytest.mark.parametrize(
    ("cidr", "replaces"),
    [("10.0.0.0/19", False), ("10.0.0.0/21", True), ("10.9.0.0/20", True), ("nonsense", True)],
)
def test_a_subnetwork_grows_in_place_and_nothing_else(
    stand_in: StandIn, cidr: str, *, replaces: bool
) -> None:
    old = create_fleet(stand_in, until=SUBNETWORK)[SUBNETWORK]
    inputs = {**old.inputs, "ipCidrRange": cidr}
    (change,) = stand_in.type(SUBNETWORK).diff(old=old, inputs=inputs).changes.values()
    assert change is (Change.UPDATE_REPLACE if replaces else Change.UPDATE)


def test_a_change_that_stays_on_this_side_sends_nothing(stand_in: StandIn) -> None:
    old = stand_in.create(NETWORK, FLEET[NETWORK])
    inputs = {**FLEET[NETWORK], "deletionPolicy": "ABANDON"}
    assert writes_of_update(stand_in, NETWORK, old, inputs) == []


def test_routes_that_the_stand_in_has_not_are_refused(stand_in: StandIn) -> None:
    with pytest.raises(ProviderError, match="deleteDefaultRoutesOnCreate is not served"):
        stand_in.create(NETWORK, {**FLEET[NETWORK], "deleteDefaultRoutesOnCreate": True})


def test_a_nat_is_one_of_its_routers_list(stand_in: StandIn) -> None:
    states = create_fleet(stand_in, until=NAT)
    second = stand_in.create(NAT, {**FLEET[NAT], "name": "second"})
    changed = {**FLEET[NAT], "natIpAllocateOption": "AUTO_ONLY", "minPortsPerVm": 128}
    sent = writes_of_update(stand_in, NAT, states[NAT], changed)
    assert sent == ["PATCH regions/us-central1/routers/rapids-router"]
    with pytest.raises(ProviderError, match="rapids-nat already exists"):
        stand_in.create(NAT, FLEET[NAT])
    stand_in.delete(NAT, states[NAT])
    assert stand_in.type(NAT).read(stored=second, call=engine_call()) is not None
    assert stand_in.type(NAT).read(stored=states[NAT], call=engine_call()) is None


def test_without_its_router_a_nat_can_only_be_deleted(stand_in: StandIn) -> None:
    states = create_fleet(stand_in, until=NAT)
    stand_in.delete(NAT, states[NAT])
    stand_in.delete(ROUTER, states[ROUTER])
    stand_in.delete(NAT, states[NAT])
    with pytest.raises(ProviderError, match="does not exist, so it can have no NAT rapids-nat"):
        stand_in.create(NAT, FLEET[NAT])


def test_a_grant_with_a_condition_is_refused(stand_in: StandIn) -> None:
    with pytest.raises(ProviderError, match="condition of IAMMember is not served"):
        stand_in.create(MEMBER, {**FLEET[MEMBER], "condition": {"title": "t", "expression": "x"}})


@pytest.mark.parametrize(("code", "is_repeated"), [(409, True), (412, True), (403, False)])
def test_a_policy_that_somebody_else_wrote_meanwhile_is_read_again(
    stand_in: StandIn, code: int, *, is_repeated: bool
) -> None:
    stand_in.create(ACCOUNT, FLEET[ACCOUNT])
    stand_in.emulator.faults.add(
        ErrorAnswer(method="POST", path=":setIamPolicy$", code=code, message="no", times=1)
    )
    if is_repeated:
        assert stand_in.create(MEMBER, FLEET[MEMBER]).id
    else:
        with pytest.raises(ProviderError, match="Error 403: no"):
            stand_in.create(MEMBER, FLEET[MEMBER])


def test_a_cluster_that_exists_already_is_not_adopted(stand_in: StandIn) -> None:
    create_fleet(stand_in, until=CLUSTER)
    with pytest.raises(ProviderError, match="clusters/rapids-gpu - already exists"):
        stand_in.create(CLUSTER, FLEET[CLUSTER])


def test_a_cluster_whose_default_pool_could_not_be_removed_stays_in_the_state(
    stand_in: StandIn,
) -> None:
    create_fleet(stand_in, until=MEMBER)
    stand_in.emulator.faults.add(
        ErrorAnswer(method="DELETE", path="default-pool$", code=403, message="not yours")
    )
    with pytest.raises(ResourceIncompleteError) as caught:
        stand_in.create(CLUSTER, FLEET[CLUSTER])
    assert caught.value.resource_id.endswith("/clusters/rapids-gpu")
    assert "not yours" in caught.value.reasons[0]


def test_a_cluster_in_a_zone_has_that_zone_among_its_nodes(stand_in: StandIn) -> None:
    create_fleet(stand_in, until=MEMBER)
    stand_in.create(CLUSTER, cluster(nodeLocations=["us-central1-b"]))
    project = stand_in.emulator.world.project("acme-research")
    document = project.cluster("us-central1-c", "rapids-gpu").document
    assert set(document["locations"]) == {"us-central1-b", "us-central1-c"}


def test_an_id_of_another_form_is_refused(stand_in: StandIn) -> None:
    with pytest.raises(ProviderError, match="'rapids' does not have the form"):
        stand_in.type(NAT).read(stored=State("rapids", {}, {}), call=engine_call())


def test_what_rests_in_an_error_is_told_in_the_words_of_googles_provider() -> None:
    conditions = [{"message": "no stock"}, {}]
    assert error_states("x", {"status": "RUNNING", "conditions": conditions}) == []
    pool = "projects/p/locations/l/clusters/c/nodePools/a100"
    assert error_states(pool, {"status": "ERROR"}) == [
        'NodePool a100 was created in the error state "ERROR"'
    ]
    told = {"status": "DEGRADED", "statusMessage": "sick", "conditions": [{"message": "no stock"}]}
    assert error_states("projects/p/locations/l/clusters/c", told) == [
        'Cluster c was created in the error state "DEGRADED"'
    ]


def test_the_provider_serves_its_types_once_it_is_configured(stand_in: StandIn) -> None:
    assert stand_in.writes() == []  # the environment points at the emulator
    provider = GcpProvider()
    assert provider.served() == sorted(RESOURCE_TYPES)
    assert provider.resource_type("gcp:sql/database:Database") is None
    with pytest.raises(ProviderError, match="not configured before its first use"):
        provider.resource_type(NETWORK)
    provider.configure({"project": "acme"})
    assert isinstance(provider.resource_type(NETWORK), RESOURCE_TYPES[NETWORK])
    assert provider.check_config({"project": "acme"}).inputs == {"project": "acme"}
    diff = provider.diff_config(old_inputs={"project": "a"}, inputs={"project": "b"})
    assert diff.changes == {("project",): Change.UPDATE}
