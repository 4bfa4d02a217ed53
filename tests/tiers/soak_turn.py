"""Whose turn it is: each run of `make test` takes a part of the soak cases, chosen by the commit.

A tenth, if the marker says nothing else: ten commits in a row come to every case, three with
``pytest.mark.soak(every=3)``. Where a file brings up a stage of its own, ``soak(files=10)`` has
such files come at one commit of ten each, and a tenth of their cases then: all of them with
``soak(files=10, every=1)``.
"""

from hashlib import sha256


def is_its_turn(test: str, *, number: int, every: int = 10, files: int = 1) -> bool:
    """Tell whether a test, by its id, is among those of a commit, by its number.

    Raises:
        ValueError: no commit would come to the test.

    """
    if every < 1 or files < 1:
        raise ValueError(f"soak(every={every}, files={files}) of {test}: give 1 or more.")
    file = test.partition("::")[0]
    is_turn_of_file = _digest(file) % files == number % files
    return is_turn_of_file and _digest(test) % every == number // files % every


def _digest(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:8])
