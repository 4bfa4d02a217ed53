"""End to end: guides followed word by word, by members with their own rights and by the platform.

A guide's team is one of the showcase that has what the guide is about. Ports of this machine are
free ones: those of the page may be somebody's.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.guides.ledger import Typed, guides_typed, to_type
from tests.guides.typed import is_unending
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.member_login import environment_of
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import shell_of
from tests.rehearsal.end_to_end.waiting import until
from tests.rehearsal.runbook.pages import Command
from tests.rehearsal.showcase.cluster_quota import until_counted
from tests.tiers.long_files import LONG

pytestmark = LONG

HERE = Typed.ON_THE_SHOWCASE
PORT = re.compile(r"127\.0\.0\.1:\d+")
PATIENCE_S = 120


@dataclass(frozen=True, kw_only=True)
class Reader:
    """Who follows a guide, and what it says of the reader's fleet as it is on the showcase."""

    user: str | None = None
    """A member; None for platform engineers."""
    instead: Mapping[str, str] = field(default_factory=dict)
    owns: str | None = None
    """The team in which the guide makes a Dask cluster of the reader's own."""


MARIE = Reader(user="marie@example.com", instead={"fraud": "chemistry"})
ALICE = Reader(
    user="alice@example.com",
    instead={
        **dict.fromkeys(("fraud", "climate", "biology"), "atmosphere"),
        "--workers 2": "--workers 1",  # as many as the team may have
        "service/jupyter 8888": "service/jupyter :8888",
        "service/dask 8786": "service/dask :8786",
        "8788:8786": ":8786",
    },
    owns="atmosphere",
)
READERS: Mapping[str, Reader] = {
    "README.md": Reader(instead={"climate": "chemistry"}),
    "docs/connect.md": MARIE,
    "docs/status.md": MARIE,
    "docs/jupyter.md": ALICE,
    "docs/ephemeral.md": ALICE,
    "docs/tls.md": ALICE,
    "docs/checks.md": Reader(instead={"research": "rehearsal"}),
    "docs/monitoring.md": Reader(instead={"fraud": "chemistry"}),
    "rehearsal/README.md": Reader(
        instead={"climate": "chemistry", "service/dask 8786": "service/dask :8786"}
    ),
}
FOR_MEMBERS = {
    "daskfleet verify fraud": replace(
        MARIE,
        instead={
            "~/notebooks/.venv/bin/python": sys.executable,
            "fraud.features": "json",
            **MARIE.instead,
        },
    )
}
"""How a member's command begins on a page for platform engineers, and the member."""

AN_EXAMPLE = {"docs/status.md": "tests/daskfleet/team/status/test_recorded.py"}
"""Pages that show a fleet in trouble, and the test that has such a one."""


@pytest.fixture
def directory(showcase: RunningRehearsal, tmp_path: Path) -> Iterator[Path]:
    """Where a reader is; what guides make in the fleet goes afterwards."""
    (tmp_path / "alertmanager.yaml").write_text("route: {receiver: none}\n", "utf-8")
    gone = ("--ignore-not-found", "--wait=true", "--timeout=120s")
    # GKE makes this namespace with its collectors; nothing makes it here.
    kubectl(showcase, "create", "namespace", "gmp-public")
    yield tmp_path
    kubectl(showcase, "delete", "namespace", "gmp-public", *gone)
    for team in {reader.owns for reader in READERS.values() if reader.owns}:
        kubectl(showcase, "-n", team, "delete", "daskcluster", f"{team}-grace", *gone)


@pytest.mark.parametrize("guide", guides_typed(HERE))
def test_a_guide_does_what_it_says(guide: str, showcase: RunningRehearsal, directory: Path) -> None:
    reader = READERS[guide]
    if reader.owns is not None:
        until_counted(showcase, reader.owns)
    for command in to_type(guide, HERE):
        typing = next((r for b, r in FOR_MEMBERS.items() if command.text.startswith(b)), reader)
        environment = environment_for(typing, showcase, home=directory)
        there = meant(command, typing, shows=guide not in AN_EXAMPLE)
        at = PROJECT_DIR if "--stack" in there.text else directory
        printed = printed_by(there, environment, at, news=directory / "printed")
        assert printed.strip() or "> " in there.text, there.text
        assert as_shown(there, printed) is None, f"$ {there.text}\n{printed}"


def environment_for(reader: Reader, fleet: RunningRehearsal, *, home: Path) -> dict[str, str]:
    """A member has a login and nothing of Pulumi; platform engineers have the rehearsal's shell."""
    shell = shell_of(fleet)
    if reader.user is None:
        return shell
    member = environment_of(fleet, reader.user, home=home)
    return {**member, "PATH": f"{member['PATH']}:{shell['PATH']}", "PYTHONUNBUFFERED": "1"}


def meant(command: Command, reader: Reader, *, shows: bool) -> Command:
    """The command on the showcase, and what it prints at any port."""
    text = command.text
    for said, here in reader.instead.items():
        text = text.replace(said, here)
    shown = tuple(PORT.sub("127.0.0.1:PORT", line) for line in command.shows) if shows else ()
    return Command(text=text, shows=shown)


def printed_by(command: Command, environment: Mapping[str, str], at: Path, *, news: Path) -> str:
    """What a command has printed by its end; one that goes on is ended when all is to be seen."""
    goes_on = is_unending(command)
    said = ""
    with (
        news.open("w", encoding="utf-8") as out,
        subprocess.Popen(
            ["/bin/bash", "-c", f"set -e -o pipefail; {'exec ' * goes_on}{command.text}"],
            cwd=at,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        ) as process,
    ):

        def is_done() -> bool:
            nonlocal said
            ended = process.poll() is not None
            said = news.read_text("utf-8")
            return ended or (goes_on and said.strip() != "" and as_shown(command, said) is None)

        try:
            until(is_done, patience_s=PATIENCE_S, otherwise=lambda: f"$ {command.text}\n{said}")
            status = process.poll()
        finally:
            process.terminate()
    assert status == (None if goes_on else 0), f"$ {command.text}\n{said}"
    return said


def as_shown(command: Command, printed: str) -> str | None:
    """The first line of the page that is not to be seen, at whatever port; None when all are."""
    return command.missing_from(PORT.sub("127.0.0.1:PORT", printed))
