"""The report of the rehearsal that runs now."""

import json
from datetime import UTC, datetime

from daskfleet.contract.outputs import FleetOutputs
from rehearsal.engine.engine import Engine
from rehearsal.errors import RehearsalError
from rehearsal.kubernetes_requests import UNANSWERED
from rehearsal.progress import Steps
from rehearsal.report.build import build_report
from rehearsal.report.commit import described_commit
from rehearsal.report.model import Claim, Occasion, Report, read_last_up
from rehearsal.report.observe import observe
from rehearsal.report.stage_parts import stage_parts
from rehearsal.supervisor.look import cluster_named, start_afresh
from rehearsal.supervisor.record import SupervisorRecord
from rehearsal.toolchain import Binaries
from rehearsal.verification import verified_claims
from rehearsal.workspace import Workspace


def current_report(
    workspace: Workspace,
    *,
    engine: Engine,
    binaries: Binaries,
    supervisor: SupervisorRecord,
    steps: Steps,
) -> Report:
    """Read the stack's outputs and the cluster, and check every claim.

    Where Dask runs it is asked, too.

    Raises:
        RehearsalError: the stack has no outputs or no cluster yet, or the cluster does not answer.
        pydantic.ValidationError: the stack's outputs are not what the claims need.

    """
    outputs = json.loads(engine.output("stack", "output", "--json"))
    if not outputs:
        raise RehearsalError(
            f"Stack {workspace.stack} has no outputs: no `pulumi up` has succeeded since it was "
            f"made or destroyed. Run one, or `{workspace.command('up')}`."
        )
    fleet = FleetOutputs.model_validate(outputs)
    cluster = cluster_named(supervisor, fleet.cluster.name)
    try:
        observation = observe(cluster)
    except UNANSWERED as error:
        raise RehearsalError(
            f"The Kubernetes API at {cluster.endpoint} does not answer: {error!r}. Try again in "
            f"half a minute; if it stays so: {start_afresh(workspace)}"
        ) from error
    verified: tuple[Claim, ...] = ()
    if cluster.dask is not None:
        with steps.step("verify") as step:
            verified = verified_claims(workspace, engine.environment, step=step)
    last_up = read_last_up(workspace.report_file)
    providers = last_up.providers if last_up else ()
    return build_report(
        stack=workspace.stack,
        fleet=fleet,
        observation=observation,
        cluster=cluster,
        last_up=last_up,
        verified=verified,
        stage=stage_parts(binaries, providers=providers, dask=cluster.dask),
        occasion=Occasion(
            looked_at=datetime.now(tz=UTC), commit=described_commit(workspace.project_dir)
        ),
    )
