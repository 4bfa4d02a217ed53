"""Pure: what the files of several stacks' pages are called, beside each other."""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence

LONGEST_PLAIN = 100
"""Characters. Pulumi's own limit of a stack's name."""

LONGEST_BEGINNING = 60
DIGEST_DIGITS = 16

_PLAIN = re.compile(rf"[A-Za-z0-9._-]{{1,{LONGEST_PLAIN}}}")
_STRANGE = re.compile(r"[^A-Za-z0-9._-]+")


def page_files(stacks: Sequence[str], *, index: str) -> Mapping[str, str]:
    """Return the name of each stack's file: its own where that is clear, as for one stack alone.

    A name that holds other characters, such as the `/` of Pulumi Cloud's, gets a digest. So does
    one that differs from another, or from the index's file, by capitals alone: some file systems
    take them for the same. `~` stands in no plain name, so no other stack is called like that.
    Every character may stand in an address as it is.
    """
    plain = {stack: f"report-{stack}.html" for stack in stacks}
    alike = Counter(name.casefold() for name in (*plain.values(), index))
    return {
        stack: name
        if _PLAIN.fullmatch(stack) and alike[name.casefold()] == 1
        else _with_digest(stack)
        for stack, name in plain.items()
    }


def _with_digest(stack: str) -> str:
    digest = hashlib.sha256(stack.encode(errors="surrogatepass")).hexdigest()[:DIGEST_DIGITS]
    return f"report-{_STRANGE.sub('-', stack)[:LONGEST_BEGINNING]}~{digest}.html"
