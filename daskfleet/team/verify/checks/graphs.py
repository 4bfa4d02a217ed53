"""Pure: can the scheduler unpack the graphs that the team sends?"""

from daskfleet.contract.declared import DeclaredFleet, DeclaredTeam
from daskfleet.team.verify.checks.wording import Workers, by_address, words, worker_name
from daskfleet.team.verify.facts import GraphFacts, Raised, TeamFacts
from daskfleet.team.verify.model import Check, failed, passed

GRAPHS = "task graphs"
ON_GPUS = ("cupy", "cudf")
"""Libraries whose objects are in a GPU's memory."""

DASKS_WORDS = "Error during deserialization of the task graph"
"""The text of distributed's scheduler, since it unpacks graphs (2023.4.0). Its cause names what it
lacks."""


def task_graphs(fleet: DeclaredFleet, team: DeclaredTeam, facts: TeamFacts) -> Check:
    """Graphs with objects of the client's libraries and the team's modules arrive.

    But those with objects of a GPU where the scheduler has none: it need not unpack them.
    """
    has_gpu = any(fleet.pool(name).accelerator for name in team.scheduler_pools)
    graphs = [each for each in facts.dask.graphs if has_gpu or each.carries not in ON_GPUS]
    expected = f"the scheduler unpacks graphs with {', '.join(each.carries for each in graphs)}"
    refused = [each for each in graphs if each.raised or each.is_overdue or each.workers_lacking]
    if not refused:
        aside = "" if has_gpu else "; the scheduler has no GPU, and need not unpack objects of one"
        return passed(GRAPHS, expected=expected, seen=f"all were unpacked{aside}")
    workers = by_address(facts.dask)
    return failed(
        GRAPHS,
        expected=expected,
        seen="; ".join(_seen(each, workers) for each in refused),
        next_step=" ".join(dict.fromkeys(_next_step(each, team) for each in refused)),
    )


def missing_module(chain: tuple[Raised, ...]) -> str | None:
    """Return the module whose absence is the cause."""
    return next((each.module for each in chain if each.module), None)


def _seen(graph: GraphFacts, workers: Workers) -> str:
    if graph.is_overdue:
        return f"a graph with {graph.carries} did not arrive in time"
    if not graph.raised:
        lacking = " and ".join(worker_name(workers, each) for each in graph.workers_lacking)
        return f"the scheduler has {graph.carries}, and {lacking} cannot import it"
    outermost, *causes = graph.raised
    if DASKS_WORDS not in outermost.message:
        return f"a graph with {graph.carries} failed: {words(graph.raised)}"
    if module := missing_module(graph.raised):
        return (
            f"the scheduler could not unpack a graph with {graph.carries}: its environment has no "
            f"module {module}. Dask says: {DASKS_WORDS}"
        )
    return (
        f"the scheduler could not unpack a graph with {graph.carries} ({words(causes)}): its "
        f"environment is another than this client's. Dask says: {DASKS_WORDS}"
    )


def _next_step(graph: GraphFacts, team: DeclaredTeam) -> str:
    if graph.is_overdue:
        return "See what the scheduler is busy with on its dashboard, and ask again."
    module = missing_module(graph.raised) or (graph.module if graph.workers_lacking else None)
    if module and graph.module:
        return (
            f"Install {module} in the image that scheduler and workers run ({team.image}), and set "
            "the team's `image` to the new one: the module must be in the image. For code that "
            f"changes daily `cloudpickle.register_pickle_by_value({module.partition('.')[0]})` in "
            "the client sends it along instead."
        )
    if module:
        return (
            f"Scheduler, workers and client must run one image. {module} is missing in "
            f"{team.image}: give the team an image that has it, or use a client without it."
        )
    return (
        "Scheduler, workers and client must run one image; the check of the versions says what "
        "differs."
    )
