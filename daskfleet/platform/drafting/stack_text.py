"""Pure: the text of a stack file, with a comment where there is something to know."""

import textwrap
from collections.abc import Iterator

import yaml

from daskfleet.platform.drafting.draft import StackDraft
from daskfleet.settings.stack import Stack
from daskfleet.stack_text.project_file import NAMESPACE
from daskfleet.visible import visible

WIDTH = 100


def stack_text(draft: StackDraft, *, source: str) -> str:
    """Return the file. ``source`` says where its values are from."""
    return "\n".join(_lines(draft, source)) + "\n"


def _lines(draft: StackDraft, source: str) -> Iterator[str]:
    yield "# yaml-language-server: $schema=schema.json"
    yield from _comment(f"Drafted by `daskfleet draft` from {source}. Read every line of it.", "")
    yield "config:"
    for key in Stack.model_fields:
        for remark in draft.remarks.get(key, ()):
            yield from _comment(remark, "  ")
        if key in draft.settings:
            entry = {f"{NAMESPACE}:{key}": draft.settings[key]}
            text = yaml.safe_dump(entry, sort_keys=False, width=WIDTH, default_flow_style=False)
            yield textwrap.indent(text.rstrip("\n"), "  ")


def _comment(text: str, indent: str) -> Iterator[str]:
    """Comments of one line each: what others have written ends none of them."""
    marked = f"{indent}# "
    yield from textwrap.wrap(
        visible(text),
        WIDTH,
        initial_indent=marked,
        subsequent_indent=marked,
        break_on_hyphens=False,
    )
