"""Unit: what the comment says, in which order, and what it leaves out."""

from dataclasses import replace
from pathlib import Path

import pytest

from daskfleet.platform.review.markdown.comment import comment, step_summary
from daskfleet.platform.review.markdown.shown_commit import commit_line
from daskfleet.platform.review.markdown.size import STEP_SUMMARY_LIMIT_BYTES
from daskfleet.platform.review.markdown.top import marker
from daskfleet.platform.review.model import Gate, Verdict
from tests.daskfleet.platform.review import sample_reviews
from tests.daskfleet.platform.review.rendered import as_github, seen
from tests.daskfleet.platform.review.sample_reviews import SAMPLES

GOLDEN = Path(__file__).parents[1] / "samples"


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_what_it_was_when_somebody_looked_at_it(name: str) -> None:
    golden = (GOLDEN / f"{name}.md").read_text(encoding="utf-8")

    assert comment(SAMPLES[name]()) == golden, "if it is meant so: make samples, and look at them"


def test_there_is_a_golden_file_for_each_sample_and_no_other() -> None:
    assert {path.stem for path in GOLDEN.glob("*.md")} - {"README"} == SAMPLES.keys()


@pytest.mark.parametrize("name", SAMPLES)
def test_every_element_of_a_sample_is_closed(name: str) -> None:
    html = seen(as_github(comment(SAMPLES[name]())))

    assert html.elements.count("details") == html.elements.count("summary")
    assert html.elements.count("h3") == 1


@pytest.mark.parametrize("name", SAMPLES)
def test_the_first_three_lines_have_verdict_reason_and_gate(name: str) -> None:
    review = SAMPLES[name]()
    lines = [line for line in comment(review).splitlines() if line]

    assert lines[0] == marker("daskfleet", "prod") == "<!-- daskfleet-review: daskfleet/prod -->"
    assert lines.pop(1) == commit_line(review.commit)
    assert lines[1].lower().endswith(f"{review.verdict}: prod")
    assert lines[2] == f"**{review.because}**"
    if not review.gate.passes:
        assert "gate stops" in lines[3]


def test_no_change_is_three_lines_and_nothing_else() -> None:
    visible = [line for line in comment(sample_reviews.no_change()).splitlines() if line][2:]

    assert len(visible) == 4
    assert visible[2] == "88 unchanged"
    assert visible[3].startswith("<sub>Commit")


def test_a_failure_begins_with_the_error_in_a_fence() -> None:
    text = comment(sample_reviews.failed())

    assert text.index("```text\ndaskfleet:dask:Protection") < text.index("#### Warnings")
    assert text.index("cannot be deleted") < 700


def test_a_failure_of_which_nothing_is_known_is_a_comment_too() -> None:
    review = replace(
        sample_reviews.no_change(),
        verdict=Verdict.FAILED,
        because="The preview's events end before its summary.",
        counts={},
        cost=None,
        gate=Gate(passes=False, why="The preview is incomplete."),
    )

    assert "**gate stops:** The preview is incomplete." in comment(review)


def test_the_worst_comes_first_with_the_property_that_forces_it() -> None:
    text = comment(sample_reviews.destroys())

    assert text.index("pool a100") < text.index("team marketing") < text.index("| driver |")
    assert (
        "<br>**12 workers, 3 nodes, 12 GPUs go; back in 8 to 19 min**<br>because of "
        "`guestAccelerators[0].type`: `nvidia-tesla-a100` → `nvidia-a100-80gb`, and 1 more |"
    ) in text
    assert "`…26.08-cuda12-py3.13` → `…26.10-cuda12-py3.13`" in text
    assert "needs the label `daskfleet-allow:replaces-pool`" in text


def test_parts_of_the_fleet_to_which_the_same_mild_thing_happens_share_a_row() -> None:
    text = comment(sample_reviews.first_preview())

    assert "| cluster, network, node account" in text


def test_differences_from_what_was_foretold_are_bold() -> None:
    text = comment(sample_reviews.rehearsed())

    assert "| team climate | nothing happens | **2 workers restarted** |" in text
    assert text.count("Differs from the prediction") == 1
    assert text.index("Differs from the prediction") < text.index("Dask cluster replaced")
    assert "**the rehearsal saw 1 difference**" in text.split("####")[0]
    assert "as predicted" not in text


def test_a_change_that_the_rehearsal_could_not_carry_out_says_so_first() -> None:
    review = sample_reviews.rehearsed()
    assert review.rehearsed
    failed = replace(review, rehearsed=replace(review.rehearsed, error="pod x: Pending"))
    text = comment(failed)

    assert "**the rehearsal failed**" in text.split("####")[0]
    assert "**The change could not be carried out.**\n\n```text\npod x: Pending\n```" in text


def test_nothing_is_said_of_a_prediction_that_nothing_was_compared_with() -> None:
    review = sample_reviews.rehearsed()
    assert review.rehearsed
    unapplied = replace(review.rehearsed, differences=(), second_up_changes=None)
    text = comment(replace(review, rehearsed=unapplied))

    assert "foretold" not in text
    assert "second `up`" not in text
    assert "Nothing was applied, so there is nothing to compare." in text


def test_a_rehearsal_without_a_difference_is_said_in_three_words() -> None:
    review = sample_reviews.rehearsed()
    assert review.rehearsed
    same = replace(review, rehearsed=replace(review.rehearsed, differences=()))

    assert "rehearsed as predicted" in comment(same).split("####")[0]


def test_a_second_up_that_changes_something_is_bold() -> None:
    review = sample_reviews.rehearsed()
    assert review.rehearsed
    changed = replace(review, rehearsed=replace(review.rehearsed, second_up_changes=2))

    assert "**A second `up` changed 2 resources; it must change nothing.**" in comment(changed)


def test_what_is_cut_is_said_with_the_place_where_it_is() -> None:
    text = comment(sample_reviews.huge())

    assert "of the diff are left out. All of it is in the step summary and the artifact" in text
    assert "--stack prod --format json` prints it" in text
    assert "1,000 resources re-created only because of cluster" in text


def test_the_step_summary_holds_more_than_the_comment() -> None:
    review = sample_reviews.huge()

    assert len(comment(review)) < len(step_summary(review)) <= STEP_SUMMARY_LIMIT_BYTES
    assert "left out" not in step_summary(review)
