"""Unit: a container's environment, by the kubelet's rules."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehearsal.dask_pods.model import Mounted
from rehearsal.dask_pods.variables import ConfigError, Variables, expand, variables_of
from tests.rehearsal.dask_pods.pods import place, pod

MOUNTED = Mounted(
    config_maps={"settings": {"LEVEL": b"debug", "ROUTES": b"a,b"}},
    secrets={"access": {"TOKEN": b"hush", "USER": b"ann"}},
)
NAME = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
TEXT = st.text(alphabet=st.sampled_from("$()AB_ x"), max_size=30)


def variables(tmp_path: Path, *env: dict[str, Any], **container: Any) -> Variables:
    document = pod({"env": list(env), **container})
    (only,) = document["spec"]["containers"]
    return variables_of(document, only, place=place(tmp_path), mounted=MOUNTED)


def from_source(name: str, **source: Any) -> dict[str, Any]:
    return {"name": name, "valueFrom": source}


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("$(A)", "one"),
        ("x$(A)y$(B)", "xoneytwo"),
        ("$$(A)", "$(A)"),
        ("$$$(A)", "$one"),
        ("$$$$(A)", "$$(A)"),
        ("$(MISSING)", "$(MISSING)"),
        ("$()", "$()"),
        ("$A ${A} $(A", "$A ${A} $(A"),
        ("cost: 5$", "cost: 5$"),
        ("$($(A))", "$($(A))"),
    ],
)
def test_references_are_replaced_and_escapes_undone(text: str, expanded: str) -> None:
    assert expand(text, {"A": "one", "B": "two"}) == expanded


@given(text=TEXT)
def test_a_text_with_every_dollar_escaped_comes_out_as_it_was(text: str) -> None:
    assert expand(text.replace("$", "$$"), {"A": "one", "B": "two", "": "three"}) == text


@given(before=st.text(alphabet="ab/ ="), name=NAME, value=st.text(), after=st.text(alphabet="cd)"))
def test_a_value_is_put_in_whole_and_not_expanded_again(
    before: str, name: str, value: str, after: str
) -> None:
    assert expand(f"{before}$({name}){after}", {name: value}) == f"{before}{value}{after}"


@given(text=TEXT.filter(lambda text: "$$" not in text))
def test_what_refers_to_nothing_known_stays_as_it_is(text: str) -> None:
    assert expand(text, {}) == text


def test_a_value_sees_what_came_before_it_and_not_what_comes_after(tmp_path: Path) -> None:
    found = variables(
        tmp_path,
        {"name": "EARLY", "value": "$(LATE)"},
        {"name": "LATE", "value": "x"},
        {"name": "BOTH", "value": "$(EARLY)-$(LATE)"},
    )
    assert found.values == {"EARLY": "$(LATE)", "LATE": "x", "BOTH": "$(LATE)-x"}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("metadata.name", "alpha-worker-1"),
        ("metadata.namespace", "alpha"),
        ("metadata.uid", "0f6c1c1e"),
        ("metadata.labels['dask.org/component']", "worker"),
        ("metadata.labels['none']", ""),
        ("metadata.annotations['note']", "one"),
        ("spec.nodeName", "gke-a100-1"),
        ("spec.serviceAccountName", "dask"),
        ("status.podIP", "127.77.3.4"),
        ("status.hostIP", "10.128.0.7"),
    ],
)
def test_the_pod_tells_of_itself(tmp_path: Path, path: str, value: str) -> None:
    found = variables(tmp_path, from_source("FIELD", fieldRef={"fieldPath": path}))
    assert found.values == {"FIELD": value}


def test_a_field_that_the_kubelet_does_not_offer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=re.escape("unsupported fieldPath: spec.hostNetwork")):
        variables(tmp_path, from_source("F", fieldRef={"fieldPath": "spec.hostNetwork"}))


@pytest.mark.parametrize(
    ("resource", "divisor", "value"),
    [
        ("limits.memory", "1", str(24 * 2**30)),
        ("limits.memory", "1Gi", "24"),
        ("requests.cpu", "1m", "1500"),
        ("requests.cpu", "0", "2"),
    ],
)
def test_resources_are_told_in_units_of_the_divisor_and_rounded_up(
    tmp_path: Path, resource: str, divisor: str, value: str
) -> None:
    found = variables(
        tmp_path,
        from_source("R", resourceFieldRef={"resource": resource, "divisor": divisor}),
        resources={"requests": {"cpu": "1500m"}, "limits": {"memory": "24Gi"}},
    )
    assert found.values == {"R": value}


def test_keys_of_configmaps_and_secrets_are_read_and_secrets_marked(tmp_path: Path) -> None:
    found = variables(
        tmp_path,
        from_source("LEVEL", configMapKeyRef={"name": "settings", "key": "LEVEL"}),
        from_source("TOKEN", secretKeyRef={"name": "access", "key": "TOKEN"}),
        {"name": "HEADER", "value": "Bearer $(TOKEN)"},
        {"name": "TWICE", "value": "$(HEADER) $(LEVEL)"},
    )
    assert found.values["HEADER"] == "Bearer hush"
    assert found.shown == {"LEVEL": "debug"}


def test_all_of_a_configmap_and_a_secret_with_a_prefix_and_env_wins(tmp_path: Path) -> None:
    found = variables(
        tmp_path,
        {"name": "LEVEL", "value": "info"},
        {"name": "WHO", "value": "$(MY_USER)"},
        envFrom=[
            {"configMapRef": {"name": "settings"}},
            {"prefix": "MY_", "secretRef": {"name": "access"}},
            {"configMapRef": {"name": "missing", "optional": True}},
        ],
    )
    assert found.values == {
        "LEVEL": "info",
        "ROUTES": "a,b",
        "MY_TOKEN": "hush",
        "MY_USER": "ann",
        "WHO": "ann",
    }
    assert found.secret == {"MY_TOKEN", "MY_USER", "WHO"}


def test_a_secret_that_is_overridden_is_a_secret_no_more(tmp_path: Path) -> None:
    found = variables(
        tmp_path,
        {"name": "TOKEN", "value": "public"},
        envFrom=[{"secretRef": {"name": "access"}}],
    )
    assert found.shown == {"TOKEN": "public"}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ({"configMapKeyRef": {"name": "none", "key": "K"}}, 'configmap "none" not found'),
        ({"secretKeyRef": {"name": "none", "key": "K"}}, 'secret "none" not found'),
        (
            {"configMapKeyRef": {"name": "settings", "key": "K"}},
            "couldn't find key K in ConfigMap alpha/settings",
        ),
        (
            {"secretKeyRef": {"name": "access", "key": "K"}},
            "couldn't find key K in Secret alpha/access",
        ),
    ],
)
def test_what_is_missing_is_refused_in_the_kubelets_words_unless_optional(
    tmp_path: Path, source: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConfigError, match=re.escape(words)):
        variables(tmp_path, from_source("V", **source))
    ((kind, reference),) = source.items()
    optional = from_source("V", **{kind: {**reference, "optional": True}})
    assert variables(tmp_path, optional).values == {}
