"""A recording: who recorded what where, and what was asked and answered, one line each."""

from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from rehearsal.recordings.fields import Fields


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(_Part):
    """Where the facts are from."""

    recorded: str
    """What was recorded, in a few words."""
    repository: str
    """Where the recording is kept, empty when nowhere but here."""
    commit: str
    path: str
    licence: str
    answered_by: Literal["google", "nobody"]
    """Nobody: a server that accepted everything answered, so only the requests are evidence."""


class Exchange(_Part):
    """One request and its answer."""

    method: str
    path: str
    """As the emulator serves it; ``{pointer}`` is the end of a link that an answer before had."""
    query: str = ""
    request: Fields | None = None
    """Fields of the body; None without one."""
    status: int
    answer: Fields = {}
    """Fields of the answer; a text that is not said is ``ANY_TEXT``."""


class Recording(_Part):
    """One file of JSON lines: the source, then every exchange in its order."""

    source: Source
    exchanges: tuple[Exchange, ...]

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a file. Raises OSError, and ValueError for what is no recording."""
        first, *rest = file.read_text(encoding="utf-8").splitlines() or [""]
        return cls(
            source=Source.model_validate_json(first),
            exchanges=tuple(map(Exchange.model_validate_json, rest)),
        )

    def lines(self) -> str:
        """Return the file's content."""
        parts = (self.source, *self.exchanges)
        return "".join(part.model_dump_json(exclude_defaults=True) + "\n" for part in parts)
