"""Running `daskfleet verify` on the rehearsal, as a platform engineer would."""

import subprocess
import sys
from collections import Counter
from collections.abc import Mapping

from rehearsal.progress import Step
from rehearsal.report.model import Claim
from rehearsal.report.verified import Verified, claims_of, could_not_run
from rehearsal.workspace import Workspace

TIMEOUT_S = 300
"""Its own limits are shorter; this one is for a machine that has come to a standstill."""

CHECK_FAILED = 3
INSIDE_A_POD = "KUBERNETES_SERVICE_HOST"
"""Where this is set, the command takes the clusters' own addresses, which lead nowhere here."""


def verified_claims(
    workspace: Workspace, environment: Mapping[str, str], *, step: Step
) -> tuple[Claim, ...]:
    """Run the command on all teams, and return what it found as claims."""
    step.show("asking the clusters through Dask")
    command = (
        *(sys.executable, "-m", "daskfleet"),
        *("verify", "--stack", workspace.stack, "--json"),
    )
    try:
        done = subprocess.run(
            command,
            cwd=workspace.project_dir,
            env={name: value for name, value in environment.items() if name != INSIDE_A_POD},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        return _failed(f"it did not end within {TIMEOUT_S} s", step)
    if done.returncode not in (0, CHECK_FAILED):
        return _failed(" ".join(done.stderr.split()), step)
    verified = Verified.model_validate_json(done.stdout)
    outcomes = Counter(check.outcome for each in verified.teams for check in each.checks)
    step.outcome = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    return claims_of(verified)


def _failed(why: str, step: Step) -> tuple[Claim, ...]:
    step.outcome = "could not be run"
    return (could_not_run(why),)
