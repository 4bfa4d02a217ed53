"""Unit: how many workers may share a GPU, and what is said of it."""

import pytest

from daskfleet.planning.gpu_sharing import sharing_problems, sharing_warnings
from daskfleet.settings.loading import parse
from tests.daskfleet.planning.documents import FILE, minimal

BY_GKE = {"install": "gke", "channel": "DEFAULT"}


@pytest.mark.parametrize(
    ("size", "workers", "problems"),
    [
        ("3g.20gb", 24, 0),  # 48 on one GPU, as many as GKE lets share it
        ("3g.20gb", 25, 1),
        ("1g.5gb", 6, 0),
        ("1g.5gb", 7, 1),
        (None, 48, 0),
    ],
)
def test_as_many_workers_share_a_gpu_as_gke_lets(
    size: str | None, workers: int, problems: int
) -> None:
    pool = {"gpu_partition_size": size, "workers_per_gpu": workers}
    stack = parse(minimal(worker_pools=[pool], driver=BY_GKE), file=FILE).stack

    assert stack
    assert len(list(sharing_problems(stack))) == problems


@pytest.mark.parametrize(
    ("pool", "team", "is_warned"),
    [
        ({"workers_per_gpu": 2}, {}, True),
        ({"workers_per_gpu": 1}, {}, False),
        ({"workers_per_gpu": 2}, {"worker": {"command": ["dask", "cuda", "worker"]}}, True),
        (
            {"workers_per_gpu": 2},
            {"worker": {"command": ["dask", "cuda", "worker", "--device-memory-limit", "0.4"]}},
            False,
        ),
        ({"name": "shared", "workers_per_gpu": 2}, {"worker_pool": "own"}, False),
    ],
    ids=["shared", "alone", "shared by command", "with a limit", "nobody is on it"],
)
def test_who_shares_a_gpu_without_a_limit_is_warned(
    pool: dict[str, object], team: dict[str, object], *, is_warned: bool
) -> None:
    pools = [pool] if "worker_pool" not in team else [pool, {"name": "own"}]
    stack = parse(minimal(worker_pools=pools, teams=[{"name": "alpha", **team}]), file=FILE).stack

    assert stack
    assert bool(list(sharing_warnings(stack))) is is_warned
