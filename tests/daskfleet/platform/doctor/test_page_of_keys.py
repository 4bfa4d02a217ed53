"""The requests of docs/keys.md, typed block by block, and what the doctor says after each."""

import re
import subprocess

from daskfleet.platform.doctor.model import Outcome
from tests.daskfleet.platform.doctor.examined import PROJECT, Machine
from tests.project import PROJECT_DIR

PAGE = (PROJECT_DIR / "docs" / "keys.md").read_text("utf-8")
KEY = "projects/acme-keys/locations/us-central1/keyRings/fleet/cryptoKeys"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
OF_A_REHEARSAL = "daskfleet rehearse "


def blocks() -> list[list[str]]:
    """The page's commands, without those that begin a rehearsal."""
    return [
        [
            line.removeprefix("$ ").replace("projects/rehearsal-project", f"projects/{PROJECT}")
            for line in block.splitlines()
            if OF_A_REHEARSAL not in line
        ]
        for block in BLOCK.findall(PAGE)
    ]


def test_the_page_makes_the_keys_and_grants_what_the_doctor_names(well: Machine) -> None:
    well.settings(keys={"nodes": f"{KEY}/disks", "secrets": f"{KEY}/etcd"})
    _, make, grant = blocks()
    assert len(well.found(Outcome.WRONG)) == 2

    typed(well, *make)
    commands = [each.command for each in well.found(Outcome.WRONG)]
    assert len(commands) == 2
    assert all("add-iam-policy-binding" in command for command in commands)

    typed(well, make[0], *grant)
    assert well.found() == []


def typed(well: Machine, *lines: str) -> None:
    """Type commands as in a shell of the rehearsal."""
    environment = {**well.environment, "PATH": "/usr/local/bin:/usr/bin:/bin"}
    script = "\n".join(lines)
    done = subprocess.run(
        ["/bin/bash", "-euc", script], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
