"""A small computation on a worker's GPU. This file is sent as text: it stands alone."""

import json

NUMBERS = 1000
EXPECTED = sum(n * n for n in range(NUMBERS))


def squares_with_cupy() -> int:
    """Sum the squares of the first numbers."""
    import cupy  # noqa: PLC0415 - is on GPU workers only

    numbers = cupy.arange(NUMBERS, dtype="int64")
    return int((numbers * numbers).sum())


def squares_with_cudf() -> int:
    """Sum the squares of the first numbers."""
    import cudf  # noqa: PLC0415 - is on GPU workers only

    numbers = cudf.Series(range(NUMBERS))
    return int((numbers * numbers).sum())


def compute(library: str) -> str:
    """Return the result; ``absent`` when the library is not installed."""
    ways = {"cupy": squares_with_cupy, "cudf": squares_with_cudf}
    try:
        return json.dumps({"seen": str(ways[library]())})
    except ModuleNotFoundError as error:
        if error.name != library:
            raise
        return json.dumps({"is_absent": True})
