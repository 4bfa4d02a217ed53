"""The Python of pages runs as it stands, on real Dask; unit tier."""

import re
import time
from collections.abc import Callable, Iterator

import pytest
from distributed import Client, LocalCluster, Scheduler

from tests.project import PROJECT_DIR

BLOCK = re.compile(r"^```python(?P<norun> norun)?\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE)


def sent_to_a_group() -> dict[str, object]:
    """What the page about groups takes for granted: a team's own functions and files."""
    names: dict[str, Callable[..., object]] = {"load": len, "train": abs, "aggregate": sum}
    return {**names, "files": ["a.parquet", "b.parquet"]}


GIVEN: dict[str, tuple[int, Callable[[], dict[str, object]]]] = {
    "sharing.md": (8, dict),
    "worker-groups.md": (2, sent_to_a_group),
}
"""The pages, how many blocks of each run, and what is there before the first."""


def blocks(page: str) -> list[re.Match[str]]:
    """Every block of Python on a page."""
    return [*BLOCK.finditer((PROJECT_DIR / "docs" / page).read_text("utf-8"))]


@pytest.fixture
def client() -> Iterator[Client]:
    """A client of two workers with the resources of a team's."""
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=False,
            protocol="tcp://",
            host="127.0.0.1",
            dashboard_address=None,
            resources={"GPU": 1, "MEMORY": 70e9},
        ) as cluster,
        Client(cluster) as connected,
    ):
        yield connected


@pytest.mark.parametrize("page", GIVEN)
def test_every_block_runs_after_the_ones_before_it(page: str, client: Client) -> None:
    count, given = GIVEN[page]
    there: dict[str, object] = {"client": client, "__name__": "page", **given()}
    run = [block for block in blocks(page) if not block["norun"]]
    for block in run:
        exec(compile(block["code"], f"docs/{page}", "exec"), there)  # noqa: S102
    assert len(run) == count
    final = there.get("final")
    if final is not None:
        assert client.gather(final, errors="raise") == len("a.parquet") * 2


def test_an_annotation_of_a_collection_reaches_the_scheduler(client: Client) -> None:
    (block,) = (each for each in blocks("worker-groups.md") if "optimize_graph" in each["code"])
    asks_too_much = block["code"].replace("60e9", "80e9").replace(".compute(", ".persist(")
    there: dict[str, object] = {"client": client, "__name__": "page"}
    exec(compile(asks_too_much.partition("assert")[0], "page", "exec"), there)  # noqa: S102
    deadline = time.monotonic() + 10
    while not (asked := client.run_on_scheduler(asked_for)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert {"MEMORY": 80e9} in asked


def asked_for(dask_scheduler: Scheduler) -> list[dict[str, float]]:
    """What tasks ask of a worker; those that ask for nothing are left out."""
    asked = [task.resource_restrictions for task in dask_scheduler.tasks.values()]
    return [each for each in asked if each]


@pytest.mark.parametrize("page", GIVEN)
def test_what_is_not_run_says_so(page: str) -> None:
    text = (PROJECT_DIR / "docs" / page).read_text("utf-8")
    for left_out in blocks(page):
        if left_out["norun"]:
            before = text[: left_out.start()].rstrip().rsplit("\n", maxsplit=1)[-1]
            assert before.endswith("no test here could run it.")
