"""Pure: lines out of pieces; nobody promises that a line ends."""

from collections.abc import Iterator

LONGEST_LINE_BYTES = 16 * 1024
"""Container runtimes break lines there, too."""


class Lines:
    """Cuts what comes into lines without their ends."""

    def __init__(self) -> None:
        self._rest = b""

    def take(self, piece: bytes) -> Iterator[str]:
        """Return the lines that are whole now, and pieces of those that are too long."""
        *whole, self._rest = (self._rest + piece).split(b"\n")
        while len(self._rest) > LONGEST_LINE_BYTES:
            whole.append(self._rest[:LONGEST_LINE_BYTES])
            self._rest = self._rest[LONGEST_LINE_BYTES:]
        return map(_text, whole)

    def end(self) -> Iterator[str]:
        """Return the last line, where it has no end."""
        rest, self._rest = self._rest, b""
        return map(_text, [rest] if rest else [])


def _text(line: bytes) -> str:
    return line.decode(errors="replace")
