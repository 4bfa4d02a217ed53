"""Pure: the scheduler's HTTP server answers, with a dashboard."""

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.verify.facts import TeamFacts
from daskfleet.team.verify.model import Check, failed, not_measured, passed

DASHBOARD = "dashboard"
OK = 200
WITHOUT_BOKEH = "Dask needs bokeh"
"""What distributed shows in place of the dashboard where bokeh is missing."""

EXPECTED = "/health and /status answer"


def dashboard(team: DeclaredTeam, facts: TeamFacts) -> Check:
    """The scheduler is healthy, and there is a page to look at."""
    if not facts.pages:
        return not_measured(DASHBOARD, expected=EXPECTED, seen="not asked: see connection")
    wrong = [
        f"{page.path}: {page.status or page.text}" for page in facts.pages if page.status != OK
    ]
    if wrong:
        return failed(
            DASHBOARD,
            expected=EXPECTED,
            seen="; ".join(wrong),
            next_step="The scheduler's log says whether its HTTP server started: `kubectl logs "
            f"--namespace {team.namespace} deployment/{team.dask_cluster}-scheduler`.",
        )
    if any(WITHOUT_BOKEH in page.text for page in facts.pages):
        return not_measured(
            DASHBOARD,
            expected=EXPECTED,
            seen="/health answers; the scheduler's environment has no bokeh, so there is no page",
            next_step="Build bokeh into the team's image to have a dashboard.",
        )
    return passed(DASHBOARD, expected=EXPECTED, seen="both answer")
