"""End to end: settings for a company's surroundings, changed on a fleet that is up.

The table of inputs is carried out elsewhere, input by input. Here it is the stack file that
changes: a setting may move several inputs, and what people are told is the sum.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.consequences import consequences
from daskfleet.platform.review.model import Preview
from daskfleet.platform.review.read import read_preview
from daskfleet.platform.review.rehearsal_run import disruption
from daskfleet.platform.review.rehearsal_run.comparing import differences, step_differences
from daskfleet.platform.review.rehearsal_run.disruption import Disruption
from daskfleet.platform.review.rehearsal_run.seeing import see
from tests.daskfleet.planning.documents import planned
from tests.rehearsal.end_to_end.input_changes.observed import resource_changes
from tests.rehearsal.end_to_end.input_changes.own_key import OWN_KEY, make_own_key
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, team, work

pytestmark = pytest.mark.rehearsal

CLIMATE, GENOMICS = "climate", "genomics"
AUTOSCALED = "a100-auto"
"""Its node goes with the only team there, and comes back with it: GKE's autoscaler decides."""

CLAIM = "reference"
_DISK = {"accessModes": ["ReadOnlyMany"], "storageClassName": ""}
VOLUME = {
    "apiVersion": "v1",
    "kind": "PersistentVolume",
    "metadata": {"name": CLAIM},
    "spec": {
        **_DISK,
        "capacity": {"storage": "1Gi"},
        "nfs": {"server": "192.0.2.1", "path": "/data"},
    },
}
CLAIM_OF_IT = {
    "apiVersion": "v1",
    "kind": "PersistentVolumeClaim",
    "metadata": {"name": CLAIM, "namespace": GENOMICS},
    "spec": {**_DISK, "volumeName": CLAIM, "resources": {"requests": {"storage": "1Gi"}}},
}


Write = Callable[[Settings], None]


@dataclass(frozen=True, kw_only=True)
class Step:
    """Settings that change in one `up`, and the worst that each of them does."""

    writes: tuple[Write, ...]
    worst: ChangeClass
    rolls: tuple[str, ...] = ()
    """Teams whose Dask clusters go."""


def network(settings: Settings) -> None:
    """Nodes without a way out."""
    settings["daskfleet:network"] = {"nat": "none"}


def keys(settings: Settings) -> None:
    """Secrets encrypted with an own key."""
    settings["daskfleet:keys"] = {"secrets": OWN_KEY}


def binary_authorization(settings: Settings) -> None:
    """A policy of the project about images."""
    settings["daskfleet:cluster"]["binary_authorization"] = True


def authorized_networks(settings: Settings) -> None:
    """One more range that may reach the control plane."""
    office = {"name": "office", "cidr": "192.0.2.0/24"}
    settings["daskfleet:cluster"]["endpoint"]["authorized_networks"].append(office)


def reader_in(settings: Settings) -> None:
    """Images in another project."""
    settings["daskfleet:registry"] = {"reader_in": ["acme-images"]}


def mirror(settings: Settings) -> None:
    """Copies of all helper images."""
    settings["daskfleet:registry"]["mirror"] = "europe-docker.pkg.dev/acme-images/mirror"


def pull_secret(settings: Settings) -> None:
    """A login for all teams."""
    settings["daskfleet:registry"]["pull_secret"] = "registry-login"  # noqa: S105 - a name


def secrets(settings: Settings) -> None:
    """A Secret for one team's pods."""
    team(settings, CLIMATE)["secrets"] = [{"name": "licence", "kind": "files"}]


def volumes(settings: Settings) -> None:
    """A dataset for one team's pods."""
    team(settings, GENOMICS)["volumes"] = [{"claim": CLAIM, "mount_path": "/data/reference"}]


def scheduler_environment(settings: Settings) -> None:
    """A variable of one team's scheduler."""
    team(settings, CLIMATE)["scheduler"] = {"environment": {"MODE": "fast"}}


STEPS = (
    Step(writes=(reader_in,), worst=ChangeClass.ADDS),
    Step(
        writes=(keys, binary_authorization, authorized_networks),
        worst=ChangeClass.IN_PLACE,
    ),
    Step(writes=(network,), worst=ChangeClass.INTERRUPTS_CLIENTS),
    Step(writes=(mirror,), worst=ChangeClass.RESTARTS_PLATFORM),
    # Of the service account: pods that are made from now on pull with it.
    Step(writes=(pull_secret,), worst=ChangeClass.IN_PLACE),
    Step(
        writes=(secrets, volumes), worst=ChangeClass.ROLLS_DASK_CLUSTER, rolls=(CLIMATE, GENOMICS)
    ),
    Step(writes=(scheduler_environment,), worst=ChangeClass.ROLLS_DASK_CLUSTER, rolls=(CLIMATE,)),
)
"""Each comes on top of those before it."""


@pytest.fixture
def company(fleet: RunningRehearsal, tmp_path: Path) -> Iterator[RunningRehearsal]:
    """A fleet with what others have made: a key, and a claim with a disk."""
    make_own_key(fleet.base_url, project=fleet.base["daskfleet:project"])
    disk = tmp_path / "disk.yaml"
    disk.write_text(yaml.safe_dump_all([VOLUME, CLAIM_OF_IT]), encoding="utf-8")
    kubectl(fleet, "apply", "--filename", str(disk))
    yield fleet
    fleet.ensure_as_declared()
    kubectl(fleet, "delete", "--filename", str(disk))


def read(fleet: RunningRehearsal, command: str) -> Preview:
    """The steps of the last such command."""
    with fleet.event_log(command).open(encoding="utf-8") as events:
        return read_preview(events)


def carry_out(fleet: RunningRehearsal, settings: Settings) -> tuple[ChangeClass, Disruption]:
    """Preview and carry out; return the worst that was foretold, and what went."""
    plan = planned({key.removeprefix("daskfleet:"): value for key, value in settings.items()})
    before = see([fleet.cluster])
    fleet.configure(settings)
    fleet.run("preview")
    previewed = read(fleet, "preview")
    expected = consequences(resource_changes(fleet.event_log("preview")).values(), plan)
    foretold = disruption.foretold(expected, before, plan)

    fleet.up(settings)

    seen = disruption.seen(before, see([fleet.cluster]))
    assert step_differences(previewed, read(fleet, "up")) == ()
    assert differences(foretold, seen) == ()
    return max(each.change_class for each in expected), seen


def test_each_does_what_its_class_says_and_can_be_taken_back(company: RunningRehearsal) -> None:
    settings = company.settings()
    for step in STEPS:
        for write in step.writes:
            write(settings)

        worst, seen = carry_out(company, settings)

        said = [write.__doc__ for write in step.writes]
        assert worst is step.worst, said
        assert {team_of for team_of, _ in seen.dask_pods} == {*step.rolls}, said
        assert seen.nodes.keys() <= {AUTOSCALED}, said

    worst, seen = carry_out(company, company.settings())

    assert worst is ChangeClass.ROLLS_DASK_CLUSTER
    assert seen.nodes.keys() <= {AUTOSCALED}
    assert work(company.up()) == {}
