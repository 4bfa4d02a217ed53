"""Pure: the team's JupyterLab, by the Kubernetes API."""

from daskfleet.contract.declared import DeclaredJupyter, DeclaredTeam
from daskfleet.team.verify.facts import TeamFacts
from daskfleet.team.verify.model import Check, failed, passed

JUPYTER = "JupyterLab"


def jupyter(team: DeclaredTeam, declared: DeclaredJupyter, facts: TeamFacts) -> Check:
    """One pod of it is ready, and runs the declared image where it was declared."""
    is_known = all(pod.pool is not None for pod in facts.jupyter)
    pool = declared.worker_pool if is_known else None
    expected = f"one pod ready, with {declared.image}" + (f", on {pool}" if pool else "")
    wrong = [
        *(f"{pod.name}: {pod.state}" for pod in facts.jupyter if not pod.is_ready),
        *(f"{pod.name} runs {pod.image}" for pod in facts.jupyter if pod.image != declared.image),
        *(f"{pod.name} is on {pod.pool}" for pod in facts.jupyter if pool not in (None, pod.pool)),
    ]
    if wrong or len(facts.jupyter) != 1:
        return failed(
            JUPYTER,
            expected=expected,
            seen="; ".join(wrong) or f"{len(facts.jupyter)} pods",
            next_step=f"Look at it with `kubectl describe deployment jupyter --namespace "
            f"{team.namespace}`; `daskfleet drift` says whether somebody has changed it, and "
            "`pulumi up` puts it back.",
        )
    return passed(JUPYTER, expected=expected, seen=facts.jupyter[0].name)
