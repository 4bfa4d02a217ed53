"""The three questions of the operator to a scheduler, by HTTP."""

from collections.abc import Mapping

import aiohttp
import kopf

from in_cluster.operator_http.answers import (
    UnansweredError,
    desired_workers,
    idle_since,
    parsed,
    retired,
)

PORT = 8787
TIMEOUT_S = 10.0
RETRY_S = 10.0

MOST_BYTES = 1024 * 1024
"""Of one answer. A thousand workers that are retired take half of it."""


async def retire_workers(
    n_workers: int,
    scheduler_service_name: str,
    worker_group_name: str,
    namespace: str | None,
    logger: kopf.Logger,
) -> list[str]:
    """Let a scheduler move what its workers hold and name those that may go, to delete them.

    Raises:
        TemporaryError: It does not. None is deleted then, so nothing in memory is lost.

    """
    cluster = scheduler_service_name.removesuffix("-scheduler")
    try:
        answer = await ask(
            "POST", scheduler_service_name, namespace, "retire_workers", {"n": n_workers}
        )
        names = retired(answer, most=n_workers, cluster=cluster)
    except UnansweredError as error:
        raise kopf.TemporaryError(
            f"{worker_group_name} keeps its workers until its scheduler says which may go: {error}",
            delay=RETRY_S,
        ) from error
    logger.info("Retired workers %s", names)
    return names


async def check_scheduler_idle(
    scheduler_service_name: str,
    namespace: str | None,
    logger: kopf.Logger,  # noqa: ARG001 - the controller gives it
) -> float:
    """Return since when a scheduler has had nothing to do, in seconds since 1970; 0 when it has.

    Raises:
        UnansweredError: It does not say; the controller takes the cluster for busy.

    """
    return idle_since(await ask("GET", scheduler_service_name, namespace, "check_idle"))


async def get_desired_workers(scheduler_service_name: str, namespace: str | None) -> int:
    """Return how many workers a scheduler wants.

    Raises:
        TemporaryError: It does not say. The number stays as it is.

    """
    try:
        return desired_workers(
            await ask("GET", scheduler_service_name, namespace, "adaptive_target")
        )
    except UnansweredError as error:
        raise kopf.TemporaryError(str(error), delay=RETRY_S) from error


async def ask(
    method: str,
    service: str,
    namespace: str | None,
    path: str,
    body: Mapping[str, int] | None = None,
) -> object:
    """Return what a scheduler answers, as JSON says it. Raises UnansweredError."""
    url = f"http://{service}.{namespace}:{PORT}/api/v1/{path}"
    try:
        return parsed(await _answer(method, url, body))
    except (aiohttp.ClientError, OSError, ValueError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}"[:200]
        raise UnansweredError(f"{method} {url}: {reason}") from error


async def _answer(method: str, url: str, body: Mapping[str, int] | None) -> bytes:
    async with (
        aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=TIMEOUT_S),
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
        ) as session,
        session.request(
            method,
            url,
            json=body,
            allow_redirects=False,
            headers={"Accept-Encoding": "identity"},
        ) as response,
    ):
        if response.status != 200:  # noqa: PLR2004 - OK
            raise ValueError(f"status {response.status}")
        text = b""
        async for part in response.content.iter_any():
            text += part
            if len(text) > MOST_BYTES:
                raise ValueError(f"more than {MOST_BYTES:,} bytes")
        return text
