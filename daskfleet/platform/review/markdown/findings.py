"""What was found beside the changes: errors, placement, policies, warnings."""

import textwrap

from daskfleet.platform.review.markdown.escape import code, fence, text
from daskfleet.platform.review.markdown.section import Section
from daskfleet.platform.review.model import PlacementLine, PolicyFinding, Review
from daskfleet.visible import shortened

LONGEST_ERROR = 2_000
"""Characters; of longer ones beginning and end are shown, where causes are told."""

ERROR_WIDTH = 100
"""Characters; about what a comment on a large screen has."""

POLICY_ORDER = ("mandatory", "advisory", "remediate")
POLICY_WORDS = {"mandatory": "**refused**", "advisory": "advice", "remediate": "corrected"}


def errors(review: Review) -> Section:
    """Why the preview failed, as it was said."""
    return Section(
        noun="errors",
        items=tuple(fence(_wrapped(_both_ends(error)), "text") for error in review.errors),
        between="\n\n",
    )


def placement(review: Review) -> Section:
    """How full the pools are, in one line."""
    does_not_fit = any(line.used > line.room for line in review.placement)
    return Section(
        noun="pools",
        opening="**Does not fit:** " if does_not_fit else "**Fits:** ",
        items=tuple(_placement_line(line) for line in review.placement),
        between=" · ",
    )


def policies(review: Review) -> Section:
    """What the policies found, the mandatory first."""
    ordered = sorted(review.policies, key=lambda each: POLICY_ORDER.index(each.level))
    return Section(
        noun="findings of policies",
        opening="#### Policies\n\n",
        items=tuple(_policy_line(finding) for finding in ordered),
    )


def warnings(review: Review) -> Section:
    """What the engine said, and what it does not say."""
    return Section(
        noun="warnings",
        opening="#### Warnings\n\n",
        items=tuple(f"- {text(warning)}" for warning in dict.fromkeys(review.warnings)),
    )


def _both_ends(error: str) -> str:
    if len(error) <= LONGEST_ERROR:
        return error
    half = LONGEST_ERROR // 2
    return f"{error[:half]}\n… {len(error) - 2 * half:,} characters …\n{error[-half:]}"


def _wrapped(error: str) -> str:
    """Lines as short as a comment shows; long words stay whole, for they are copied."""
    lines = (
        textwrap.wrap(
            line,
            ERROR_WIDTH,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        or [""]
        for line in error.splitlines()
    )
    return "\n".join(line for together in lines for line in together)


def _placement_line(line: PlacementLine) -> str:
    fullness = f"{line.used:,} of {line.room:,} {text(line.unit, 40)}"
    shown = f"**{fullness}**" if line.used > line.room else fullness
    return f"{text(line.pool, 80)} {shown}"


def _policy_line(finding: PolicyFinding) -> str:
    where = f" at {code(finding.resource, 120)}" if finding.resource else ""
    policy = code(shortened(f"{finding.pack}/{finding.policy}", 120))
    return f"- {POLICY_WORDS[finding.level]} by {policy}{where}: {text(finding.message, 350)}"
