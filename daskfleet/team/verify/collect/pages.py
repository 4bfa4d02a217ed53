"""Pages of the scheduler's HTTP server."""

import httpx

from daskfleet.team.verify.facts import MetricsFacts, PageFacts

PATHS = ("/health", "/status")
TIMEOUT_S = 10
BEGINNING = 300
"""Characters; enough to tell the dashboard from what says that there is none."""


async def collect_pages(base: str) -> tuple[PageFacts, ...]:
    """Fetch the pages, one after the other."""
    async with httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as client:
        return tuple([await _page(client, base, path) for path in PATHS])


async def _page(client: httpx.AsyncClient, base: str, path: str) -> PageFacts:
    try:
        answer = await client.get(f"{base}{path}")
    except httpx.HTTPError as error:
        return PageFacts(path=path, text=f"{type(error).__name__}: {error}".rstrip(": "))
    return PageFacts(path=path, status=answer.status_code, text=answer.text[:BEGINNING])


async def collect_metrics(base: str) -> MetricsFacts:
    """Fetch what a collector of metrics would, and keep the names of Dask's own."""
    async with httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as client:
        try:
            answer = await client.get(f"{base}/metrics")
        except httpx.HTTPError as error:
            return MetricsFacts(error=f"{type(error).__name__}: {error}".rstrip(": "))
    samples = (line.partition("{")[0].partition(" ")[0] for line in answer.text.splitlines())
    names = sorted({name for name in samples if name.startswith("dask_")})
    return MetricsFacts(status=answer.status_code, names=tuple(names))
