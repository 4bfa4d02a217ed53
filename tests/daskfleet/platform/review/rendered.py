"""What a comment is once it is HTML: its elements, and its text in and outside of code."""

from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt

VOID = {"br", "hr", "img", "input", "meta", "wbr"}


def as_github(markdown: str) -> str:
    """By cmark-gfm, which is GitHub's parser, with all its extensions; raw HTML stays."""
    return str(
        cmarkgfm.github_flavored_markdown_to_html(markdown, options=Options.CMARK_OPT_UNSAFE)
    )


def as_markdown_it(markdown: str) -> str:
    """By a second parser that knows tables and strikethrough."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return str(parser.render(markdown))


PARSERS: dict[str, Callable[[str], str]] = {"cmark-gfm": as_github, "markdown-it": as_markdown_it}


@dataclass
class Seen(HTMLParser):
    """Elements and texts of an HTML document."""

    elements: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    """Pieces of text outside of code: there GitHub looks for mentions and more."""

    everything: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    unclosed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count it, and wait for its end."""
        del attrs
        self.elements.append(tag)
        if tag not in VOID:
            self.unclosed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """It must be the end of what was opened last."""
        assert self.unclosed, f"</{tag}> ends nothing"
        assert self.unclosed.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A void element."""
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        """Code is no plain text."""
        self.everything.append(data)
        if "code" not in self.unclosed:
            self.plain.append(data)

    def handle_comment(self, data: str) -> None:
        """Keep it."""
        self.comments.append(data)


def seen(html: str) -> Seen:
    """Read HTML; every element must be closed where it was opened."""
    reader = Seen()
    reader.feed(html)
    reader.close()
    assert reader.unclosed == []
    return reader
