"""Unit: what members read of a GPU that is sick."""

from tests.daskfleet.team.status.objects import HEALTHY, event, report_of

STAYS = "GPU of node gke-a100-1: XID 79. The worker stays: somebody else has cordoned it."
WENT = "GPU of node gke-a100-1: XID 79. Dask worker w-0 was retired, what it held was moved."


def test_a_worker_that_stays_on_a_sick_gpu_is_a_problem_while_it_is_there() -> None:
    name = HEALTHY[1]["metadata"]["name"]
    here, gone = event(name, "SickGpu", STAYS), event("gone", "SickGpu", STAYS)

    (problem,) = report_of(*HEALTHY, events=(here, gone)).problems

    assert (problem.about, problem.says) == (name, STAYS)


def test_a_worker_that_has_left_one_is_told_among_those_that_ended() -> None:
    (loss,) = report_of(*HEALTHY, events=(event("w-0", "LeftSickGpu", WENT),)).losses

    assert (loss.pod, loss.why) == ("w-0", f"LeftSickGpu: {WENT}")
