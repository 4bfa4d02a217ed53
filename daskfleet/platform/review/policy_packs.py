"""Which policies look at a preview: the project's, as a stack configures them, and others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from daskfleet.platform.review.errors import ReviewError
from policies import location


@dataclass(frozen=True, kw_only=True)
class PolicyPack:
    """A pack of CrossGuard."""

    path: Path
    config: Path | None = None
    """Levels and parameters; None for the pack's own."""


def own_pack(stack: str) -> PolicyPack:
    """The project's pack for one of its stacks."""
    return PolicyPack(path=location.PACK, config=location.config_file(stack))


def require_own_pack() -> None:
    """Refuse to begin without what the project's pack runs with; the engine says it late.

    Raises:
        ReviewError: it is not there; the message says what makes it.
    """
    if not location.is_installed():
        raise ReviewError(
            "The project's policies cannot run, since policies/.venv has not been made: run "
            f"`{location.INSTALL}` once, or review without them with --no-policies."
        )


def flags(packs: Iterable[PolicyPack], *, no_config: Path) -> Iterator[str]:
    """The engine's options; where one pack has a file, each must have one."""
    chosen = list(packs)
    is_configured = any(pack.config for pack in chosen)
    for pack in chosen:
        yield f"--policy-pack={pack.path}"
        if is_configured:
            yield f"--policy-pack-config={pack.config or no_config}"
