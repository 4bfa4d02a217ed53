"""Pure: values in Markdown that stay what they are: text and code, never markup, link or mention.

Two forms hold in a paragraph, a list item and a table cell alike: text, with character references
for what Markdown would read, and code spans. GitHub finds mentions, issues, commits, emoji and
links in text after it was parsed, so a reference such as ``&#64;`` would not stop them; in code it
looks for none. A word that GitHub would make one of is therefore put in code, where it can still be
copied as it is (zero-width characters, as some bots insert them, are copied along).
"""

import re
from hashlib import sha256
from urllib.parse import quote

from daskfleet.visible import in_short, visible_lines

LONGEST_TEXT = 500
"""Characters of one value outside of a fence; `--format json` has all of them."""

LOOKED_AT = 4
"""Times the limit: so much of a text is looked at, white space among it."""

LONGEST_NAME = 100
"""Characters of a project's or a stack's name; Pulumi takes no longer one."""

LONGEST_FENCE_RUN = 40
"""cmark-gfm counts the characters of a fence in one byte, so a longer run could end any fence."""

_MARKUP = re.compile(r"[\\`*\[\]<>&|~]|(?<![^\W_])_|_(?![^\W_])")
_BLOCK_START = re.compile(r"[#+=-]|[0-9]+(?=[.)])")
_LINKED = re.compile(
    r"[@$]"  # mentions, addresses, other people's repositories; formulas
    r"|\#\d|(?i:gh-\d)"  # issues, in the words "fixes #1" too
    r"|://|(?i:www\.)|(?i:(?:mailto|xmpp):)"
    r"|:[\w+-]+:"  # emoji
    r"|(?i:\b[0-9a-f]{7,40}\b)"  # commits
)


def text(value: str, limit: int = LONGEST_TEXT) -> str:
    """One line of text."""
    words = in_short(" ".join(value.lstrip()[: LOOKED_AT * limit].split()), limit).split(" ")
    line = " ".join(_word(word) if _LINKED.search(word) else _plain(word) for word in words)
    start = _BLOCK_START.match(line)
    if start is None:
        return line
    at = start.end() if start[0].isdigit() else 0
    return f"{line[:at]}{_reference(line[at])}{line[at + 1 :]}"


def code(value: str, limit: int = LONGEST_TEXT) -> str:
    """A code span; what would end one, or a table's cell, is written in HTML."""
    shown = in_short(value, limit)
    if not shown.strip(" "):
        shown = f'"{shown}"'
    if "`" in shown or "|" in shown or shown[0] == " " == shown[-1]:
        return f"<code>{''.join(map(_in_html_code, shown))}</code>"
    return f"`{shown}`"


def bold(markdown: str) -> str:
    """Markdown that is already escaped, in bold; four stars around nothing would be a rule."""
    return f"**{markdown}**" if markdown else ""


def fence(value: str, language: str = "") -> str:
    """A fenced block that nothing in the text can end."""
    shown = re.sub(
        rf"([`~])\1{{{LONGEST_FENCE_RUN - 1},}}",
        lambda run: run[1] * LONGEST_FENCE_RUN,
        visible_lines(value),
    )
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    marks = "`" * max(3, longest + 1)
    return f"{marks}{language}\n{shown}\n{marks}"


def in_html_comment(value: str) -> str:
    """A value that cannot end the HTML comment that it is in; different ones stay different."""
    if len(value) > LONGEST_NAME:
        return f"%{sha256(value.encode('utf-8', 'surrogatepass')).hexdigest()}"
    return quote(value, safe="", errors="surrogatepass").replace("--", "%2D%2D")


def _word(word: str) -> str:
    """A word that GitHub would link, in code; the punctuation around it is not the word's."""
    bare = word.strip("()[]\"',.;!?")
    if not bare or not _LINKED.search(bare):
        return code(word)
    before, after = word.split(bare, 1)
    return f"{_plain(before)}{code(bare)}{_plain(after)}"


def _plain(word: str) -> str:
    return _MARKUP.sub(lambda found: _reference(found[0]), word)


def _reference(character: str) -> str:
    return f"&#{ord(character)};"


def _in_html_code(character: str) -> str:
    # cmark-gfm finds addresses in the text of a <code>, too; a <wbr> breaks them and is not copied.
    end = "<wbr>" if character in "@:" else ""
    return character if character.isalnum() else f"{_reference(character)}{end}"
