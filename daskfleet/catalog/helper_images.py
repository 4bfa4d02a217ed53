"""Images of the pods that are the fleet's own and no team's."""

from dataclasses import dataclass, replace
from functools import cache

from daskfleet.catalog.tables import OptionalStr, Row, read_table


@dataclass(frozen=True, kw_only=True)
class HelperImage(Row):
    """An image that some pod of the program runs. Renovate moves these rows (``renovate.json``)."""

    name: str
    repository: str
    tag: str
    digest: OptionalStr
    """Of the index for all platforms, ``sha256:...``; empty where no source that was read here
    gives one (docs/releasing.md has the command that asks the registry)."""

    @property
    def pinned_tag(self) -> str:
        """What stands behind the colon; with a digest the registry no longer asks the tag."""
        return f"{self.tag}@{self.digest}" if self.digest else self.tag

    @property
    def reference(self) -> str:
        """What a container names."""
        return f"{self.repository}:{self.pinned_tag}"

    def at(self, mirror: str) -> "HelperImage":
        """The copy in a mirror, in which the first host's name tells images of one name apart."""
        return replace(self, repository=f"{mirror}/{self.repository}")


@cache
def helper_images() -> dict[str, HelperImage]:
    """All of them by name."""
    return {row.name: row for row in read_table("helper_images", HelperImage)}
