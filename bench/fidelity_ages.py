"""Fields in which Google's recordings contradict each other: what was asked does not decide them.

Two clients asked for the same cluster in the same place, and were answered differently: their
recordings are of different ages of GKE. No emulator can agree with both.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from http import HTTPStatus

from bench.fidelity_fields import comparable
from rehearsal.recordings.fields import Fields, name_of, readable
from rehearsal.recordings.model import Exchange, Recording

_OF_THE_CLIENT = {
    "cnrm-test",
    "initialClusterVersion",
    "label-one",
    "label-two",
    "managed-by-cnrm",
    "name",
}
"""By what the creations of one and the same cluster differ all the same: names, labels, and the
version, for which the emulator is not asked (``bench/replay.py``)."""
_POOLS = "nodePools[]."
"""A cluster shows its pools, and what it says of them is what they say."""

Asked = tuple[str, frozenset[tuple[str, str]]]
"""Where something was made, and of what request."""


def contradicted(recordings: Iterable[Recording]) -> frozenset[str]:
    """Return the fields, as people write them, that no rule can foretell."""
    answers: dict[Asked, list[Fields]] = defaultdict(list)
    for recording in recordings:
        if recording.source.answered_by == "google":
            for asked, answer in _made(recording.exchanges):
                answers[asked].append(answer)
    fields = {
        readable(pointer)
        for same in answers.values()
        for pointer in set().union(*same)
        if len({repr(answer.get(pointer)) for answer in same}) > 1
        and name_of(pointer) not in _OF_THE_CLIENT
    }
    return frozenset(fields | {each.removeprefix(_POOLS) for each in fields})


def _made(exchanges: Iterable[Exchange]) -> Iterator[tuple[Asked, Fields]]:
    """Return each cluster's request with the first answer that shows it, or its instance group."""
    asked: dict[str, Asked] = {}
    cluster: Asked | None = None
    for exchange in exchanges:
        parent, _, name = exchange.path.rpartition("/")
        if exchange.status != HTTPStatus.OK:
            continue
        if exchange.method == "POST" and name == "clusters":
            asked[exchange.path] = (exchange.path, _wishes(exchange.request or {}))
        elif exchange.method == "GET" and parent in asked:
            cluster = asked.pop(parent)
            yield cluster, comparable(exchange.answer)
        elif exchange.path.endswith("}") and cluster is not None:
            yield (exchange.path, cluster[1]), comparable(exchange.answer)
            cluster = None


def _wishes(request: Fields) -> frozenset[tuple[str, str]]:
    return frozenset(
        (pointer, repr(value))
        for pointer, value in request.items()
        if name_of(pointer) not in _OF_THE_CLIENT
    )
