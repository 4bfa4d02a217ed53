"""Labels that allow, and what becomes of those that were given for another commit."""

import pytest
from github.Issue import Issue

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.github.allowances import labels_of, read_allowances, take_back
from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.errors import GitHubError
from tests.daskfleet.platform.review.github.server import GitHub
from tests.daskfleet.platform.review.github.state import Fault


@pytest.fixture
def issue(connection: Connection) -> Issue:
    return connection.repository.get_issue(7)


@pytest.mark.parametrize(
    ("spelling", "change"),
    [
        ("replaces-pool", ChangeClass.REPLACES_POOL),
        ("replace-pool", ChangeClass.REPLACES_POOL),
        ("replaces-cluster", ChangeClass.REPLACES_CLUSTER),
        ("destroys-data", ChangeClass.DESTROYS_DATA),
        ("destroy-data", ChangeClass.DESTROYS_DATA),
    ],
)
def test_a_label_names_a_class_as_the_option_does(spelling: str, change: ChangeClass) -> None:
    allowances = read_allowances(["bug", f"daskfleet-allow:{spelling}"])
    assert allowances.classes == {change}
    assert allowances.unknown == ()


@pytest.mark.parametrize(
    "label",
    ["daskfleet-allow:replaces-pools", "daskfleet-allow:", "daskfleet-allow:rolls-nodes"],
)
def test_a_label_that_names_nothing_to_allow_allows_nothing_and_is_named(label: str) -> None:
    allowances = read_allowances([label])
    assert allowances.classes == frozenset()
    assert allowances.unknown == (label,)


def test_other_labels_are_none_of_our_business() -> None:
    assert read_allowances(["replaces-pool", "allow:replaces-pool"]).classes == frozenset()


def test_labels_are_read_over_all_pages(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    github.state.labels = [f"area-{number}" for number in range(120)] + [
        "daskfleet-allow:replaces-pool"
    ]
    allowances = read_allowances(labels_of(connection, issue))
    assert allowances.classes == {ChangeClass.REPLACES_POOL}


def test_taking_back_leaves_other_labels(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    github.state.labels = ["bug", "daskfleet-allow:replaces-pool", "daskfleet-allow:typo"]
    taken = take_back(connection, issue, labels_of(connection, issue))
    assert taken == ["daskfleet-allow:replaces-pool", "daskfleet-allow:typo"]
    assert github.state.labels == ["bug"]


def test_a_label_that_somebody_removes_meanwhile_is_no_error(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    seen = "daskfleet-allow:adds"
    github.state.labels = ["bug"]
    assert take_back(connection, issue, [seen]) == [seen]
    assert github.state.labels == ["bug"]


def test_a_label_that_cannot_be_taken_back_stops_the_publication(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    github.state.labels = ["daskfleet-allow:replaces-pool"]
    message = "Resource not accessible by integration"
    github.state.faults.append(Fault("DELETE", "/labels/", 403, message=message))
    with pytest.raises(GitHubError, match="Removing the label daskfleet-allow:replaces-pool: "):
        take_back(connection, issue, github.state.labels)
