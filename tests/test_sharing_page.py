"""The page about sharing a cluster: its Python runs as it stands, on real Dask; unit tier."""

import re
from collections.abc import Iterator

import pytest
from distributed import Client, LocalCluster

from tests.project import PROJECT_DIR

PAGE = (PROJECT_DIR / "docs" / "sharing.md").read_text("utf-8")
BLOCK = re.compile(r"^```python(?P<norun> norun)?\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def client() -> Iterator[Client]:
    """A client of two workers with a resource each, as a team's have it."""
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=False,
            protocol="tcp://",
            host="127.0.0.1",
            dashboard_address=None,
            resources={"GPU": 1},
        ) as cluster,
        Client(cluster) as connected,
    ):
        yield connected


def test_every_block_runs_after_the_ones_before_it(client: Client) -> None:
    blocks = [*BLOCK.finditer(PAGE)]
    there: dict[str, object] = {"client": client, "__name__": "sharing"}
    for block in blocks:
        if not block["norun"]:
            exec(compile(block["code"], "docs/sharing.md", "exec"), there)  # noqa: S102
    assert sum(not block["norun"] for block in blocks) == 8


def test_what_is_not_run_says_so() -> None:
    (left_out,) = (block for block in BLOCK.finditer(PAGE) if block["norun"])
    before = PAGE[: left_out.start()].rstrip().rsplit("\n", maxsplit=1)[-1]
    assert before.endswith("no test here could run it.")
