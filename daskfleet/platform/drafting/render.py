"""What is there, as people read it."""

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from daskfleet.platform.drafting.compared import Part
from daskfleet.visible import visible


def render_parts(parts: Iterable[Part], console: Console) -> None:
    """Print each part with what is to be known of it below."""
    for part in parts:
        console.print(Text(visible(part.name), style="bold"), soft_wrap=True)
        lines = [
            f"{fixed.field} is {fixed.there}; a fleet's is {fixed.fleets}" for fixed in part.differs
        ]
        if part.together:
            lines.append(f"while both are there: {part.together}")
        if part.note:
            lines.append(part.note)
        for line in lines:
            console.print(Text(f"  {visible(line)}"), soft_wrap=True)
