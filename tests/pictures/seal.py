"""What a PNG was drawn from, kept within it: a picture of something else is found out."""

import struct
import zlib
from hashlib import sha256

KEYWORD = b"Source"
"""One of those that PNG (third edition, 11.3.3.1) has for where a picture comes from."""

_END = b"IEND"
_LENGTH = struct.Struct(">I")
_BEFORE_TYPE = _LENGTH.size


def source_mark(source: str) -> str:
    """Shorten what is drawn to what is kept of it."""
    return f"sha256:{sha256(source.encode()).hexdigest()}"


def sealed(png: bytes, source: str) -> bytes:
    """Write the mark of what is drawn into a picture, as a chunk of text before its last one."""
    body = b"tEXt" + KEYWORD + b"\0" + source_mark(source).encode()
    chunk = _LENGTH.pack(len(body) - _BEFORE_TYPE) + body + _LENGTH.pack(zlib.crc32(body))
    end = png.rindex(_END) - _BEFORE_TYPE
    return png[:end] + chunk + png[end:]


def mark_in(png: bytes) -> str | None:
    """Read the mark; None when the picture has none."""
    _, found, rest = png.partition(b"tEXt" + KEYWORD + b"\0")
    return rest[: len(source_mark(""))].decode() if found else None
