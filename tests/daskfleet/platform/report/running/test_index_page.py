"""Unit: the page that lists every stack."""

from collections.abc import Mapping

from daskfleet.platform.report.running.every_stack import SeenStack
from daskfleet.platform.report.running.index_page import index_page, stack_row, verdict_of_all
from daskfleet.platform.report.running.model import FleetView
from daskfleet.platform.report.running.page_files import page_files
from tests.daskfleet.platform.report.documents import HOSTILE
from tests.daskfleet.platform.report.running.fleets import NOW, troubled, unread, view
from tests.daskfleet.platform.review.rendered import Seen


def seen(stack: str, read: FleetView | None = None, why_not: str = "") -> SeenStack:
    return SeenStack(stack=stack, asked_at=NOW, view=read, why_not=why_not)


MIXED = (
    seen("dev", view()),
    seen("old", why_not="The stack has no outputs."),
    seen("prod", troubled()),
)
HOSTILE_STACKS = (
    seen(HOSTILE, view()),
    seen("javascript:alert(1)", view()),
    seen("a\u202eb", why_not=HOSTILE),
)


def files_of(stacks: tuple[SeenStack, ...]) -> Mapping[str, str]:
    return page_files([each.stack for each in stacks], index="report-all.html")


def laid_out(*stacks: SeenStack) -> str:
    return index_page(stacks, files_of(stacks))


def parsed(html: str) -> Seen:
    reader = Seen()
    reader.feed(html.removeprefix("<!doctype html>"))
    reader.close()
    return reader


def text(*stacks: SeenStack) -> str:
    return " ".join(" ".join(parsed(laid_out(*stacks)).everything).split())


def test_each_stack_that_was_read_leads_to_its_page_and_the_others_say_why() -> None:
    html = laid_out(*MIXED)
    assert '<a href="report-dev.html">dev</a>' in html
    assert '<a href="report-prod.html">prod</a>' in html
    assert "report-old.html" not in html
    assert "It could not be read: The stack has no outputs." in text(*MIXED)
    assert "5 open problems." in text(*MIXED)


def test_a_row_has_the_figures_of_the_stacks_own_page() -> None:
    row = stack_row(MIXED[2], "report-prod.html")
    assert (row.teams, row.gpus, row.waiting) == ("1 of 2", "2 of 4", "2")
    assert row.usd_per_hour == "17.50"
    assert row.as_of == "23 November, 09:00:00 UTC"


def test_what_nobody_knows_of_a_stack_is_no_zero() -> None:
    row = stack_row(MIXED[1], "report-old.html")
    assert {row.teams, row.gpus, row.waiting, row.usd_per_hour} == {"not known"}
    half = stack_row(seen("prod", view(**unread("teams", "prices"))), "report-prod.html")
    assert (half.teams, half.gpus) == ("not known", "not known of 2")
    assert (half.waiting, half.usd_per_hour) == ("not known", "not known")
    assert len(half.unread) == 2
    no_nodes = stack_row(seen("prod", view(**unread("nodes"))), "report-prod.html")
    assert no_nodes.gpus == "not known"


def test_sums_over_stacks_are_at_least_that_where_one_is_missing() -> None:
    assert "Open problems at least 5" in text(*MIXED)
    assert "Cost now at least 27.00" in text(*MIXED)
    assert "Stacks read 2 of 3" in text(*MIXED)
    assert "Open problems 5" in text(MIXED[0], MIXED[2])
    assert "Cost now 27.00" in text(MIXED[0], MIXED[2])
    assert text(MIXED[1]).count("Cost now") == 1, "the head of the table alone"


def test_the_verdict_is_green_only_when_every_stack_was_read_whole() -> None:
    assert verdict_of_all(MIXED) == (
        "failed",
        "Open problems on 1 of 3 stacks; 1 could not be read.",
    )
    assert verdict_of_all(MIXED[:2]) == (
        "not measured",
        "No problem is known; 1 of 2 stacks could not be read whole.",
    )
    partly = (seen("prod", view(**unread("drift"))),)
    assert verdict_of_all(partly)[0] == "not measured"
    assert verdict_of_all(MIXED[:1]) == ("holds", "No open problem on 1 stack.")


def test_names_and_reasons_of_others_cannot_become_html_or_addresses() -> None:
    html = laid_out(*HOSTILE_STACKS)
    assert HOSTILE not in html
    assert "<img" not in html
    assert "\u202e" not in html
    assert 'href="javascript' not in html
    reader = parsed(html)
    assert reader.unclosed == []
    assert reader.elements.count("script") == 1
    assert "default-src 'none'" in html
