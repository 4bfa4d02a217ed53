"""Pages of the scheduler's HTTP server, no more of each than is needed."""

import asyncio
import re

import httpx

from daskfleet.team.verify.facts import MetricsFacts, PageFacts

PATHS = ("/health", "/status")
TIMEOUT_S = 10
"""For a whole page: one that comes a byte at a time never ends otherwise."""
BEGINNING = 300
"""Characters; enough to tell the dashboard from what says that there is none."""
BEGINNING_BYTES = 4 * BEGINNING
MOST_METRICS_BYTES = 16 * 1024 * 1024
NAME_OF_DASK = re.compile(r"dask_[a-zA-Z0-9_:]{1,200}")


async def collect_pages(base: str) -> tuple[PageFacts, ...]:
    """Fetch the pages, one after the other."""
    return tuple([await _page(base, path) for path in PATHS])


async def _page(base: str, path: str) -> PageFacts:
    try:
        status, text, _ = await _beginning(f"{base}{path}", BEGINNING_BYTES)
    except (httpx.HTTPError, TimeoutError) as error:
        return PageFacts(path=path, text=_words(error))
    return PageFacts(path=path, status=status, text=text[:BEGINNING])


async def collect_metrics(base: str) -> MetricsFacts:
    """Fetch what a collector of metrics would, and keep the names of Dask's own."""
    try:
        status, text, is_whole = await _beginning(f"{base}/metrics", MOST_METRICS_BYTES)
    except (httpx.HTTPError, TimeoutError) as error:
        return MetricsFacts(error=_words(error))
    if not is_whole:
        return MetricsFacts(error=f"the page is longer than {MOST_METRICS_BYTES // 2**20} MiB")
    samples = (line.partition("{")[0].partition(" ")[0] for line in text.splitlines())
    names = sorted({name for name in samples if NAME_OF_DASK.fullmatch(name)})
    return MetricsFacts(status=status, names=tuple(names))


async def _beginning(url: str, most_bytes: int) -> tuple[int, str, bool]:
    """Return the status, the first bytes of the page as text, and whether that is all of it."""
    # Nothing compressed: a few bytes of that can be gigabytes.
    plain = {"Accept-Encoding": "identity"}
    async with (
        asyncio.timeout(TIMEOUT_S),
        httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False, headers=plain) as client,
        client.stream("GET", url) as answer,
    ):
        begun = bytearray()
        async for chunk in answer.aiter_raw():
            begun += chunk
            if len(begun) > most_bytes:
                break
        whole = len(begun) <= most_bytes
        return answer.status_code, begun[:most_bytes].decode(errors="replace"), whole


def _words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"no whole page within {TIMEOUT_S} s"
    return f"{type(error).__name__}: {error}".rstrip(": ")
