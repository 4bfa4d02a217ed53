"""Property: no value becomes markup, a link or a mention, wherever it stands."""

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from daskfleet.platform.review.markdown.escape import (
    LONGEST_FENCE_RUN,
    code,
    fence,
    in_html_comment,
    text,
)
from daskfleet.platform.review.markdown.section import row, table
from daskfleet.visible import shortened, visible, visible_lines
from tests.daskfleet.platform.review.rendered import PARSERS, seen

PIECES = r"""
    <script> </details> <!-- --> <br> <a&nbsp;href=x> &amp; &#64; | \ \| ` `` ``` ~~~ ~~ ** __ _
    * + [x](http://e.vil) ![ ]( [^1] [ # > - 1. --- === ( ) = @octocat @org/team #1 GH-12 fixes
    owner/repo#3 closes https://e.vil www.e.vil a@b.co mailto:a@b.co :tada: $x$ $$ 7f3c2a91be04
    é 😀 team a100
""".split()  # noqa: SIM905 - fifty lines otherwise
UNSEEN = ["\u202e", "\u200b", "\x00", "\x1b[31m", "\ud800"]
SPACES = [" ", "    ", "\n", "\n\n", "\r", "\t", "\u2028", "\xa0"]
HOSTILE = st.sampled_from([*(piece.replace("&nbsp;", " ") for piece in PIECES), *UNSEEN, *SPACES])
values = st.lists(HOSTILE | st.text(max_size=5), max_size=12).map("".join)

GITHUB_WOULD_LINK = re.compile(
    r"@[a-z0-9]|#\d|gh-\d|https?://|www\.[a-z]|:[\w+-]+:|\$|\b[0-9a-f]{7,40}\b", re.IGNORECASE
)

PLACES: dict[str, tuple[Callable[[str], str], set[str]]] = {
    "paragraph": (lambda value: value, {"p"}),
    "bold": (lambda value: f"**before {value} after**", {"p", "strong"}),
    "item": (lambda value: f"- {value}\n- next", {"ul", "li"}),
    "heading": (lambda value: f"### {value}", {"h3"}),
}


@pytest.fixture(params=PARSERS, scope="module")
def to_html(request: pytest.FixtureRequest) -> Callable[[str], str]:
    return PARSERS[request.param]


@pytest.mark.parametrize("place", PLACES)
@given(value=values)
def test_a_text_is_no_markup_and_no_link(
    to_html: Callable[[str], str], place: str, value: str
) -> None:
    put, elements = PLACES[place]
    html = seen(to_html(put(text(value))))

    assert set(html.elements) <= elements | {"code", "wbr"}
    assert html.comments == []
    for piece in html.plain:
        assert not GITHUB_WOULD_LINK.search(piece)


@given(value=values)
def test_a_text_is_read_as_what_it_is(to_html: Callable[[str], str], value: str) -> None:
    html = seen(to_html(f"x{text(value)}y"))

    assert (
        "".join(html.everything).strip() == f"x{shortened(visible(' '.join(value.split())), 500)}y"
    )


@given(cells=st.lists(values, min_size=2, max_size=4), is_code=st.booleans())
def test_a_tables_columns_stay(
    to_html: Callable[[str], str], cells: list[str], *, is_code: bool
) -> None:
    form = code if is_code else text
    head = table(tuple("h" for _ in cells), "<" * len(cells))
    html = seen(to_html(head + row(form(cell) for cell in cells)))

    assert html.elements.count("td") == html.elements.count("th") == len(cells)
    assert html.elements.count("tr") == 2
    assert set(html.elements) <= {"table", "thead", "tbody", "tr", "th", "td", "code", "wbr"}
    if is_code:
        assert html.elements.count("code") == len(cells)


@given(value=values)
def test_code_is_one_span_with_all_of_the_value(to_html: Callable[[str], str], value: str) -> None:
    html = seen(to_html(f"a {code(value)} b"))
    shown = shortened(visible(value), 500)

    assert html.elements[:2] == ["p", "code"]
    assert set(html.elements[2:]) <= {"wbr"}
    assert html.plain == ["a ", " b", "\n"]
    assert "".join(html.everything[1:-2]) == (shown if shown.strip(" ") else f'"{shown}"')


@given(value=values | st.sampled_from(["```", "`" * 300, f"x\n{'`' * 300}\n<b>", "~" * 300]))
def test_a_fence_ends_at_its_end(to_html: Callable[[str], str], value: str) -> None:
    html = seen(to_html(f"{fence(value, 'diff')}\n\nafter"))

    assert html.elements == ["pre", "code", "p"]
    assert html.plain[-2:] == ["after", "\n"]
    if "`" * LONGEST_FENCE_RUN not in value and "~" * LONGEST_FENCE_RUN not in value:
        code_text = "".join(html.everything).removesuffix("after\n").rstrip("\n")
        assert code_text == visible_lines(value).rstrip("\n")


@given(project=values, stack=values)
def test_a_marker_is_one_comment(to_html: Callable[[str], str], project: str, stack: str) -> None:
    inner = f"{in_html_comment(project)}/{in_html_comment(stack)}"
    html = seen(to_html(f"<!-- daskfleet-review: {inner} -->\n### title"))

    assert html.elements == ["h3"]
    assert html.comments == [f" daskfleet-review: {inner} "]


@given(one=values, other=values)
@example(one="x" * 200, other="x" * 201)
def test_different_stacks_have_different_markers(one: str, other: str) -> None:
    assert (in_html_comment(one) == in_html_comment(other)) == (one == other)


def test_what_github_would_link_can_be_copied_as_it_is() -> None:
    assert text("ask @octocat (see #12), or https://e.vil/x.") == (
        "ask `@octocat` (see `#12`), or `https://e.vil/x`."
    )


def test_plain_words_stay_readable() -> None:
    assert text("pool a100-80gb of scheduler_pool: 2 nodes, 4 A100; it's 50 % more.") == (
        "pool a100-80gb of scheduler_pool: 2 nodes, 4 A100; it's 50 % more."
    )


def test_what_no_screen_shows_is_shown() -> None:
    assert visible("a\u202eb\u200bc\x1b[31m\ud800") == "a\\u202eb\\u200bc\\x1b[31m\\ud800"
