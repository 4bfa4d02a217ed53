"""Numbers and texts as people read them."""

from markupsafe import Markup, escape

SECONDS_PER_MINUTE = 60
TENTHS_BELOW_S = 10
SHORTEST_S = 0.05


def seconds(amount_s: float) -> str:
    """Tell a duration: tenths below ten seconds, minutes from one on."""
    if 0 < amount_s < SHORTEST_S:
        return "< 0.1 s"
    if amount_s < TENTHS_BELOW_S:
        return f"{amount_s:.1f} s"
    if round(amount_s) < SECONDS_PER_MINUTE:
        return f"{amount_s:.0f} s"
    minutes, rest = divmod(round(amount_s), SECONDS_PER_MINUTE)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def moment(at_s: float) -> str:
    """Tell a time on the axis, all of them equally exactly, so that they can be compared."""
    return f"{at_s:.1f} s"


def counted(count: int, thing: str) -> str:
    """Tell how many there are of something whose plural ends with an s."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def listed(names: tuple[str, ...]) -> str:
    """Join names as a sentence does."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def dollars(amount_usd: float, *, cents: bool = False) -> str:
    """Tell an amount in US dollars, without the currency."""
    return f"{amount_usd:,.2f}" if cents else f"{amount_usd:,.0f}"


def with_code(text: str) -> Markup:
    """Set what stands between backticks as code; everything else is escaped text."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if index % 2 else escape(piece)
        for index, piece in enumerate(pieces)
    )
