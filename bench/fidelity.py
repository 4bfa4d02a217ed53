"""How much of what Google answers to recorded requests the emulator answers, too."""

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.fidelity_ages import contradicted
from bench.fidelity_fields import comparable, difference
from bench.record import Figures
from bench.replay import Answered, replay
from rehearsal.recordings.fields import readable
from rehearsal.recordings.model import Recording

RECORDINGS = Path(__file__).parent / "recordings"

_RESOURCES = {
    r"/container/.*/nodePools": "node pools",
    r"/container/.*/clusters": "clusters",
    r"/container/": "GKE, other",
    r"/instanceGroupManagers": "instance groups",
    r"/subnetworks": "subnetworks",
    r"/networks": "networks",
    r"/routers": "routers and NAT",
    r"/serviceAccounts": "service accounts",
    r"/crm/": "projects and their IAM",
    r"/cloudkms/": "keys of KMS",
}
"""By what the path has, the first that fits; another API is its own."""


class Share(Figures):
    """How many of how many agree."""

    agree: int = 0
    of: int = 0

    def __add__(self, other: "Share") -> "Share":
        return Share(agree=self.agree + other.agree, of=self.of + other.of)


class Agreement(Figures):
    """What agrees of one resource."""

    requests: Share = Share()
    """Taken where Google takes them, refused where Google refuses."""
    statuses: Share = Share()
    """With Google's very status code; only where Google answered."""
    fields: Share = Share()
    """Of all that Google's answer or the emulator's has."""

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(
            requests=self.requests + other.requests,
            statuses=self.statuses + other.statuses,
            fields=self.fields + other.fields,
        )


class Difference(Figures):
    """One thing that does not agree, and how often."""

    resource: str
    where: str
    """A request, or a field of its answer."""
    what: str
    times: int
    is_decidable: bool = True
    """False for a field in which Google's recordings contradict each other."""


class FidelityResult(Figures):
    """The figure, and what is in the way of a better one."""

    recordings: int
    resources: dict[str, Agreement]
    differences: tuple[Difference, ...]

    def undecidable(self) -> int:
        """Return how many of the fields that differ no emulator could have right each time."""
        return sum(each.times for each in self.differences if not each.is_decidable)

    def total(self) -> Agreement:
        """Return the figure of all resources."""
        return sum(self.resources.values(), start=Agreement())


def measure_fidelity(directory: Path = RECORDINGS) -> FidelityResult:
    """Replay all recordings of a directory, each on an emulator of its own.

    Raises ValueError for a file that is no recording, and when there is none at all.
    """
    files = sorted(directory.glob("*.jsonl"))
    if not files:
        raise ValueError(f"No recording (*.jsonl) in {directory}.")
    recordings = [Recording.read(file) for file in files]
    return compared([(recording, replay(recording)) for recording in recordings])


def compared(replayed: Sequence[tuple[Recording, list[Answered]]]) -> FidelityResult:
    """Compare what was recorded with what was answered."""
    resources: dict[str, Agreement] = {}
    differences: Counter[tuple[str, str, str]] = Counter()
    undecidable = contradicted(recording for recording, _ in replayed)
    for recording, answers in replayed:
        from_google = recording.source.answered_by == "google"
        for answered in answers:
            resource = resource_of(answered.exchange.path)
            found = list(_found(answered, from_google=from_google))
            differences.update((resource, where, what) for where, what in found)
            resources[resource] = resources.get(resource, Agreement()) + _agreement(
                answered, from_google=from_google
            )
    return FidelityResult(
        recordings=len(replayed),
        resources=dict(sorted(resources.items())),
        differences=tuple(
            Difference(
                resource=resource,
                where=where,
                what=what,
                times=times,
                is_decidable=where not in undecidable,
            )
            for (resource, where, what), times in sorted(differences.items())
        ),
    )


def resource_of(path: str) -> str:
    """Return what a request is about."""
    for pattern, resource in _RESOURCES.items():
        if re.search(pattern, path):
            return resource
    return path.split("/")[1]


def _agreement(answered: Answered, *, from_google: bool) -> Agreement:
    exchange = answered.exchange
    requests = Share(agree=_alike(exchange.status, answered.status), of=1)
    if not from_google:
        return Agreement(requests=requests)
    return Agreement(
        requests=requests,
        statuses=Share(agree=exchange.status == answered.status, of=1),
        fields=_fields(answered),
    )


def _fields(answered: Answered) -> Share:
    recorded, ours = comparable(answered.exchange.answer), comparable(answered.answer)
    if not _alike(answered.exchange.status, answered.status):
        return Share(agree=0, of=len(recorded))
    pointers = recorded.keys() | ours.keys()
    agree = sum(difference(pointer, recorded, ours) is None for pointer in pointers)
    return Share(agree=agree, of=len(pointers))


def _alike(recorded: int, answered: int) -> bool:
    """Tell whether both take a request, or both refuse it; what is not emulated does neither."""
    return recorded // 100 == answered // 100


def _found(answered: Answered, *, from_google: bool) -> Iterator[tuple[str, str]]:
    exchange = answered.exchange
    request = f"{exchange.method} {_shape(exchange.path)}"
    if exchange.status != answered.status and (
        from_google or not _alike(exchange.status, answered.status)
    ):
        message = _shape(str(answered.answer.get("/error/message", "no message")))
        said = textwrap.shorten(message, 120, placeholder=" ...")
        yield request, f"{exchange.status} recorded, {answered.status} here: {said}"
    if not from_google or not _alike(exchange.status, answered.status):
        return
    recorded, ours = comparable(exchange.answer), comparable(answered.answer)
    for pointer in sorted(recorded.keys() | ours.keys()):
        how = difference(pointer, recorded, ours)
        if how is not None:
            yield readable(pointer), how


def _shape(path: str) -> str:
    """Return a path without the names of what it is about."""
    return re.sub(r"(/[a-zA-Z]+s)/[^/:]+", r"\1/*", re.sub(r"\{[^}]*\}", "*", path))
