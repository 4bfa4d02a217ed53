"""Unit tests: where recordings contradict each other is said, and counts. No network."""

import pytest

from bench.fidelity import Share, compared
from bench.fidelity_ages import contradicted
from bench.fidelity_page import list_of_differences, table
from bench.replay import Answered
from rehearsal.recordings.fields import Fields
from rehearsal.recordings.model import Exchange, Recording, Source

SOURCE = Source(
    recorded="a test", repository="", commit="", path="", licence="", answered_by="google"
)
CLUSTERS = "/container/v1/projects/acme/locations/us-central1-c/clusters"


def creation(name: str, wish: str, answer: Fields) -> Recording:
    request: Fields = {"/cluster/name": name, "/cluster/network": wish}
    made = Exchange(
        method="POST", path=CLUSTERS, request=request, status=200, answer={"/name": "o"}
    )
    read = Exchange(method="GET", path=f"{CLUSTERS}/{name}", status=200, answer=answer)
    return Recording(source=SOURCE, exchanges=(made, read))


def test_a_field_in_which_recordings_contradict_each_other_is_not_decidable() -> None:
    old = creation("one", "default", {"/mode": "ENABLED", "/zone": "c", "/nodePools/[0]/a/b": 1})
    new = creation("two", "default", {"/mode": "LIMITED", "/zone": "c", "/master": {}})
    assert contradicted([old, new]) == {"mode", "master", "nodePools[].a.b", "a.b"}


def test_so_is_one_of_the_instance_groups_of_such_clusters() -> None:
    path = "/compute/v1/projects/acme/zones/z/instanceGroupManagers/{/instanceGroupUrls/[0]}"

    def with_group(name: str, answer: Fields) -> Recording:
        group = Exchange(method="GET", path=path, status=200, answer=answer)
        made = creation(name, "default", {"/zone": "c"})
        return Recording(source=SOURCE, exchanges=(*made.exchanges, group, group))

    one = with_group("one", {"/targetSize": 1})
    assert contradicted([one, with_group("two", {"/targetSize": 1, "/mode": "A"})]) == {"mode"}


@pytest.mark.parametrize(
    "other",
    [
        creation("two", "another", {"/mode": "LIMITED"}),
        Recording(
            source=SOURCE, exchanges=creation("two", "default", {"/mode": "L"}).exchanges[1:]
        ),
        creation("two", "default", {"/mode": "LIMITED"}).model_copy(
            update={"source": SOURCE.model_copy(update={"answered_by": "nobody"})}
        ),
    ],
    ids=["who asks otherwise", "who asked nothing", "who was not answered by Google"],
)
def test_no_contradiction_is_found_in(other: Recording) -> None:
    assert contradicted([creation("one", "default", {"/mode": "ENABLED"}), other]) == frozenset()


def test_what_is_not_decidable_counts_and_is_marked() -> None:
    old, new = (creation("one", "default", {"/mode": mode}) for mode in ("ENABLED", "LIMITED"))
    replayed = [
        (
            recording,
            [Answered(exchange=recording.exchanges[1], status=200, answer={"/mode": "LIMITED"})],
        )
        for recording in (old, new)
    ]
    result = compared(replayed)
    assert result.total().fields == Share(agree=1, of=2)
    assert [(each.where, each.is_decidable) for each in result.differences] == [("mode", False)]
    assert result.undecidable() == 1
    assert "not decidable: 1." in table(result)
    assert '| 1 | `mode` | "ENABLED" recorded, "LIMITED" here; not decidable |' in (
        list_of_differences(result)
    )
