"""Setting the stage: everything that plain ``pulumi up`` needs, up to a serving supervisor."""

from collections.abc import Callable
from dataclasses import dataclass

from daskfleet.files import make_private_directory
from rehearsal.control_plane import DaskMode
from rehearsal.dask_pods.addresses import has_loopback_blocks
from rehearsal.engine.engine import Engine
from rehearsal.engine.recovery import release_stale_lock, was_killed_while_creating
from rehearsal.engine.stack_init import ensure_stack
from rehearsal.errors import RehearsalError
from rehearsal.progress import Steps
from rehearsal.providers.install import Choice, InstalledPlugin, Kind, install_plugins
from rehearsal.report.model import TOOLCHAIN_STEP, StagePart
from rehearsal.stage.auth_plugin import install_auth_plugin
from rehearsal.stage.chart import prepare_chart
from rehearsal.stage.stack_file import check_stack_file, prepare_stack_file
from rehearsal.stage.teardown import end_engine, end_rehearsal
from rehearsal.supervisor.launch import launch_supervisor, live_supervisor, wake_supervisor
from rehearsal.supervisor.look import what_is_dead
from rehearsal.supervisor.record import SupervisorRecord
from rehearsal.supervisor.serve import parse_latency
from rehearsal.toolchain import Binaries, ensure_toolchain
from rehearsal.workspace import Workspace, pulumi_environment, users_pulumi_home

Report = Callable[[str], None]

NO_ADDRESSES = (
    "Dask's pods are placed and not run: this system has 127.0.0.1 alone, and each pod that runs "
    "needs a loopback address of its own. Linux has them."
)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A stage that is set: the engine can go to work."""

    workspace: Workspace
    binaries: Binaries
    engine: Engine
    supervisor: SupervisorRecord
    providers: tuple[StagePart, ...]


def set_stage(
    workspace: Workspace, *, providers: Choice, latency: str, dask: DaskMode, steps: Steps
) -> Stage:
    """Set the stage, or find it set. What a killed run left is cleared away first.

    A stage that is set, or at rest, keeps its latency and its mode for Dask's pods.

    Raises:
        RehearsalError, ToolchainError: the message says what to do.

    """
    # What is wrong with the request is told before minutes go into building the toolchain.
    check_stack_file(workspace)
    parse_latency(latency)
    with steps.step(TOOLCHAIN_STEP) as step:
        binaries = ensure_toolchain(progress=step.report, warn=step.say)
        origins = ", ".join(sorted({str(tool.origin) for tool in binaries.tools}))
        step.outcome = f"{len(binaries.tools)} binaries: {origins}"
    with steps.step("stage") as step:
        if dask == "run" and not has_loopback_blocks():
            step.say(NO_ADDRESSES)
            dask = "place"
        asked = _Asked(providers=providers, latency=latency, dask=dask)
        # Of an `up` that was killed: two do not run at once.
        end_engine(workspace, report=step.report)
        stage = _set(workspace, binaries, asked, report=step.report)
        release_stale_lock(workspace, stage.engine)
        if was_killed_while_creating(stage.engine):
            # Nobody knows what exists. Real resources would have to be imported one by one;
            # a rehearsal is disposable.
            step.say("The last `up` was killed while it created something; starting afresh.")
            end_rehearsal(workspace, report=step.report)
            stage = _set(workspace, binaries, asked, report=step.report)
        step.outcome = f"Google's APIs emulated at {stage.supervisor.base_url}"
    return stage


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What a new stage is to be like."""

    providers: Choice
    latency: str
    dask: DaskMode


def _set(workspace: Workspace, binaries: Binaries, asked: _Asked, *, report: Report) -> Stage:
    supervisor = live_supervisor(workspace)
    is_at_rest = supervisor is None and workspace.rest_file.exists()
    if supervisor is None and workspace.directory.exists() and not is_at_rest:
        # The emulated Google Cloud lived in the supervisor: the state speaks of nothing now.
        report("clearing what an ended rehearsal has left")
        end_rehearsal(workspace, report=report)
    elif supervisor is not None and (dead := what_is_dead(workspace)):
        raise RehearsalError(dead)
    made = (workspace.state_dir, workspace.logs_dir, workspace.clusters_dir)
    for directory in (workspace.directory, *made):
        make_private_directory(directory)
    prepare_chart(workspace.chart)
    prepare_stack_file(workspace)
    install_auth_plugin(workspace.bin_dir, workspace.token_file)
    if is_at_rest:
        report("starting the control plane and the emulated Google APIs again")
        supervisor = wake_supervisor(workspace)
    elif supervisor is None:
        report("starting the emulated Google APIs")
        supervisor = launch_supervisor(workspace, latency=asked.latency, dask=asked.dask)
    environment = pulumi_environment(workspace, base_url=supervisor.base_url, binaries=binaries)
    engine = Engine(workspace, pulumi=binaries.pulumi, environment=environment)
    ensure_stack(workspace, engine)
    report("installing the provider plugins")
    plugins = install_plugins(
        pulumi_home=workspace.pulumi_home,
        choice=asked.providers,
        user_pulumi_home=users_pulumi_home(workspace),
        pulumi=binaries.pulumi,
        progress=report,
    )
    return Stage(
        workspace=workspace,
        binaries=binaries,
        engine=engine,
        supervisor=supervisor,
        providers=tuple(map(_provider_part, plugins)),
    )


def _provider_part(plugin: InstalledPlugin) -> StagePart:
    return StagePart(
        part=f"provider {plugin.name}",
        is_real=plugin.kind is Kind.REAL,
        what_ran=f"{plugin.version}, {plugin.origin}",
    )
