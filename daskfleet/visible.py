"""Pure: text in which nothing hides; what no screen shows is written as an escape."""

LINE_ENDS = ("\r\n", "\r")


def visible(text: str) -> str:
    r"""One line of text: control, bidirectional and invisible characters as ``\u202e``.

    ``str.isprintable`` knows them all: the categories Other and Separator but for the space. Lone
    surrogates are among them, which no UTF-8 could carry.
    """
    return text if text.isprintable() else "".join(map(_visible, text))


def in_short(text: str, limit: int) -> str:
    """One visible line of at most ``limit`` characters, however long the text is."""
    return shortened(visible(text[: limit + 1]), limit)


def visible_lines(text: str) -> str:
    """The same for several lines; a tab becomes spaces."""
    for line_end in LINE_ENDS:
        text = text.replace(line_end, "\n")
    return "\n".join(visible(line.expandtabs(4)) for line in text.split("\n"))


def shortened(text: str, limit: int) -> str:
    """The beginning of a text that is longer than ``limit`` characters."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
