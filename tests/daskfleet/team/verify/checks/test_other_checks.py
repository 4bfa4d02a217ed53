"""Unit: what real processes on this machine do not show."""

from daskfleet.contract.declared import DeclaredMonitoring
from daskfleet.team.verify.checks.all_checks import all_checks
from daskfleet.team.verify.checks.metrics import metrics
from daskfleet.team.verify.facts import (
    BoundTask,
    DaskFacts,
    GraphFacts,
    MetricsFacts,
    PageFacts,
    Raised,
    SchedulerFacts,
)
from daskfleet.team.verify.model import Outcome
from tests.daskfleet.team.verify.samples import (
    WORKERS,
    checked,
    computation,
    dask,
    facts,
    fleet,
    team,
    the_only_failure,
    worker,
)


def test_a_service_that_leads_elsewhere_is_a_failed_connection() -> None:
    failure = the_only_failure(checked(facts(service_leads_to="fraud-0a1b2c")))

    assert failure.name == "connection"
    assert failure.seen == "Service dask leads to fraud-0a1b2c"
    assert "pulumi up" in failure.next_step


def test_a_scheduler_that_does_not_answer_is_a_failed_connection() -> None:
    silent = dask(scheduler=SchedulerFacts(error="no answer within 10 s"))
    failure = the_only_failure(checked(facts(dask=silent)))

    assert failure.name == "connection"
    assert failure.seen == "the scheduler: no answer within 10 s"


def test_where_nobody_could_ask_nothing_is_said_of_dask() -> None:
    nobody = DaskFacts.unasked(client_python="", why="no pod was made: exceeded quota")
    checks = checked(facts(dask=nobody, not_asked=nobody.connection_error))

    assert checks["connection"].outcome is Outcome.NOT_MEASURED
    assert checks["connection"].seen == "no pod was made: exceeded quota"
    assert checks["versions"].outcome is Outcome.NOT_MEASURED
    assert checks["dashboard"].outcome is Outcome.OK


def test_dasks_error_without_a_missing_module_blames_the_versions() -> None:
    graph = GraphFacts(
        carries="pandas",
        raised=(
            Raised(type="RuntimeError", message="Error during deserialization of the task graph."),
            Raised(type="TypeError", message="__setstate__() takes 2 arguments"),
        ),
    )
    failure = the_only_failure(checked(facts(dask=dask(graphs=(graph,)))))

    assert failure.name == "task graphs"
    assert "TypeError: __setstate__() takes 2 arguments" in failure.seen
    assert "the check of the versions" in failure.next_step


def test_a_library_that_the_scheduler_lacks_is_no_module_of_the_team() -> None:
    graph = GraphFacts(
        carries="pandas",
        raised=(
            Raised(type="RuntimeError", message="Error during deserialization of the task graph."),
            Raised(type="ModuleNotFoundError", message="No module", module="pandas"),
        ),
    )
    failure = the_only_failure(checked(facts(dask=dask(graphs=(graph,)))))

    assert "must run one image" in failure.next_step
    assert "cloudpickle" not in failure.next_step


def test_a_bound_task_that_ran_where_the_resource_is_not_is_named() -> None:
    astray = BoundTask(asked={"GPU": 1}, meant_for="", ran_on=WORKERS[1])
    collected = dask(workers=(worker(0), worker(1, resources={})), bound_tasks=(astray,))
    failure = the_only_failure(checked(facts(dask=collected)))

    assert failure.name == "resources"
    assert "ran on worker fraud-worker-1, without it" in failure.seen


def test_a_team_that_keeps_its_workers_busy_is_not_blamed() -> None:
    waiting = BoundTask(asked={"GPU": 1}, meant_for=WORKERS[0], state="processing", queue=7)
    late = computation(on=WORKERS[0], seen="", is_overdue=True)
    checks = checked(facts(dask=dask(bound_tasks=(waiting,), computations=(late,))))

    assert checks["resources"].outcome is Outcome.NOT_MEASURED
    assert "beside the team's work" in checks["resources"].seen
    assert checks["computation"].outcome is Outcome.NOT_MEASURED


def test_outputs_of_an_earlier_release_are_not_guessed() -> None:
    checks = checked(facts(), threads_per_worker=None, worker_resources=None)

    assert checks["threads per worker"].outcome is Outcome.NOT_MEASURED
    assert checks["resources"].outcome is Outcome.NOT_MEASURED
    assert "Run `pulumi up` with this release" in checks["resources"].next_step


def test_a_gpu_that_computes_wrong_is_named() -> None:
    wrong = computation(on=WORKERS[1], seen="0")
    failure = the_only_failure(
        checked(facts(dask=dask(gpu_computations=(computation(on=WORKERS[0]), wrong))))
    )

    assert failure.name == "computation on GPUs"
    assert failure.seen == "the sum on worker fraud-worker-1 is 0"


def test_gpus_without_their_libraries_are_not_measured_and_never_ok() -> None:
    absent = computation(on=WORKERS[0], seen="", is_absent=True)
    check = checked(facts(dask=dask(gpu_computations=(absent,))))["computation on GPUs"]

    assert check.outcome is Outcome.NOT_MEASURED
    assert check.seen == "the workers have neither cupy nor cudf"


def test_a_scheduler_without_bokeh_has_no_dashboard_to_measure() -> None:
    pages = (
        PageFacts(path="/health", status=200, text="ok"),
        PageFacts(path="/status", status=200, text="<p>Dask needs bokeh>=3.1.0 for the dashboard."),
    )

    assert checked(facts(pages=pages))["dashboard"].outcome is Outcome.NOT_MEASURED


def test_metrics_are_looked_at_where_they_are_collected_and_nowhere_else() -> None:
    collected = facts(metrics=told("dask_scheduler_workers"))
    measured = fleet().model_copy(update={"monitoring": DeclaredMonitoring(prometheus="managed")})

    assert "metrics" not in checked(collected)
    names = {check.name: check for check in all_checks(measured, team(), collected)}
    assert names["metrics"].outcome is Outcome.OK


def test_an_image_without_prometheus_client_has_no_metrics() -> None:
    failure = metrics(team(), facts(metrics=told()))

    assert failure.outcome is Outcome.FAILED
    assert "prometheus_client" in failure.next_step


def test_a_route_that_is_switched_off_is_a_failure_of_its_own() -> None:
    failure = metrics(team(), facts(metrics=MetricsFacts(status=404)))

    assert failure.outcome is Outcome.FAILED
    assert failure.seen == "/metrics answers 404"


def told(*names: str) -> MetricsFacts:
    return MetricsFacts(status=200, names=names)
