"""Whose turn it is: each run of `make test` takes a tenth of the soak cases, chosen by the commit.

Ten commits in a row come to every case. Cases whose file brings up a stage of its own come more
seldom, ``pytest.mark.soak(every=100)``: their file at one commit of ten, and a tenth of it then.
"""

from hashlib import sha256

TENTH = 10


def is_its_turn(test: str, *, number: int, every: int = TENTH) -> bool:
    """Tell whether a test, by its id, is among those of a commit, by its number.

    Raises:
        ValueError: ``every`` is no multiple of ten, so some cases would never be taken.

    """
    rounds, rest = divmod(every, TENTH)
    if rest or not rounds:
        raise ValueError(f"soak(every={every}) of {test}: give 10 or a multiple of it.")
    if every == TENTH:
        return _digest(test) % TENTH == number % TENTH
    file = test.partition("::")[0]
    is_turn_of_file = _digest(file) % TENTH == number % TENTH
    return is_turn_of_file and _digest(test) % rounds == number // TENTH % rounds


def _digest(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:8])
