"""Unit: which differences of software count."""

from daskfleet.team.verify.facts import SchedulerFacts
from daskfleet.team.verify.model import Outcome
from tests.daskfleet.team.verify.samples import (
    A100,
    T4,
    VERSIONS,
    checked,
    dask,
    facts,
    process,
    the_only_failure,
    worker,
)


def without(*libraries: str) -> dict[str, str]:
    return {name: version for name, version in VERSIONS.items() if name not in libraries}


def test_a_client_that_lacks_gpu_libraries_cannot_send_them_and_is_fine() -> None:
    laptop = process(versions=without("cudf", "numpy"))

    assert checked(facts(dask=dask(client=laptop)))["versions"].outcome is Outcome.OK


def test_a_client_that_lacks_what_dask_itself_needs_is_not_fine() -> None:
    failure = the_only_failure(checked(facts(dask=dask(client=process(versions=without("dask"))))))

    assert failure.name == "versions"
    assert "not installed in this client" in failure.seen


def test_a_client_of_the_image_that_differs_is_told_of_the_image() -> None:
    pods_install = dask(client=process(versions=VERSIONS | {"dask": "2026.7.0"}))
    failure = the_only_failure(checked(facts(dask=pods_install, has_client_in_image=True)))

    assert "something installs packages as a container starts" in failure.next_step


def test_a_scheduler_that_lacks_what_its_workers_have_is_named() -> None:
    bare = SchedulerFacts(process=process(T4, versions=without("cudf")))
    failure = the_only_failure(checked(facts(dask=dask(scheduler=bare))))

    assert failure.name == "versions"
    assert failure.seen.startswith("cudf: 26.10.0 in this client and worker fraud-worker-0")
    assert failure.seen.endswith("not installed in scheduler")
    assert "run one image" in failure.next_step


def test_a_gpu_library_of_another_release_on_one_worker_is_named() -> None:
    older = worker(1, process=process(A100, versions={**VERSIONS, "rmm": "26.08.0"}))
    newer = {**VERSIONS, "rmm": "26.10.0"}
    collected = dask(
        client=process(versions=newer),
        scheduler=SchedulerFacts(process=process(T4, versions=newer)),
        workers=(worker(0, process=process(A100, versions=newer)), older),
    )
    failure = the_only_failure(checked(facts(dask=collected)))

    assert "rmm: 26.08.0 in worker fraud-worker-1, 26.10.0 in" in failure.seen


def test_many_workers_are_counted_and_not_listed() -> None:
    workers = tuple(worker(number % 2, name=f"w{number}") for number in range(9))
    odd = process(python="3.12.9")
    failure = the_only_failure(
        checked(facts(dask=dask(client=odd, workers=workers)), workers=9)
        | {"pods ready": checked(facts())["pods ready"]}
    )

    assert "3.13.1 in scheduler and 9 workers" in failure.seen
    assert "/home/somebody/python" in failure.next_step
