"""End to end: every page of the runbook, followed word by word on one rehearsal."""

from collections.abc import Callable, Iterator

import pytest

from rehearsal.toolchain import Binaries
from tests.rehearsal.runbook.checkout import Checkout
from tests.rehearsal.runbook.pages import RUNBOOK, Page, pages

pytestmark = pytest.mark.rehearsal

PAGES = pages(RUNBOOK.read_text("utf-8"))


def lose_the_state(checkout: Checkout) -> None:
    """Cut the stack's checkpoint off in the middle."""
    state = (
        checkout.directory / ".rehearsal/rehearsal/state/.pulumi/stacks/daskfleet/rehearsal.json"
    )
    state.write_text(state.read_text("utf-8")[:1000], "utf-8")


GIVEN: dict[str, Callable[[Checkout], None]] = {"Restore the state": lose_the_state}
"""What has gone wrong before somebody opens a page."""


@pytest.fixture(scope="module")
def checkout(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checkout]:
    """A copy of the project with its rehearsal up."""
    del binaries  # built with visible progress before the first page
    made = Checkout(tmp_path_factory.mktemp("runbook"))
    yield made
    made.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
def test_a_page_does_what_it_says(page: Page, checkout: Checkout) -> None:
    checkout.restore()
    GIVEN.get(page.title, lambda _: None)(checkout)
    for step in page.steps:
        checkout.follow(step)
