"""Edits of exported states; unit tier."""

from typing import Any

from daskfleet.platform.recovery.deployment import edited, planned_creations

STACK = "urn:pulumi:prod::daskfleet"
ROOT = f"{STACK}::pulumi:pulumi:Stack::daskfleet-prod"
PROVIDER = f"{STACK}::pulumi:providers:gcp::google"
CLUSTER = f"{STACK}::gcp:container/cluster:Cluster::cluster"
POOL = f"{STACK}::gcp:container/nodePool:NodePool::a100-nodes"
POOL_ID = "projects/acme/locations/us-central1-c/clusters/rapids-gpu/nodePools/a100"

Resource = dict[str, Any]


def resource(urn: str, **fields: Any) -> Resource:
    return {"urn": urn, "custom": True, "type": urn.split("::")[2], **fields}


def pool(**fields: Any) -> Resource:
    inputs = {"name": "a100", "cluster": "rapids-gpu", "location": "us-central1-c"}
    made_with = {"provider": f"{PROVIDER}::some-uuid", "parent": ROOT, "dependencies": [CLUSTER]}
    return resource(POOL, inputs=inputs, **{**made_with, **fields})


def exported(*resources: Resource, pending: tuple[tuple[str, Resource], ...] = ()) -> Resource:
    operations = [{"type": kind, "resource": each} for kind, each in pending]
    provider = resource(PROVIDER, id="some-uuid", inputs={"project": "acme"})
    listed = [resource(ROOT), provider, *resources]
    return {"version": 3, "deployment": {"resources": listed, "pending_operations": operations}}


def by_urn(state: Resource, urn: str) -> list[Resource]:
    return [each for each in state["deployment"]["resources"] if each["urn"] == urn]


def test_a_creation_of_unknown_end_becomes_a_resource_with_its_id() -> None:
    result = edited(exported(pending=(("creating", pool(protect=True)),)))
    (found,) = by_urn(result.exported, POOL)
    assert (found["id"], found["protect"]) == (POOL_ID, True)
    assert found["outputs"] == found["inputs"]
    assert "pending_operations" not in result.exported["deployment"]
    assert result.candidates == {POOL: POOL_ID}


def test_updates_and_deletions_of_unknown_end_stay_as_they_were() -> None:
    state = exported(pool(id=POOL_ID), pending=(("updating", pool()), ("deleting", pool())))
    result = edited(state)
    assert by_urn(result.exported, POOL) == [pool(id=POOL_ID)]
    assert not result.candidates


def test_the_export_itself_is_left_alone() -> None:
    state = exported(pending=(("creating", pool()),))
    edited(state)
    assert state == exported(pending=(("creating", pool()),))


def test_references_to_what_the_state_lacks_are_left_out() -> None:
    result = edited(exported(pending=(("creating", pool(deletedWith=CLUSTER)),)))
    (found,) = by_urn(result.exported, POOL)
    assert (found["parent"], found["dependencies"]) == (ROOT, [])
    assert "deletedWith" not in found


def test_a_creation_whose_id_cannot_be_told_is_forgotten_and_named() -> None:
    urn = f"{STACK}::random:index/randomId:RandomId::suffix"
    lost = resource(urn, provider=f"{PROVIDER}::some-uuid", inputs={})
    result = edited(exported(pending=(("creating", lost),)))
    assert result.forgotten == [urn]
    assert by_urn(result.exported, urn) == []


def test_a_replacement_takes_the_place_of_what_was_deleted_for_it() -> None:
    old = pool(id=POOL_ID, pendingReplacement=True)
    result = edited(exported(old, pending=(("creating", pool()),)))
    (found,) = by_urn(result.exported, POOL)
    assert "pendingReplacement" not in found


def test_a_replacement_beside_the_old_one_leaves_the_old_one_to_be_deleted() -> None:
    old = pool(id=POOL_ID.replace("a100", "a100-older"))
    result = edited(exported(old, pending=(("creating", pool()),)))
    first, second = by_urn(result.exported, POOL)
    assert (first["id"], first["delete"]) == (old["id"], True)
    assert second["id"] == POOL_ID


def test_the_default_pool_of_a_cluster_is_looked_for() -> None:
    inputs = {"name": "rapids-gpu", "location": "us-central1-c", "removeDefaultNodePool": True}
    cluster = resource(CLUSTER, id="x", inputs=inputs, provider=f"{PROVIDER}::some-uuid")
    result = edited(exported(cluster))
    ((urn, found),) = result.candidates.items()
    assert found == POOL_ID.replace("a100", "default-pool")
    (added,) = by_urn(result.exported, urn)
    assert added["dependencies"] == [CLUSTER]


def test_what_a_preview_would_create_is_looked_for_unless_it_is_there_or_secret() -> None:
    def create(each: Resource) -> Resource:
        return {"op": "create", "newState": each}

    secret = pool(urn_of="secret") | {"inputs": {"token": "[secret]"}}
    component = resource(ROOT, custom=False)
    steps = [create(pool()), create(secret), create(component), {"op": "same", "newState": pool()}]
    planned = planned_creations({"steps": steps})
    assert planned == [pool()]
    assert edited(exported(), planned).candidates == {POOL: POOL_ID}
    assert edited(exported(pool(id=POOL_ID)), planned).candidates == {}


def test_a_stack_without_resources_has_nothing_to_recover() -> None:
    assert edited({"version": 3, "deployment": {}}).candidates == {}
