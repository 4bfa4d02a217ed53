"""The engine's markup for colours, and what terminals make of it, taken out of a text."""

import re

_MARKUP = re.compile(
    r"""<\{%[^%]*%\}>          # pulumi/pulumi sdk/go/common/diag/colors: <{%fg 1%}>, <{%reset%}>
    | \x1b\[[0-9;?]*[A-Za-z]   # ECMA-48: a terminal's colours
    | [\x00-\x08\x0b-\x1f\x7f] # other control characters
    """,
    re.VERBOSE,
)


def without_markup(text: str) -> str:
    """The text alone."""
    return _MARKUP.sub("", text)
