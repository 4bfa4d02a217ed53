"""What is said of a text that is read within bounds."""

from daskfleet.stack_text.limits import LARGEST_NUMBER, LONGEST_NUMBER, MOST_DEPTH, MOST_NODES
from daskfleet.stack_text.mistakes import Misread

LONGEST_TAG = 60

SECOND_DOCUMENT = Misread(
    reason="A second document begins here, and Pulumi reads the first one only.",
    allowed="one document",
    next_step="remove the line with --- and correct what is below it.",
)
KEY_IS_NO_TEXT = Misread(
    reason="A key here is not text: YAML reads it as something else.",
    allowed="keys that are words",
    next_step="put the key in quotes if it is meant, else remove it.",
)
NO_MAPPING_TO_MERGE = Misread(
    reason="Only a mapping can be merged into a mapping.",
    allowed="an alias of a mapping, or a list of such",
    next_step="name a mapping, or write the keys out.",
)
ENDLESS_ALIAS = Misread(
    reason="The alias is part of the value that it stands for, so the value would never end.",
    allowed="an alias of a value that is complete above it",
    next_step="write the value itself.",
)
UNKNOWN_ALIAS = Misread(
    reason="No anchor of this name stands before the alias.",
    allowed="an alias of a value that is complete above it",
    next_step="write the value itself; in quotes if it is text that begins with a star.",
)
TOO_MANY = Misread(
    reason=f"Up to here there are more than {MOST_NODES} keys and values. What an alias stands for "
    "counts in each place.",
    allowed=f"at most {MOST_NODES}",
    next_step="remove what was repeated by mistake; a larger fleet is two stacks.",
)
TOO_DEEP = Misread(
    reason=f"Mappings and lists are nested more than {MOST_DEPTH} deep.",
    allowed=f"at most {MOST_DEPTH} levels",
    next_step="look for brackets that are not closed; no setting is that deep.",
)
TOO_LARGE = Misread(
    reason="Pulumi hands numbers over as floats, which do not keep this one.",
    allowed=f"numbers of at most {LONGEST_NUMBER} characters, whole ones up to {LARGEST_NUMBER}",
    next_step="correct it, or put it in quotes if it is text.",
)
AMBIGUOUS_NUMBER = Misread(
    reason="Readers of YAML take this for different numbers, or for text.",
    allowed="a number in decimal digits, such as 8, 0.5 or 1e9",
    next_step="write it in decimal digits, or in quotes if it is text.",
)


def twice(key: str, first_line: int) -> Misread:
    """A key that a mapping has already."""
    return Misread(
        reason=f"The key {key} occurs twice, first in line {first_line}.",
        allowed="each key once",
        next_step="remove one of the two.",
    )


def tagged(tag: str, what: str) -> Misread:
    """A value whose tag says that it is something else."""
    name = tag.replace("tag:yaml.org,2002:", "!!")[:LONGEST_TAG]
    return Misread(
        reason=f"The tag {name} turns {what} into something else.",
        allowed="values as they are; !!str before one that is meant as text",
        next_step="remove the tag, and correct the value if that is not enough.",
    )


def no_moment(why: str) -> Misread:
    """A date or time that does not exist."""
    return Misread(
        reason=f"There is no such date or time: {why}.",
        allowed="a date and time that exist, such as 2026-01-03T02:00:00Z",
        next_step="correct it, or put it in quotes if it is text.",
    )
