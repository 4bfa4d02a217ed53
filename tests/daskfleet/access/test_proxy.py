"""Unit: which proxy is meant, and what is said of one that cannot be used."""

import pytest

from daskfleet.access.errors import AccessError
from daskfleet.access.proxy import proxy_to
from tests.daskfleet.access.played_api import kubeconfig_to

SERVER = "https://gke.example.com"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """None but those of the test."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def test_without_one_requests_go_straight() -> None:
    assert proxy_to(kubeconfig_to(SERVER)) is None


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HTTPS_PROXY": "http://proxy:3128"}, "http://proxy:3128"),
        ({"https_proxy": "proxy:3128"}, "http://proxy:3128"),
        ({"ALL_PROXY": "http://proxy:3128"}, "http://proxy:3128"),
        ({"HTTP_PROXY": "http://proxy:3128"}, None),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "example.com"}, None),
    ],
)
def test_the_environments_is_meant_where_it_is_for_this_server(
    environment: dict[str, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    found = proxy_to(kubeconfig_to(SERVER))
    assert (found and found.address) == expected


def test_the_kubeconfigs_goes_first_and_its_password_is_not_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://other:1")
    kubeconfig = kubeconfig_to(SERVER)
    kubeconfig["clusters"][0]["cluster"]["proxy-url"] = "http://me:hunter2@proxy:3128"
    found = proxy_to(kubeconfig)

    assert found is not None
    assert (found.address, found.named_by) == (
        "http://proxy:3128",
        "`proxy-url` of the kubeconfig",
    )


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("socks5://me:hunter2@proxy:1080", "pip install 'httpx\\[socks\\]'"),
        ("ftp://proxy:21", "whose kind is unknown: use http, https, socks5 or socks5h"),
    ],
)
def test_one_that_cannot_be_used_is_said_with_the_next_step(
    url: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daskfleet.access.proxy.find_spec", lambda _: None)
    monkeypatch.setenv("ALL_PROXY", url)
    with pytest.raises(AccessError, match=said) as error:
        proxy_to(kubeconfig_to(SERVER))
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://me:hunter2/x@proxy:3128",
        "http://me:hunter2#x@proxy:3128",
        "http://me:x?hunter2@proxy:3128",
        "http://me:hunter2@x@proxy:3128",
        "http://me:hunter2[@proxy:3128",
        "http://me:a://hunter2@proxy:3128",
        "me:hunter2@proxy:3128",
        "ftp://me:hunter2/x@proxy:3128",
        "http://me:hunter2@proxy:port",
    ],
)
def test_a_password_with_any_character_is_neither_told_nor_a_traceback(url: str) -> None:
    kubeconfig = kubeconfig_to(SERVER)
    kubeconfig["clusters"][0]["cluster"]["proxy-url"] = url
    try:
        found = proxy_to(kubeconfig)
    except AccessError as error:
        said = str(error)
    else:
        assert found is not None
        said = found.address
    assert "proxy:" in said
    assert "hunter2" not in said
