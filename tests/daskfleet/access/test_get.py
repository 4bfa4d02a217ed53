"""What a refusal and a broken connection say, and that the first costs others nothing."""

import asyncio
import json
from pathlib import Path

import httpx
import kr8s
import kr8s.asyncio
import pytest

from daskfleet.access.errors import AccessError
from daskfleet.access.kubernetes_api import connected, get, status_of
from tests.daskfleet.access.played_api import Answers, played_api

PODS = "/api/v1/namespaces/fraud/pods"
REFUSED = 'nodes is forbidden: User "v" cannot list resource "nodes"'


async def refused(api: kr8s.asyncio.Api, url: str) -> kr8s.ServerError:
    with pytest.raises(kr8s.ServerError) as caught:
        await get(api, "v1", url)
    return caught.value


def test_a_refusal_is_no_new_login_which_would_end_what_others_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: Answers = {
        "GET /api/v1/nodes": (403, {"message": REFUSED}),
        f"GET {PODS}": (200, {"items": []}),
    }

    async def ask() -> None:
        kubeconfig = json.loads((tmp_path / "kubeconfig").read_text())
        async with connected(kubeconfig, request_timeout_s=5) as api:
            logins: list[None] = []

            async def log_in() -> None:
                logins.append(None)

            monkeypatch.setattr(api.auth, "reauthenticate", log_in)
            found, error = await asyncio.gather(
                get(api, "v1", "pods", namespace="fraud"), refused(api, "nodes")
            )
            assert found == {"items": []}
            assert (str(error), status_of(error)) == (REFUSED, 403)
            assert logins == []

    with played_api(answers, tmp_path):
        asyncio.run(ask())


@pytest.mark.parametrize(("answer", "said"), [("no JSON", "409 Conflict"), ("[]", "409 Conflict")])
def test_a_refusal_without_words_is_told_by_its_number(
    tmp_path: Path, answer: str, said: str
) -> None:
    async def ask() -> None:
        kubeconfig = json.loads((tmp_path / "kubeconfig").read_text())
        async with connected(kubeconfig, request_timeout_s=5) as api:
            assert str(await refused(api, "nodes")) == said

    with played_api({"GET /api/v1/nodes": (409, answer)}, tmp_path):
        asyncio.run(ask())


def test_an_error_without_words_is_told_by_its_name(tmp_path: Path) -> None:
    async def ask() -> None:
        kubeconfig = json.loads((tmp_path / "kubeconfig").read_text())
        async with connected(kubeconfig, request_timeout_s=5):
            raise httpx.ReadError("")

    with played_api({}, tmp_path), pytest.raises(AccessError, match="cannot be read: ReadError"):
        asyncio.run(ask())
