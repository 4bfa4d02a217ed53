"""A copy of the project in which somebody follows the runbook, with a rehearsal as the cloud."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.project import PROJECT_DIR
from tests.rehearsal.runbook.pages import Command, Edit

GIT = shutil.which("git") or "git"
SESSION = 'eval "$(daskfleet rehearse shell)"; export PULUMI_SKIP_CONFIRMATIONS=true'
"""What somebody types first, once; and yes is said where they would be asked."""

UP = "pulumi up"
LOOKS = ("pulumi preview", "pulumi stack output", "kubectl get", "daskfleet drift")
"""Beginnings of commands after which the fleet is what it was."""


TIMEOUT_S = 120
"""For what an emulated Google Cloud does before it answers, such as an upgrade of all nodes."""


class Checkout:
    """A copy of what git knows of the project, and a shell in it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        _copy_project(directory)
        self.stack_file = directory / "stacks" / "Pulumi.rehearsal.yaml"
        self._declared = self.stack_file.read_text("utf-8")
        self._environment = _with_the_command()
        self.run("daskfleet rehearse up --providers stand-in --dask place")
        self._environment = _variables_after(SESSION, directory)
        self._at: str | None = self._declared
        """The stack file of the last `up`, unless something has happened since."""

    def close(self) -> None:
        """End the rehearsal, and with it everything that the pages have created."""
        self.run("daskfleet rehearse down")

    def begin(self, *edits: Edit) -> None:
        """Bring the fleet to the stack file as it was, with these edits, unless it is there."""
        self.inject()
        text = self._declared
        for edit in edits:
            text = edit.applied(text)
        self.stack_file.write_text(text, "utf-8")
        if self._at != text:
            self.run(f"{UP} --skip-preview")

    def follow(self, step: Edit | Command) -> str:
        """Do what a page says, and check that what it promises is to be seen."""
        if isinstance(step, Edit):
            text = step.applied(self.stack_file.read_text("utf-8"))
            self.stack_file.write_text(text, "utf-8")
            return ""
        printed = self.run(step.text, fails=step.fails)
        missing = step.missing_from(printed)
        assert missing is None, f"$ {step.text}\n{printed}\n\nThe page also promises:\n{missing}"
        return printed

    def run(self, text: str, *, fails: bool = False) -> str:
        """Type a command in the rehearsal's shell; return everything that it prints."""
        if not text.startswith(LOOKS):
            self._at = None
        done = subprocess.run(
            ["/bin/bash", "-c", f"set -e; {text}"],
            cwd=self.directory,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) == fails, f"$ {text}\n{done.stdout}"
        if UP in text and not fails:
            self._at = self.stack_file.read_text("utf-8")
        return done.stdout

    @property
    def kubeconfig(self) -> Path:
        """How the rehearsal's shell reaches the cluster."""
        return Path(self._environment["KUBECONFIG"])

    @contextmanager
    def started(self, text: str) -> Iterator[subprocess.Popen[bytes]]:
        """Type a command that nobody waits for until the end of the block."""
        self._at = None
        with subprocess.Popen(
            ["/bin/bash", "-c", f"set -e; {text}"],
            cwd=self.directory,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            yield process

    def wait_for_held_request(self) -> None:
        """Wait until a fault holds a request to the emulated Google APIs."""
        while not httpx.get(f"{self._rehearsal_url}/held").raise_for_status().json():
            time.sleep(0.2)

    def release_held_requests(self) -> None:
        """Let them go on."""
        httpx.delete(f"{self._rehearsal_url}/held").raise_for_status()

    def emulator(self, path: str, body: object) -> None:
        """Post to the rehearsal's own endpoints of the emulated Google Cloud."""
        url = f"{self._rehearsal_url}/{path}"
        httpx.post(url, json=body, timeout=TIMEOUT_S).raise_for_status()

    @property
    def _rehearsal_url(self) -> str:
        record = json.loads((self.directory / ".rehearsal/rehearsal/supervisor.json").read_text())
        return f"{record['base_url']}/rehearsal"

    def inject(self, *faults: dict[str, Any]) -> None:
        """Let the emulated Google APIs fail from now on; none clears them."""
        self.emulator("faults", list(faults))


def _with_the_command() -> dict[str, str]:
    """The environment of whoever has activated the virtual environment."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def _variables_after(text: str, directory: Path) -> dict[str, str]:
    """The environment of whoever has typed something."""
    done = subprocess.run(
        ["/bin/bash", "-c", f"set -e; {text}; env --null"],
        cwd=directory,
        env=_with_the_command(),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return dict(line.split("=", 1) for line in done.stdout.rstrip("\0").split("\0"))


def _copy_project(directory: Path) -> None:
    listed = subprocess.run(
        [GIT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT_DIR,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        source = PROJECT_DIR / name
        if source.is_file():
            target = directory / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    # The environment of these tests, in which Python may be warm.
    (directory / ".venv").symlink_to(Path(sys.executable).parents[1])
