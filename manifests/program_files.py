"""Pure: a program of this project as files that pods mount."""

import hashlib
from collections.abc import Mapping

PROGRAM_PATH = "/opt/daskfleet"
"""Where a pod has them."""

DIGEST_LENGTH = 8


def digest_of(files: Mapping[str, str]) -> str:
    """Return what changes with any of the files."""
    text = "".join(f"{len(content)} {key} {content}" for key, content in sorted(files.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]
