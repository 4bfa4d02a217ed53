"""``python -m bench``: measure, show, and keep the figures in ``bench/results``."""

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console

from bench.bring_up import BringUpResult, measure_bring_up
from bench.dask_clusters import OperatorResult, measure_operator
from bench.fidelity import FidelityResult, measure_fidelity
from bench.fidelity_page import write_pages
from bench.looks import LooksResult, measure_looks
from bench.planning import PlanningResult, measure_planning
from bench.preview import PreviewResult, measure_previews
from bench.record import Record
from bench.recorded import progress, recorded, recorded_step_by_step
from bench.rehearsal_up import RehearsalResult, measure_rehearsals
from bench.render import (
    render_bring_up,
    render_fidelity,
    render_planning,
    render_previews,
    render_rehearsals,
    render_reviews,
    render_rollouts,
)
from bench.render_looks import render_looks
from bench.render_scale import render_operator, render_scale
from bench.render_state import render_state
from bench.review import ReviewResult, measure_reviews
from bench.rollouts import RolloutResult, measure_rollouts
from bench.scale import ScaleResult, measure_scale
from bench.state import ENGINE_SETTINGS, StateResult, measure_state
from rehearsal.progress import Steps
from rehearsal.providers.install import Choice

app = typer.Typer(
    help="Measure what the fleet costs: all but scale, operators and state, unless one is named.",
    pretty_exceptions_show_locals=False,
)
tables = Console(width=116, highlight=False)

SIZES = (5, 10, 20)
KEPT_IN_A_BUCKET = (2,)
LOOKED_AT = (2, 50, 200)
CLUSTERS = (10, 100, 1000)
WITH_AN_OPERATOR_EACH = (10, 40)

Runs = Annotated[int, typer.Option(min=1, help="Repetitions; the tables show medians.")]
Providers = Annotated[Choice, typer.Option(help="As `daskfleet rehearse up` has it.")]


@app.callback(invoke_without_command=True)
def everything(context: typer.Context) -> None:
    """Measure all but scale, operators and state; about 40 minutes."""
    if context.invoked_subcommand is None:
        fidelity()
        planning()
        review()
        looks()
        preview()
        rehearsal()
        rollouts()
        bring_up()


@app.command()
def fidelity() -> None:
    """Replay what Google was asked and answered on the emulator, and write its README's table."""
    record = recorded("fidelity", measure_fidelity)
    write_pages(record.result)
    render_fidelity(record, tables)


@app.command()
def preview(runs: Runs = 5, providers: Providers = "auto") -> None:
    """Measure `pulumi preview` for 1, 10 and 50 teams, next to bare programs."""

    def measured() -> PreviewResult:
        return measure_previews(
            runs=runs, providers=providers, steps=Steps(progress), progress=progress.print
        )

    render_previews(recorded("preview", measured), tables)


@app.command()
def planning(runs: Runs = 9) -> None:
    """Measure settings and planning for 1, 10 and 100 teams."""

    def measured() -> PlanningResult:
        return measure_planning(runs=runs, progress=progress.print)

    render_planning(recorded("planning", measured), tables)


@app.command()
def review(runs: Runs = 5) -> None:
    """Measure reading, judging and writing a preview of 5,000 resources."""

    def measured() -> ReviewResult:
        return measure_reviews(runs=runs, progress=progress.print)

    render_reviews(recorded("review", measured), tables)


@app.command()
def looks(runs: Runs = 5) -> None:
    """Measure the page and `status --stack` of made fleets of 2, 50 and 200 teams."""

    def measured() -> LooksResult:
        return measure_looks(teams=LOOKED_AT, runs=runs, progress=progress.print)

    render_looks(recorded("looks", measured), tables)


@app.command()
def rehearsal(runs: Runs = 3, providers: Providers = "auto") -> None:
    """Measure `daskfleet rehearse up`, step by step."""

    def measured() -> RehearsalResult:
        return measure_rehearsals(runs=runs, providers=providers, progress=progress.print)

    render_rehearsals(recorded("rehearsal", measured), tables)


@app.command()
def rollouts(runs: Runs = 5, providers: Providers = "auto") -> None:
    """Measure how long nobody answers at a team's address while its image changes."""

    def measured() -> RolloutResult:
        return measure_rollouts(
            runs=runs, providers=providers, steps=Steps(progress), progress=progress.print
        )

    render_rollouts(recorded("rollouts", measured), tables)


@app.command()
def bring_up(
    runs: Runs = 2,
    providers: Providers = "auto",
    latency: Annotated[str, typer.Option(help="Google's documented durations / N.")] = "scaled:3",
) -> None:
    """Measure from nothing to ready pods, beside the reference guide's steps."""

    def measured() -> BringUpResult:
        return measure_bring_up(
            runs=runs,
            latency=latency,
            providers=providers,
            steps=Steps(progress),
            progress=progress.print,
        )

    render_bring_up(recorded("bring_up", measured), tables)


@app.command()
def scale(
    teams: Annotated[
        list[int] | None, typer.Argument(min=1, help="Sizes of the fleets.", show_default="5 10 20")
    ] = None,
    providers: Providers = "auto",
) -> None:
    """Measure what is done with fleets of many teams; of 100, about 15 minutes."""

    def measured() -> Iterator[ScaleResult]:
        return measure_scale(
            teams=sorted(teams or SIZES),
            providers=providers,
            steps=Steps(progress),
            progress=progress.print,
        )

    render_scale(recorded_step_by_step("scale", measured), tables)


@app.command()
def operator(
    clusters: Annotated[
        list[int] | None,
        typer.Argument(min=1, help="Numbers of Dask clusters.", show_default="10 100 1000"),
    ] = None,
) -> None:
    """Measure one operator with more and more Dask clusters."""

    def measured() -> OperatorResult:
        return measure_operator(
            clusters=sorted(clusters or CLUSTERS), one_per_team=False, progress=progress.print
        )

    render_operator(recorded("operator", measured), tables)


@app.command()
def operators(
    clusters: Annotated[
        list[int] | None,
        typer.Argument(min=1, help="Numbers of Dask clusters.", show_default="10 40"),
    ] = None,
) -> None:
    """Measure Dask clusters with an operator for each; 40 take 7 GiB."""

    def measured() -> OperatorResult:
        return measure_operator(
            clusters=sorted(clusters or WITH_AN_OPERATOR_EACH),
            one_per_team=True,
            progress=progress.print,
        )

    render_operator(recorded("operators", measured), tables)


@app.command()
def state(
    teams: Annotated[
        list[int] | None, typer.Argument(min=1, help="Sizes of the fleets.", show_default="2")
    ] = None,
    *,
    latency_ms: Annotated[
        list[int] | None, typer.Option(min=0, help="How long each request waits.", show_default="0")
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(help=f"Of {', '.join(ENGINE_SETTINGS)}.", show_default="as it is"),
    ] = None,
    writes_per_s: Annotated[
        float | None, typer.Option(help="How often one object may be written.", min=0.1)
    ] = None,
    preview_only: Annotated[
        bool, typer.Option(help="Make nothing: of 200 teams an `up` would send 50 GB.")
    ] = False,
    providers: Providers = "auto",
) -> None:
    """Count what Pulumi asks of a bucket that keeps the state; of 2 teams, about 2 minutes."""
    engines = engine or ["as it is"]
    if unknown := set(engines) - ENGINE_SETTINGS.keys():
        known = ", ".join(ENGINE_SETTINGS)
        raise typer.BadParameter(f"{', '.join(sorted(unknown))}; known are {known}")

    def measured() -> Iterator[StateResult]:
        return measure_state(
            teams=sorted(teams or KEPT_IN_A_BUCKET),
            latencies_ms=latency_ms or [0],
            writes_per_s=writes_per_s,
            engines=engines,
            preview_only=preview_only,
            providers=providers,
            steps=Steps(progress),
            progress=progress.print,
        )

    # Apart from each other, so that what takes minutes does not replace what takes an hour.
    name = (
        "state_previews" if preview_only else "state_distant" if any(latency_ms or ()) else "state"
    )
    render_state(recorded_step_by_step(name, measured), tables)


@app.command()
def show() -> None:
    """Show what was measured last."""
    render_fidelity(Record[FidelityResult].read("fidelity"), tables)
    render_planning(Record[PlanningResult].read("planning"), tables)
    render_reviews(Record[ReviewResult].read("review"), tables)
    render_looks(Record[LooksResult].read("looks"), tables)
    render_previews(Record[PreviewResult].read("preview"), tables)
    render_rehearsals(Record[RehearsalResult].read("rehearsal"), tables)
    render_rollouts(Record[RolloutResult].read("rollouts"), tables)
    render_bring_up(Record[BringUpResult].read("bring_up"), tables)
    render_scale(Record[ScaleResult].read("scale"), tables)
    render_operator(Record[OperatorResult].read("operator"), tables)
    render_operator(Record[OperatorResult].read("operators"), tables)
    for name in ("state", "state_distant", "state_previews"):
        render_state(Record[StateResult].read(name), tables)


if __name__ == "__main__":
    app(prog_name="python -m bench")
