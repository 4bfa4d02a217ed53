"""A copy of the project in which somebody follows the runbook, with a rehearsal as the cloud."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import httpx

from tests.rehearsal.runbook.pages import Command, Edit

PROJECT_DIR = Path(__file__).parents[3]
GIT = shutil.which("git") or "git"
SESSION = 'eval "$(./daskfleet rehearse shell)"; export PULUMI_SKIP_CONFIRMATIONS=true'
"""What somebody types first; and yes is said where they would be asked."""


class Checkout:
    """A copy of what git knows of the project, and a shell in it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        _copy_project(directory)
        self.stack_file = directory / "stacks" / "Pulumi.rehearsal.yaml"
        self._declared = self.stack_file.read_text("utf-8")
        self.run("./daskfleet rehearse up --providers stand-in", session="true")

    def close(self) -> None:
        """End the rehearsal, and with it everything that the pages have created."""
        self.run("./daskfleet rehearse down", session="true")

    def restore(self) -> None:
        """Bring the fleet back to the stack file as it was."""
        self.inject()
        self.stack_file.write_text(self._declared, "utf-8")
        self.run("pulumi up")

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

    def run(self, text: str, *, fails: bool = False, session: str = SESSION) -> str:
        """Type a command in the rehearsal's shell; return everything that it prints."""
        done = subprocess.run(
            ["/bin/bash", "-c", f"set -e; {session}; {text}"],
            cwd=self.directory,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) == fails, f"$ {text}\n{done.stdout}"
        return done.stdout

    def kubernetes(self, resource: str) -> list[dict[str, Any]]:
        """Return all objects of a kind in all namespaces."""
        answer = self.run(f"kubectl get --all-namespaces --output json {resource}")
        items: list[dict[str, Any]] = json.loads(answer)["items"]
        return items

    def emulator(self, path: str, body: object) -> None:
        """Post to the rehearsal's own endpoints of the emulated Google Cloud."""
        record = json.loads((self.directory / ".rehearsal/rehearsal/supervisor.json").read_text())
        httpx.post(f"{record['base_url']}/rehearsal/{path}", json=body).raise_for_status()

    def inject(self, *faults: dict[str, Any]) -> None:
        """Let the emulated Google APIs fail from now on; none clears them."""
        self.emulator("faults", list(faults))


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
    (directory / ".venv").symlink_to(PROJECT_DIR / ".venv")
