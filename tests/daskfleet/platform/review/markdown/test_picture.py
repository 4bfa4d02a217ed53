"""Unit: the diagram of the nodes that go, come and stay."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daskfleet.platform.review.markdown.comment import comment
from daskfleet.platform.review.markdown.picture import MOST_POOLS, picture
from daskfleet.platform.review.model import PlacementLine, PoolNodes, Review, Step
from tests.daskfleet.platform.review import sample_reviews
from tests.daskfleet.platform.review.recordings import recorded
from tests.daskfleet.platform.review.rendered import as_github, seen
from tests.daskfleet.platform.review.sample_fleet import POOL, consequences_of, diff, step

THREE = PoolNodes(machine_type="a2-highgpu-4g", least=3, most=3)
LARGER = PoolNodes(machine_type="a2-highgpu-4g", least=0, most=6)


def reviewed(*steps: Step) -> Review:
    return replace(
        sample_reviews.no_change(),
        steps=steps,
        consequences=consequences_of(*steps),
        placement=(
            PlacementLine(pool="l4", used=1, room=2, unit="L4"),
            PlacementLine(pool="a100", used=1, room=2, unit="A100"),
        ),
    )


def drawn(review: Review) -> str:
    section = picture(review)
    return "\n".join(section.items)


def pool(operation: str, **nodes: PoolNodes) -> Step:
    made = step(operation, POOL, f"a100-{operation}", "a100")  # type: ignore[arg-type]
    return replace(made, **nodes)  # type: ignore[arg-type]


def test_a_pool_that_is_replaced_goes_and_comes_and_others_stay() -> None:
    text = drawn(reviewed(pool("replace", nodes_before=THREE, nodes_after=LARGER)))
    assert '["pool a100, before: 3 nodes a2-highgpu-4g"]:::goes' in text
    assert '["pool a100, after: 0 to 6 nodes a2-highgpu-4g"]:::comes' in text
    assert '["pool l4: stays"]:::stays' in text
    assert "climate, fraud" in text
    assert '["pool a100: stays"]' not in text


def test_another_generation_beside_the_old_one_is_the_same_picture() -> None:
    both = reviewed(pool("create", nodes_after=LARGER), pool("delete", nodes_before=THREE))
    assert "before: 3 nodes" in drawn(both)
    assert "after: 0 to 6 nodes" in drawn(both)


def test_a_pool_that_comes_or_goes_alone_has_nothing_on_the_other_side() -> None:
    came = drawn(reviewed(pool("create", nodes_after=THREE)))
    assert '"comes"' in came
    assert "before" not in came.replace("Nodes before and after", "")
    went = drawn(reviewed(pool("delete", nodes_before=THREE)))
    assert '"goes"' in went
    assert "after" not in went.replace("Nodes before and after", "")


def test_another_size_is_drawn_and_other_settings_are_not() -> None:
    bigger = diff("autoscaling.maxNodeCount", "3", "6")
    sizes = replace(
        step("update", POOL, "a100-nodes", "a100", replace(bigger, direction="grows")),
        nodes_before=THREE,
        nodes_after=LARGER,
    )
    assert "has another size" in drawn(reviewed(sizes))
    labels = step("update", POOL, "a100-nodes", "a100", diff("nodeConfig.labels.x", "1", "2"))
    assert drawn(reviewed(replace(labels, nodes_before=THREE, nodes_after=THREE))) == ""


@pytest.mark.parametrize("name", ["no_change", "safe", "needs_care", "failed", "first_preview"])
def test_where_no_node_goes_there_is_no_picture(name: str) -> None:
    assert "mermaid" not in comment(getattr(sample_reviews, name)())


def test_the_fold_is_whole_and_the_diagram_is_code_for_who_does_not_draw_it() -> None:
    html = seen(as_github(comment(sample_reviews.destroys())))
    assert html.elements.count("details") == html.elements.count("summary")
    assert html.unclosed == []


@given(st.text(min_size=1, max_size=60))
def test_no_name_leaves_its_label(name: str) -> None:
    hostile = replace(pool("replace", nodes_before=THREE, nodes_after=THREE), parent=name)
    lines = drawn(reviewed(hostile)).splitlines()
    assert lines[0] == "```mermaid"
    assert lines[-1] == "```"
    plain = drawn(reviewed(replace(hostile, parent="x"))).splitlines()
    assert len(lines) == len(plain)
    for line in lines[1:-1]:
        assert line.count('"') % 2 == 0
        assert not {"`", "<", "#", ";", "\\"} & set(line.partition("classDef")[0])


def test_of_fifty_pools_and_teams_the_picture_stays_small() -> None:
    steps = [
        replace(
            step("replace", POOL, f"pool-{number}", f"pool-{number}"),
            nodes_before=THREE,
            nodes_after=LARGER,
        )
        for number in range(50)
    ]
    text = drawn(reviewed(*steps))
    assert f"and {50 - MOST_POOLS} pools more" in text
    assert len(text.encode()) < 6_000


def test_the_engines_own_events_say_machine_and_size() -> None:
    steps = recorded("pool_replaced").steps
    (changed,) = [each for each in steps if each.nodes_before and each.nodes_after]
    assert changed.nodes_before is not None
    assert changed.nodes_before.machine_type.startswith("a2-")
    assert changed.nodes_before.most > 0
