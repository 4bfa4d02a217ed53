"""Property: whatever a review holds, GitHub takes the comment and every fold is closed."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.consequence import Consequence, Reason, Subject
from daskfleet.platform.review.markdown.comment import comment, step_summary
from daskfleet.platform.review.markdown.section import Section
from daskfleet.platform.review.markdown.size import (
    COMMENT_LIMIT_BYTES,
    RESERVED_BYTES,
    STEP_SUMMARY_LIMIT_BYTES,
    fit,
)
from daskfleet.platform.review.model import (
    Discrepancy,
    PlacementLine,
    PolicyFinding,
    PropertyDiff,
    Rehearsed,
    Review,
    Step,
    Verdict,
)
from tests.daskfleet.platform.review.rendered import as_github, seen
from tests.daskfleet.platform.review.sample_reviews import destroys

LONG = st.sampled_from(["x", "\\", "|", "`", "@x ", "\u202e", "😀", "<b>", "\n", "é "]).flatmap(
    lambda piece: st.sampled_from([1, 50, 2_000]).map(lambda times: piece * times)
)
COUNT = st.sampled_from([0, 1, 30, 1_000])


@st.composite
def reviews(draw: st.DrawFn) -> Review:
    """Reviews with very much of some things."""
    name, words = draw(LONG), draw(LONG)
    resource = f"NodePool {name}"

    def many(kind: str) -> range:
        return range(draw(COUNT, label=kind))

    diff = PropertyDiff(path=words, kind="update", forces_replacement=True, old=words, new=name)
    rehearsed = Rehearsed(
        base=words,
        head=name,
        lines=tuple(f"{each} {words}" for each in many("lines")),
        differences=tuple(
            Discrepancy(subject=f"{each}", foretold=words, seen=name)
            for each in many("differences")
        ),
        seconds_without_scheduler={f"{each} {name}": 1.0 for each in many("teams")},
        second_up_changes=1,
        stood_in=(words,),
        error=draw(st.sampled_from(["", words])),
    )
    return replace(
        destroys(),
        project=name,
        stack=words,
        commit=words,
        because=words,
        verdict=draw(st.sampled_from(Verdict)),
        consequences=tuple(
            Consequence(
                subject=Subject(kind="pool", name=f"{each} {name}"),
                change_class=draw(st.sampled_from([ChangeClass.ADDS, ChangeClass.DESTROYS_DATA])),
                headline=words,
                details=(words,) * 30,
                reasons=tuple(
                    Reason(
                        resource=resource,
                        path=f"{words}{number}",
                        change_class=ChangeClass.DESTROYS_DATA,
                        what=words,
                    )
                    for number in range(10)
                ),
                teams=(name,),
                workers=10**9,
            )
            for each in range(draw(st.sampled_from([0, 1, 200])))
        ),
        placement=tuple(
            PlacementLine(pool=name, used=2, room=1, unit=words) for _ in many("placement")
        ),
        policies=tuple(
            PolicyFinding(pack=name, policy=words, level="advisory", message=words, resource=name)
            for _ in many("policies")
        ),
        warnings=tuple(f"{each} {words}" for each in many("warnings")),
        errors=tuple(f"{each} {words}" for each in many("errors")),
        steps=tuple(
            Step(
                urn=f"urn{each}",
                type="gcp:container/nodePool:NodePool",
                name=name,
                operation="update",
                diffs=(diff,) * draw(st.sampled_from([0, 1, 50])) if each < 10 else (diff,),
                follows="urn0" if each % 3 == 2 else "",
            )
            for each in many("steps")
        ),
        rehearsed=rehearsed,
    )


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(review=reviews())
def test_a_comment_is_never_longer_than_github_takes(review: Review) -> None:
    text = comment(review)
    html = seen(as_github(text))

    assert len(text.encode()) <= COMMENT_LIMIT_BYTES
    assert html.elements.count("details") == html.elements.count("summary")
    assert text.rstrip().endswith("</sub>")
    for count, heading in (
        (len(review.consequences), "What users will notice"),
        (len(review.policies), "Policies"),
        (len(review.warnings), "Warnings"),
    ):
        assert (f"#### {heading}" in text) == (count > 0)


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(review=reviews())
def test_a_step_summary_is_never_longer_than_github_takes(review: Review) -> None:
    assert len(step_summary(review).encode()) <= STEP_SUMMARY_LIMIT_BYTES


sections = st.builds(
    Section,
    items=st.lists(st.text(min_size=1, max_size=300), max_size=60).map(tuple),
    noun=st.just("things"),
    opening=st.just("open\n"),
    closing=st.just("\nclose"),
    gives_way=st.booleans(),
)


@given(st.lists(sections, max_size=5), st.integers(6 * RESERVED_BYTES, 60_000))
def test_every_section_gets_its_share_and_what_gives_way_gets_the_rest(
    parts: list[Section], limit: int
) -> None:
    fitted = fit(parts, limit)
    firm = [part for part in parts if part.items and not part.gives_way]

    assert sum(len(block.encode()) + 2 for block in fitted.blocks) <= limit
    assert len([block for block in fitted.blocks if block]) >= len(firm)
    for block in fitted.blocks:
        assert block.startswith("open\n")
        assert block.endswith("\nclose")


@given(st.lists(sections, min_size=1, max_size=5), st.integers(6 * RESERVED_BYTES, 60_000))
def test_nothing_is_cut_to_make_room_for_what_gives_way(parts: list[Section], limit: int) -> None:
    firm = [replace(part, gives_way=False) for part in parts]
    diff = Section(items=("d" * 100,) * 1_000, noun="diffs", gives_way=True)

    assert fit([diff, *firm], limit).left_out[1:] == fit(firm, limit).left_out


def test_what_gives_way_is_cut_before_what_comes_after_it() -> None:
    diff = Section(items=("d" * 900,) * 10, noun="diffs", gives_way=True)
    policies = Section(items=("p" * 900,) * 4, noun="policies")
    fitted = fit([diff, policies], 6_000)

    assert fitted.left_out == ("8 of 10 diffs",)
    assert fitted.blocks[1].count("p" * 900) == 4
