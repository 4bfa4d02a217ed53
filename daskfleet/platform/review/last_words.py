"""Pure: why an engine ended that did not say so in its events."""

from dataclasses import replace

from daskfleet.platform.review.model import Preview
from daskfleet.platform.review.presentable import message

LAST_LINES = 20
"""Of what Pulumi prints for people; why it ended stands at the end."""

_ERROR = "error: "


def told_in_words(preview: Preview, words: str, *, otherwise: str) -> Preview:
    """A preview that failed, as what Pulumi prints for people says; what it says may be nothing."""
    lines = words.strip().splitlines()[-LAST_LINES:]
    found = [line for line in lines if line.startswith(_ERROR)]
    why = found[-1].removeprefix(_ERROR) if found else otherwise
    context = "\n".join(line for line in lines if line not in found)
    told = tuple(message(each) for each in (why, context) if each)
    return replace(preview, errors=told, result="failed")
