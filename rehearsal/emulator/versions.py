"""Versions of control planes: one is served, that of the local one. Pure."""

from __future__ import annotations

import re

from rehearsal.emulator.errors import InvalidArgumentError, UnimplementedError
from rehearsal.emulator.node_pool_spec import defaults

_OF_GKE = re.compile(r"\d+\.\d+(\.\d+(-gke\.\d+)?)?")
_ALIASES = ("", "-", "latest")


def resolve_version(wanted: str) -> str:
    """Return a control plane's full version for an alias or prefix (``latest``, ``1.36``).

    Raises UnimplementedError for a version that Google may well serve, InvalidArgumentError for
    what cannot be one.
    """
    served = str(defaults("versions")["master"])
    # Whole numbers: 1.3 is no beginning of 1.36.
    if wanted in _ALIASES or f"{served}.".startswith((f"{wanted}.", f"{wanted}-")):
        return served
    if _OF_GKE.fullmatch(wanted):
        raise UnimplementedError(
            f"The emulator has control planes of version {served} only, not of {wanted}."
        )
    raise InvalidArgumentError(f'Master version "{wanted}" is unsupported.')
