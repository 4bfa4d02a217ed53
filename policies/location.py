"""Where the pack and its configurations are, for whoever runs a preview: needs no policy SDK."""

import os
from pathlib import Path

from daskfleet.checkout import PROJECT_DIR

HERE = Path(__file__).resolve().parent
PACK = HERE / "pack"
"""The executable form, for a Pulumi CLI too: it needs the engine alone, and the language host that
the rehearsal builds (3.79) runs a directory pack in the wrong folder."""

NAME = "daskfleet"
"""The pack's name in the engine's events."""

INSTALL = "make policies"
"""The command that makes the pack's own environment."""

PYTHON = HERE / ".venv" / "bin" / "python"
"""What the pack runs with; ``pack`` looks for it, too."""


def is_installed() -> bool:
    """Whether the pack has its environment."""
    return os.access(PYTHON, os.X_OK)


def config_file(stack: str) -> Path | None:
    """The levels and parameters that a project sets for a stack; None where it has the pack's own.

    ``stack`` may be qualified, as in ``organization/daskfleet/prod``.
    """
    file = PROJECT_DIR / "policies" / "config" / f"{stack.rpartition('/')[2]}.json"
    return file if file.exists() else None
