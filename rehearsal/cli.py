"""``daskfleet rehearse``: the fleet on this machine, without a cloud."""

import contextlib
import os
import shlex
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from daskfleet.checkout import PROJECT_DIR
from rehearsal.control_plane import DaskMode
from rehearsal.engine.engine import Engine
from rehearsal.errors import RehearsalError
from rehearsal.explained import explained
from rehearsal.locking import exclusive
from rehearsal.options import ConfigFileOption, JsonOption, NameArgument, StackOption
from rehearsal.progress import Steps, open_console
from rehearsal.providers.install import Choice
from rehearsal.recordings.command import record
from rehearsal.report.model import Report
from rehearsal.report.picture import save_picture
from rehearsal.report.render import render_report
from rehearsal.report.saved import save_report
from rehearsal.snapshots.begin import begin_with, wait_for_pods
from rehearsal.snapshots.names import forget as delete_snapshot
from rehearsal.snapshots.save import save as save_stage
from rehearsal.stage.stage import set_stage
from rehearsal.stage.teardown import end_engine, end_rehearsal
from rehearsal.status import current_report
from rehearsal.supervisor.launch import live_supervisor
from rehearsal.supervisor.look import what_is_dead
from rehearsal.supervisor.record import SupervisorRecord
from rehearsal.toolchain import Binaries, ensure_toolchain
from rehearsal.up import bring_up
from rehearsal.workspace import (
    LEADS_ELSEWHERE,
    REHEARSAL_STACK,
    Workspace,
    pulumi_environment,
    rehearsal_variables,
)

app = typer.Typer(
    help="Rehearse the fleet on this machine: no cloud, no containers, no root.",
    no_args_is_help=True,
)
app.command()(record)


@app.command()
def up(
    *,
    stack: StackOption = REHEARSAL_STACK,
    config_file: ConfigFileOption = None,
    providers: Annotated[
        Choice, typer.Option(help="auto: the real plugins if they are available.")
    ] = "auto",
    latency: Annotated[
        str,
        typer.Option(
            help="For a new rehearsal: fast, or scaled:N for Google's documented durations / N."
        ),
    ] = "fast",
    dask: Annotated[
        DaskMode,
        typer.Option(
            help="For a new rehearsal: run Dask's pods as processes of this machine, or only "
            "place them."
        ),
    ] = "run",
    from_name: Annotated[
        str | None,
        typer.Option("--from", metavar="NAME", help="Begin with what `save NAME` has saved."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Bring the fleet up with plain `pulumi up`, twice, and check every claim."""
    workspace = Workspace.of_stack(PROJECT_DIR, stack, config_file)
    console = open_console(stderr=True)
    console.print(
        f"\n  Rehearsing stack [bold]{stack}[/bold] on this machine: no cloud, no GPU, no cost.\n"
    )
    with explained(console, workspace), _alone(workspace, console.print):
        steps = Steps(console)
        if from_name is not None:
            begin_with(workspace, from_name, steps=steps)
        began = datetime.now(tz=UTC)
        stage = set_stage(workspace, providers=providers, latency=latency, dask=dask, steps=steps)
        if from_name is not None:
            wait_for_pods(stage.supervisor, since=began, steps=steps)
        bring_up(stage, steps)
        report = current_report(
            workspace,
            engine=stage.engine,
            binaries=stage.binaries,
            supervisor=_live(workspace),
            steps=steps,
        )
        save_report(report, workspace.saved_report)
        _show(report, as_json=as_json)
        if not report.failed_claims:
            console.print(_what_next(workspace), soft_wrap=True)


@app.command()
def status(
    *,
    stack: StackOption = REHEARSAL_STACK,
    as_json: JsonOption = False,
    svg: Annotated[Path | None, typer.Option(help="Also save the report as a picture.")] = None,
) -> None:
    """Check the running rehearsal again and show where every Dask pod is."""
    workspace = Workspace.of_stack(PROJECT_DIR, stack)
    console = open_console(stderr=True)
    with explained(console, workspace):
        supervisor = _live(workspace)
        if dead := what_is_dead(workspace):
            raise RehearsalError(dead)
        engine, binaries = _engine(workspace, supervisor, console)
        report = current_report(
            workspace,
            engine=engine,
            binaries=binaries,
            supervisor=supervisor,
            steps=Steps(console),
        )
        if svg is not None:
            save_picture(report, svg)
        save_report(report, workspace.saved_report)
        _show(report, as_json=as_json)


@app.command()
def save(name: NameArgument, stack: StackOption = REHEARSAL_STACK) -> None:
    """Save the rehearsal as it is, for `up --from NAME`. It stays when the rehearsal is ended."""
    workspace = Workspace.of_stack(PROJECT_DIR, stack)
    console = open_console(stderr=True)
    with (
        explained(console, workspace),
        _alone(workspace, console.print),
        Steps(console).step("save") as step,
    ):
        snapshot = save_stage(workspace, name, report=step.report)
        step.outcome = f"saved in {snapshot}"


@app.command()
def forget(name: NameArgument, stack: StackOption = REHEARSAL_STACK) -> None:
    """Delete what `save NAME` has saved."""
    workspace = Workspace.of_stack(PROJECT_DIR, stack)
    console = open_console(stderr=True)
    with explained(console, workspace), _alone(workspace, console.print):
        delete_snapshot(workspace, name)
        console.print(f"  {name} is deleted.")


@app.command()
def down(stack: StackOption = REHEARSAL_STACK) -> None:
    """End the local stage as it is, and delete all that it left. Runs no `pulumi destroy`."""
    workspace = Workspace.of_stack(PROJECT_DIR, stack)
    console = open_console(stderr=True)
    with explained(console, workspace):
        if not workspace.directory.exists():
            console.print(f"  No rehearsal of stack {stack}; nothing to end.")
            return
        with Steps(console).step("down") as step:
            end_engine(workspace, report=step.report)
            with _alone(workspace, step.report):
                end_rehearsal(workspace, report=step.report)
            step.outcome = f"nothing runs; {workspace.directory} is gone"


@app.command()
def shell(stack: StackOption = REHEARSAL_STACK) -> None:
    """Print the environment for plain pulumi and kubectl: eval "$(daskfleet rehearse shell)"."""
    workspace = Workspace.of_stack(PROJECT_DIR, stack)
    console = open_console(stderr=True)
    with explained(console, workspace):
        supervisor = _live(workspace)
        binaries = ensure_toolchain(progress=console.print)
        variables = rehearsal_variables(workspace, base_url=supervisor.base_url, binaries=binaries)
        if supervisor.clusters:
            variables["KUBECONFIG"] = str(supervisor.clusters[0].kubeconfig)
        elsewhere = [name for name in os.environ if name.startswith(LEADS_ELSEWHERE)]
        lines = [f"unset {name}" for name in elsewhere if name not in variables]
        lines += [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
        typer.echo("\n".join(lines))


def _alone(
    workspace: Workspace, report: Callable[[str], None]
) -> contextlib.AbstractContextManager[None]:
    """Wait for other commands that build up or tear down the same stage."""
    return exclusive(workspace.lock_file, subject=f"stack {workspace.stack}", progress=report)


def _live(workspace: Workspace) -> SupervisorRecord:
    record = live_supervisor(workspace)
    if record is None:
        raise RehearsalError(
            f"No rehearsal of stack {workspace.stack} runs. Start: `{workspace.command('up')}`."
        )
    return record


def _engine(
    workspace: Workspace, supervisor: SupervisorRecord, console: Console
) -> tuple[Engine, Binaries]:
    binaries = ensure_toolchain(progress=console.print)
    environment = pulumi_environment(workspace, base_url=supervisor.base_url, binaries=binaries)
    return Engine(workspace, pulumi=binaries.pulumi, environment=environment), binaries


def _show(report: Report, *, as_json: bool) -> None:
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        render_report(report, open_console())
    if report.failed_claims:
        raise typer.Exit(1)


def _what_next(workspace: Workspace) -> Text:
    return Text.assemble(
        "\n  It keeps running. Look around, as in production:\n",
        ("    source .venv/bin/activate\n", "bold"),  # `make rehearse` leaves no command on PATH
        (f'    eval "$({workspace.command("shell")})"\n', "bold"),
        ("    pulumi preview; kubectl get pods -A\n", "bold"),
        "  End it:\n",
        (f"    {workspace.command('down')}\n", "bold"),
    )
