"""One open issue per drifted stack: opened, updated where it is, closed when nothing differs."""

from collections.abc import Callable

import pytest

from daskfleet.platform.drift.model import Difference, Owner, Report, Severity
from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.drift_body import body, marker, title
from daskfleet.platform.review.github.drift_issue import Action, settle
from tests.daskfleet.platform.review.github.server import GitHub
from tests.daskfleet.platform.review.github.state import Fault

RUN = "https://github.com/acme/fleet/actions/runs/1"
CHANGED = Difference(
    severity=Severity.CHANGED,
    resource="NetworkPolicy climate/egress",
    field="spec.egress",
    declared="UDP",
    found="TCP",
    owner=Owner.HAND,
    evidence="field manager kubectl-edit, @alice",
    remedy="put it back",
    ask="gcloud logging read x",
)


def report(*differences: Difference, stack: str = "prod") -> Report:
    return Report(stack=stack, differences=differences, google_resources=12, kubernetes_objects=26)


@pytest.fixture
def settled(connected: Callable[[], Connection]) -> Callable[[Report], Action]:
    """Do what one scheduled run does."""

    def settled(found: Report) -> Action:
        return settle(connected(), found, "daskfleet", RUN)[0]

    return settled


def test_drift_opens_an_issue_that_says_who_and_what_to_do(
    github: GitHub, settled: Callable[[Report], Action]
) -> None:
    assert settled(report(CHANGED)) == "opened"
    (issue,) = github.state.issues
    assert issue["title"] == "Drift of prod"
    for said in ("NetworkPolicy climate/egress", "`TCP`", "a hand edit", "put it back", RUN):
        assert said in issue["body"]
    assert "gcloud logging read x" in issue["body"]


def test_the_next_drift_updates_the_same_issue(
    github: GitHub, settled: Callable[[Report], Action]
) -> None:
    settled(report(CHANGED))
    gone = CHANGED.model_copy(update={"resource": "NodePool a100"})
    assert settled(report(CHANGED, gone)) == "updated"
    assert settled(report(CHANGED, gone)) == "unchanged"
    (issue,) = github.state.issues
    assert "**2 differ**" in issue["body"]


def test_no_drift_closes_it_with_a_word_and_opens_none(
    github: GitHub, settled: Callable[[Report], Action]
) -> None:
    assert settled(report()) == "nothing to do"
    assert github.state.issues == []
    settled(report(CHANGED))
    assert (
        settled(report(CHANGED.model_copy(update={"severity": Severity.INFORMATION}))) == "closed"
    )
    assert [issue["state"] for issue in github.state.issues] == ["closed"]
    assert "differs any more" in github.state.comments[0]["body"]
    assert settled(report()) == "nothing to do"
    assert len(github.state.comments) == 1


def test_new_drift_after_a_closed_issue_opens_another(
    github: GitHub, settled: Callable[[Report], Action]
) -> None:
    settled(report(CHANGED))
    settled(report())
    assert settled(report(CHANGED)) == "opened"
    assert [issue["state"] for issue in github.state.issues] == ["closed", "open"]


def test_stacks_have_issues_of_their_own(
    github: GitHub, settled: Callable[[Report], Action]
) -> None:
    settled(report(CHANGED))
    assert settled(report(CHANGED, stack="dev")) == "opened"
    assert [issue["title"] for issue in github.state.issues] == ["Drift of prod", "Drift of dev"]


def test_an_issue_of_somebody_else_with_the_marker_is_left_alone(
    github: GitHub, settled: Callable[[Report], Action]
) -> None:
    pasted = github.state.add_issue(f"{marker('daskfleet', 'prod')}\nmine", "alice")
    assert settled(report(CHANGED)) == "opened"
    assert settled(report()) == "closed"
    assert (pasted["state"], pasted["body"].endswith("mine")) == ("open", True)


def test_a_pull_request_of_ours_is_no_issue(
    github: GitHub, settled: Callable[[Report], Action]
) -> None:
    pull = github.state.add_issue(f"{marker('daskfleet', 'prod')}\nx")
    pull["pull_request"] = {"url": "https://api.github.com/repos/acme/fleet/pulls/1"}
    assert settled(report(CHANGED)) == "opened"


def test_an_issue_beyond_the_first_page_is_found(
    github: GitHub, settled: Callable[[Report], Action]
) -> None:
    for number in range(130):
        github.state.add_issue(f"something else {number}")
    settled(report(CHANGED))
    assert settled(report(CHANGED)) == "unchanged"


def test_duplicates_are_closed_and_the_oldest_stays(
    github: GitHub, settled: Callable[[Report], Action]
) -> None:
    for _ in range(3):
        github.state.add_issue(f"{marker('daskfleet', 'prod')}\nold")
    assert settled(report(CHANGED)) == "updated"
    assert [issue["state"] for issue in github.state.issues] == ["open", "closed", "closed"]


@pytest.mark.parametrize("cuts_connection", [False, True])
def test_a_lost_answer_does_not_open_a_second_issue(
    github: GitHub, settled: Callable[[Report], Action], *, cuts_connection: bool
) -> None:
    fault = Fault("POST", "/issues$", carried_out=True, cuts_connection=cuts_connection)
    github.state.faults.append(fault)
    settled(report(CHANGED))
    assert len(github.state.issues) == 1


def test_what_is_too_much_for_github_is_cut_and_counted() -> None:
    many = [
        CHANGED.model_copy(update={"resource": f"Pod {number}", "remedy": "€" * 300})
        for number in range(500)
    ]
    text = body(report(*many), "daskfleet", RUN)
    assert len(text.encode()) <= 65_536
    assert "of 500 differences" in text
    assert RUN in text


def test_what_a_fleet_holds_is_no_markup_and_calls_nobody() -> None:
    nasty = CHANGED.model_copy(
        update={"found": "</td><script> @everyone |", "resource": "Pod <b>x</b> | y"}
    )
    text = body(report(nasty), "daskfleet", RUN)
    assert "<script>" not in text.replace("`", "")
    assert "<b>" not in text
    assert "@alice" not in text.replace("`@alice`", "")
    (line,) = (line for line in text.splitlines() if "Pod" in line)
    assert line.count("|") == 6


def test_the_title_stays() -> None:
    assert title("prod") == "Drift of prod"
