"""The files of a backend in a local directory, one of which a killed engine may have cut short.

Beside each file such a backend keeps what it knows of it, as ``FILE.attrs``. The file is replaced
as a whole, its attributes are written in place (gocloud.dev blob/fileblob/attrs.go, ``setAttrs``).
A kill in between leaves them empty, and then nothing can be read any more, although the file is
what it was. Without attributes it is read as it is (``getAttrs``). Buckets have no such files.
"""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

_CUT_SHORT = re.compile(r"failed to load checkpoint: .*\bEOF\b")


def is_cut_short(said: str) -> bool:
    """Tell whether a command failed because attributes of the state are cut short."""
    return _CUT_SHORT.search(said) is not None


def drop_cut_attributes(backend_url: str) -> tuple[Path, ...]:
    """Delete the attributes of stacks that are no JSON, and return which."""
    url = urlsplit(backend_url)
    if url.scheme != "file":
        return ()
    stacks = Path(url.netloc + url.path).expanduser() / ".pulumi" / "stacks"
    dropped = tuple(file for file in stacks.rglob("*.attrs") if not _is_json(file))
    for file in dropped:
        file.unlink()
    return dropped


def _is_json(file: Path) -> bool:
    try:
        json.loads(file.read_bytes())
    except ValueError:
        return False
    return True
