"""Properties: no planted secret survives, and what is none can be read."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daskfleet.access.redaction.redact import redacted, redacted_text
from daskfleet.access.redaction.shapes import CREDENTIALS, HIDDEN
from tests.daskfleet.access.redaction.secrets import ANY_SECRET, BY_SHAPE, SECRET_KEYS

PLAIN = st.sampled_from(["", "a value", "/etc/dask", "100Gi", "nvidia.com/gpu", "see the docs: "])
AFTER = st.sampled_from(["", " ", "\n", '"', "'", ",", " and more", ")", "\\n"])


def around(secret: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, str]]:
    """A secret, and a text with it in the middle."""
    before = st.sampled_from(["", " ", "\n", '"', "(", "=", ": ", "see "])
    return st.tuples(before, secret, AFTER).map(lambda parts: (parts[1], "".join(parts)))


def nested(leaf: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """JSON with at least one such leaf."""
    key = st.sampled_from(["a", "spec", "containers", "name", "value", "key", "metadata"])
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.tuples(inner, PLAIN).map(list), st.tuples(key, inner, PLAIN).map(_mapping)
        ),
        max_leaves=4,
    )


def _mapping(parts: tuple[str, Any, str]) -> dict[str, Any]:
    key, inner, plain = parts
    return {"first": plain, key: inner}


@pytest.mark.parametrize("name", BY_SHAPE)
@given(data=st.data())
def test_no_credential_survives_in_any_text(name: str, data: st.DataObject) -> None:
    secret, text = data.draw(around(BY_SHAPE[name]))

    assert not leaks(secret, redacted_text(text))


@pytest.mark.parametrize("name", BY_SHAPE)
@given(data=st.data())
def test_no_credential_survives_in_any_value(name: str, data: st.DataObject) -> None:
    secret = data.draw(BY_SHAPE[name])
    value = data.draw(nested(st.just(secret)))

    assert not leaks(secret, json.dumps(redacted(value)))
    assert not leaks(secret, json.dumps(redacted(json.dumps(value))))


PLANTED = ANY_SECRET.flatmap(lambda each: st.tuples(st.just(each), nested(st.just(each))))
"""A secret, and JSON that has it somewhere."""


@given(key=SECRET_KEYS, value=PLANTED)
def test_nothing_below_a_suspicious_key_survives(key: str, value: tuple[str, Any]) -> None:
    secret, inner = value

    assert secret not in json.dumps(redacted({"a": [{key: inner}]}), ensure_ascii=False)
    assert secret not in json.dumps(redacted(inner, ("spec", key)), ensure_ascii=False)
    assert secret not in redacted(json.dumps({key: inner}, ensure_ascii=False))


@given(key=SECRET_KEYS, secret=ANY_SECRET)
def test_no_environment_variable_of_a_suspicious_name_survives(key: str, secret: str) -> None:
    variable = {"name": key, "value": secret}

    assert redacted([variable]) == [{"name": key, "value": HIDDEN}]
    assert redacted(secret, ("env", key)) == HIDDEN


@given(
    key=SECRET_KEYS.filter(lambda key: key not in {"kubeconfig", "stringData"}),
    marks=st.sampled_from([("=", ""), (": ", ""), (" = ", ""), ('": "', '"'), ("='", "'")]),
    secret=ANY_SECRET,
)
def test_no_assignment_in_a_message_survives(key: str, marks: tuple[str, str], secret: str) -> None:
    before, after = marks

    assert secret not in redacted_text(f"error: {key}{before}{secret}{after} is bad")


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("PASSWORD=hunter2 is bad", f"PASSWORD={HIDDEN} is bad"),
        ("password: 'my dog' is bad", f"password: '{HIDDEN}' is bad"),
        ('{\\"apiKey\\": \\"a b\\"}', f'{{\\"apiKey\\": \\"{HIDDEN}\\"}}'),
        (
            "Authorization: Bearer abcdefghijkl0= was refused",
            f"Authorization: Bearer {HIDDEN} was refused",
        ),
        ("get https://s/o?a=1&sig=abc%3D&b=2", f"get https://s/o?a=1&sig={HIDDEN}&b=2"),
    ],
)
def test_only_the_secret_is_hidden_and_what_is_around_it_stays(message: str, shown: str) -> None:
    assert redacted_text(message) == shown


LOGINS = st.from_regex(r"[A-Za-z0-9._~!$&*+,;=%-]{4,30}", fullmatch=True)


@given(user=st.sampled_from(["", "me", "oauth2"]), secret=LOGINS)
def test_no_login_in_a_url_survives(user: str, secret: str) -> None:
    shown = redacted_text(f"cloning https://{user}:{secret}@example.org:8443/repo failed")

    assert shown == f"cloning https://{HIDDEN}@example.org:8443/repo failed"


@given(secret=st.binary(min_size=24, max_size=24))
def test_key_material_below_a_key_that_hints_at_it_survives_in_no_encoding(secret: bytes) -> None:
    if len(set(secret)) > 12:
        assert redacted(secret.hex(), ("signing", "authData")) == HIDDEN


@pytest.mark.parametrize(
    "document",
    [
        'apiVersion: v1\nkind: Config\nusers:\n- user:\n    client-key-data: "c2VjcmV0"\n',
        json.dumps({"type": "service_account", "private_key_id": "0123", "client_id": "1"}),
        json.dumps({"auths": {"nvcr.io": {"auth": "JG9hdXRodG9rZW46c2VjcmV0"}}}),
    ],
)
def test_a_login_file_is_hidden_as_a_whole(document: str) -> None:
    assert redacted({"file": document}) == {"file": HIDDEN}


@pytest.mark.parametrize(
    "harmless",
    [
        "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13@sha256:0123456789abcdef0123456789abcdef",
        "https://container.googleapis.com/v1/projects/p/zones/z/clusters/c",
        "git@github.com:example/fleet.git",
        "urn:pulumi:dev::daskfleet::gcp:container/nodePool:NodePool::a100-nodes",
        "nodes@project.iam.gserviceaccount.com",
        "The key nvidia.com/gpu of the taint is missing.",
        "8f14e45f-ceea-467f-a0e6-123456789abc",
        "(known after up)",
        "[secret]",
    ],
)
def test_what_is_no_secret_can_be_read(harmless: str) -> None:
    assert redacted_text(harmless) == harmless
    assert redacted({"value": harmless}) == {"value": harmless}


def test_references_to_secrets_and_switches_can_be_read() -> None:
    harmless = {
        "automountServiceAccountToken": False,
        "imagePullSecrets": [{"name": "registry"}],
        "taints": [{"key": "nvidia.com/gpu", "effect": "NO_SCHEDULE"}],
        "tokenExpirationSeconds": 3600,
        "volumes": [{"secret": None, "secretName": "login"}],
    }

    assert redacted(harmless) == harmless


def test_each_shape_says_where_it_is_written_down() -> None:
    assert all(shape.source for shape in CREDENTIALS)
    assert len({shape.name for shape in CREDENTIALS}) == len(CREDENTIALS)


LEAST = 12
"""Characters of a secret in a row that are of use to somebody."""


def leaks(secret: str, shown: str) -> bool:
    """Whether a part of a secret that is long enough to be of use is left."""
    marks = ("-----", "Proc-Type")
    lines = [line for line in secret.splitlines() if not line.startswith(marks)]
    parts = (line[at : at + LEAST] for line in lines for at in range(0, len(line), LEAST // 2))
    return any(part in shown for part in parts if len(part) == LEAST)
