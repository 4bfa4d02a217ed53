"""Pure: the team's JupyterLabs, by the Kubernetes API."""

from daskfleet.contract.declared import DeclaredJupyter, DeclaredTeam
from daskfleet.team.verify.facts import TeamFacts
from daskfleet.team.verify.model import Check, failed, passed

JUPYTER = "JupyterLab"


def jupyter(team: DeclaredTeam, declared: DeclaredJupyter, facts: TeamFacts) -> Check:
    """One pod of each is ready, and runs the declared image where it was declared."""
    is_known = all(pod.pool is not None for pod in facts.jupyter)
    pool = declared.worker_pool if is_known else None
    labs = 1 + len(declared.people or {})
    expected = "one pod ready" if labs == 1 else f"{labs} pods ready, one of them the team's own"
    expected += f", with {declared.image}" + (f", on {pool}" if pool else "")
    wrong = [
        *(f"{pod.name}: {pod.state}" for pod in facts.jupyter if not pod.is_ready),
        *(f"{pod.name} runs {pod.image}" for pod in facts.jupyter if pod.image != declared.image),
        *(f"{pod.name} is on {pod.pool}" for pod in facts.jupyter if pool not in (None, pod.pool)),
    ]
    if wrong or len(facts.jupyter) != labs:
        return failed(
            JUPYTER,
            expected=expected,
            seen="; ".join(wrong) or f"{len(facts.jupyter)} pod" + "s" * (len(facts.jupyter) != 1),
            next_step=f"Look at it with `kubectl describe deployment {_deployments(declared)} "
            f"--namespace {team.namespace}`; `daskfleet drift` says whether somebody has changed "
            "it, and `pulumi up` puts it back.",
        )
    return passed(JUPYTER, expected=expected, seen=", ".join(pod.name for pod in facts.jupyter))


def _deployments(declared: DeclaredJupyter) -> str:
    """Each is called as its Service is."""
    people = (person.service for person in (declared.people or {}).values())
    return " ".join((declared.service, *people))
