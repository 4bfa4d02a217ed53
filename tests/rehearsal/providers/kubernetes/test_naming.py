"""Unit tests: names and defaults that Check adds."""

from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.manifest import AUTONAMED
from rehearsal.providers.kubernetes.naming import with_identity, with_name, with_namespace
from rehearsal.providers.protocol import UNKNOWN, Naming

NAMING = Naming("web", b"seed")


def test_an_explicit_name_stays() -> None:
    inputs = {"metadata": {"name": "web"}}
    assert with_name(inputs, old_inputs={}, naming=NAMING) == inputs


def test_a_name_that_is_not_known_yet_is_still_a_name() -> None:
    inputs = {"metadata": {"name": UNKNOWN}}
    assert with_name(inputs, old_inputs={}, naming=NAMING) == inputs


def test_an_automatic_name_is_marked() -> None:
    named = with_name({}, old_inputs={}, naming=NAMING)
    assert named["metadata"]["annotations"] == {AUTONAMED: "true"}
    assert named["metadata"]["name"].startswith("web-")


def test_a_named_object_that_loses_its_name_is_not_renamed() -> None:
    old = {"metadata": {"name": "chosen"}}
    assert with_name({"metadata": {}}, old_inputs=old, naming=NAMING) == {"metadata": {}}


def test_the_default_namespace_fills_a_gap_only() -> None:
    assert with_namespace({"metadata": {}}, "team")["metadata"]["namespace"] == "team"
    chosen = {"metadata": {"namespace": "mine"}}
    assert with_namespace(chosen, "team") == chosen


def test_a_kind_that_contradicts_the_resource_type_is_refused() -> None:
    kind = Kind("apps", "v1", "Deployment")
    inputs, failures = with_identity({"kind": "DaemonSet"}, kind)
    assert [failure.path for failure in failures] == ["kind"]
    assert inputs["apiVersion"] == "apps/v1"
