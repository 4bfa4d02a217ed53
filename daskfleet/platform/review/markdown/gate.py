"""Whether a merge may go on, and what would let it."""

from daskfleet.platform.review.markdown.escape import code, text
from daskfleet.platform.review.model import Review
from daskfleet.platform.review.wording import labels_of


def gate(review: Review) -> str:
    """A few words, with the labels that are missing or were given."""
    allowed = ", ".join(code(label) for label in labels_of(review.gate.allowed))
    missing = " and ".join(code(label) for label in labels_of(review.gate.missing))
    if review.gate.passes:
        return f"gate passes, allowed by {allowed}" if allowed else "gate passes"
    noun = "label" if len(review.gate.missing) == 1 else "labels"
    needs = f"needs the {noun} {missing}" if missing else ""
    is_refused = any(each.level == "mandatory" for each in review.policies)
    why = text(review.gate.why, 200) if is_refused or not missing else ""
    return f"**gate stops:** {'; '.join(each for each in (why, needs) if each)}"
