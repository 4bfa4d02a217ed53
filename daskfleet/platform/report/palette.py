"""The colours of the page, for light and for dark; a test holds each pair to WCAG AA."""

from collections.abc import Sequence
from dataclasses import dataclass, fields


@dataclass(frozen=True, kw_only=True)
class Theme:
    """Colours by what they mean."""

    page: str
    panel: str
    """Behind everything that is read."""
    sunken: str
    """Behind rows and free places."""
    line: str
    edge: str
    """Borders that carry a meaning, such as those of a GPU."""
    text: str
    muted: str
    accent: str
    """Links and focus."""
    ok: str
    failed: str
    failed_ground: str
    unmeasured: str
    bar: str
    """The outline of work that the `up` did not wait for."""
    bar_ground: str
    critical: str
    """Work that it waited for."""
    teams: tuple[str, ...]


LIGHT = Theme(
    page="#f5f6f8",
    panel="#ffffff",
    sunken="#f1f3f6",
    line="#dfe3e8",
    edge="#7b8594",
    text="#1a2230",
    muted="#535f70",
    accent="#1659b7",
    ok="#166b3f",
    failed="#b3261e",
    failed_ground="#fdf1f0",
    unmeasured="#7a5400",
    bar="#647a97",
    bar_ground="#dde5ef",
    critical="#c2410c",
    teams=(
        "#2f6fd0",
        "#b4511d",
        "#1d7f6b",
        "#8a4bb8",
        "#a3681a",
        "#b83b72",
        "#4d7a1f",
        "#566175",
    ),
)

DARK = Theme(
    page="#10141a",
    panel="#181d25",
    sunken="#202731",
    line="#2f3844",
    edge="#7d899a",
    text="#e8ecf1",
    muted="#a7b1bf",
    accent="#82b1ff",
    ok="#66c68f",
    failed="#ff8a80",
    failed_ground="#34201f",
    unmeasured="#e0b252",
    bar="#8a9db8",
    bar_ground="#2d3a4b",
    critical="#f6924f",
    teams=(
        "#6ea3f5",
        "#e58a55",
        "#4fc0a6",
        "#c08ae8",
        "#d9a441",
        "#ec7fae",
        "#93c456",
        "#9ba8bc",
    ),
)


def css_variables(theme: Theme) -> Sequence[tuple[str, str]]:
    """Name each colour as the stylesheet knows it."""
    plain = [
        (f"--{field.name.replace('_', '-')}", getattr(theme, field.name))
        for field in fields(theme)
        if field.name != "teams"
    ]
    return [*plain, *((f"--team-{i}", colour) for i, colour in enumerate(theme.teams))]
