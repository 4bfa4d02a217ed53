"""An examination on the emulator, with a machine on which all is well until a test says else."""

import asyncio
import contextlib
import json
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import yaml

from daskfleet.platform.doctor.look import examine
from daskfleet.platform.doctor.model import Finding, Outcome, Report
from daskfleet.platform.doctor.stack_settings import read_settings
from rehearsal.emulator import Emulator
from rehearsal.workspace import ENDPOINTS
from tests.project import PROJECT_DIR
from tests.rehearsal.emulator.running import emulated_in_thread

STACK = "research"
PROJECT = "acme-research"
NO_PROCESS = 4_194_999
"""Above the highest number that Linux gives to a process (2^22)."""

_FAKE = """\
#!{python}
# Answers like a `pulumi` that is logged in; what it says is in the file beside it.
import json, pathlib, sys
words = [word for word in sys.argv[1:] if not word.startswith("--") and word != "{stack}"]
answer = json.loads(pathlib.Path("{answers}").read_text())[" ".join(words)]
sys.stdout.write(answer.get("output", ""))
sys.stderr.write(answer.get("said", ""))
sys.exit(answer.get("status", 0))
"""


@dataclass
class Machine:
    """The machine, state and settings of a platform engineer."""

    directory: Path
    emulator: Emulator
    environment: dict[str, str] = field(default_factory=dict)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What `pulumi` says, by its words without options."""

    def settings(self, **settings: object) -> None:
        """Write the stack file."""
        document = {"project": PROJECT, "teams": [{"name": "fraud", "workers": 2}], **settings}
        config = {f"daskfleet:{key}": value for key, value in document.items()}
        self.stack_file(config=config, encryptionsalt="v1:c2FsdA==:v1:eA==:eA==")

    def stack_file(self, **document: object) -> None:
        """Write the stack file as a whole."""
        file = self.directory / "stacks" / f"Pulumi.{STACK}.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(yaml.safe_dump(document), encoding="utf-8")

    def executable(self, name: str, text: str) -> None:
        """Put an executable on PATH."""
        file = self.directory / "bin" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)

    def remove(self, name: str) -> None:
        """Take an executable from PATH."""
        (self.directory / "bin" / name).unlink()

    def says(self, words: str, output: object) -> None:
        """Let `pulumi` answer with a document."""
        self.answers[words] = {"output": json.dumps(output)}

    def fails(self, words: str, said: str) -> None:
        """Let `pulumi` end with an error."""
        self.answers[words] = {"said": f"error: {said}", "status": 255}

    def restrict(self, **restrictions: object) -> None:
        """Let the project lack something."""
        url = f"{self.emulator.base_url}/rehearsal/restrictions"
        httpx.post(url, json=restrictions).raise_for_status()

    def fail(self, *faults: object) -> None:
        """Let requests to Google fail."""
        url = f"{self.emulator.base_url}/rehearsal/faults"
        httpx.post(url, json=faults).raise_for_status()

    def google(self, method: str, path: str, body: object = None) -> Any:
        """Do something in Google Cloud besides."""
        answer = httpx.request(method, f"{self.emulator.base_url}/{path}", json=body, timeout=60)
        answer.raise_for_status()
        return answer.json()

    def leave_lock(self, host: str) -> None:
        """Leave the lock of an engine that is gone, in the file backend's form."""
        folder = self.directory / f"state/.pulumi/locks/organization/daskfleet/{STACK}"
        folder.mkdir(parents=True, exist_ok=True)
        lock = {"pid": NO_PROCESS, "username": "ann", "hostname": host, "timestamp": "2026-11-01"}
        (folder / "left.json").write_text(json.dumps(lock), encoding="utf-8")

    def examined(self, progress: Callable[[str], None] = lambda _: None) -> Report:
        """Look at everything."""
        answers = self.directory / "answers.json"
        answers.write_text(json.dumps(self.answers), encoding="utf-8")
        settings = read_settings(self.directory / "stacks", STACK, self.environment)
        return asyncio.run(
            examine(
                settings, environment=self.environment, project_dir=PROJECT_DIR, progress=progress
            )
        )

    def found(self, *outcomes: Outcome) -> list[Finding]:
        """What an examination finds that is not well."""
        wanted = outcomes or (Outcome.WRONG, Outcome.WARNING, Outcome.NOT_LOOKED_AT)
        return [finding for finding in self.examined().findings if finding.outcome in wanted]

    def only(self) -> Finding:
        """The one thing that is not well."""
        (finding,) = self.found()
        return finding


@contextlib.contextmanager
def machine(directory: Path) -> Iterator[Machine]:
    """Everything that a minimal stack needs, and nothing else."""
    with emulated_in_thread(directory) as emulator:
        well = Machine(directory=directory, emulator=emulator)
        well.settings()
        (directory / "state").mkdir()
        well.environment = {
            "PATH": str(directory / "bin"),
            "HOME": str(directory),
            "GOOGLE_OAUTH_ACCESS_TOKEN": "a-token-that-opens-nothing",
            "PULUMI_CONFIG_PASSPHRASE": "correct horse",
            **_endpoints(emulator.base_url),
        }
        well.answers = {"version": {"output": "v3.256.0\n"}}
        well.says("whoami", {"user": "ann", "url": f"file://{directory}/state"})
        well.says("stack ls", [{"name": STACK, "current": True}])
        well.says("stack export", {"version": 3, "deployment": {}})
        plugins = {"gcp": "10.2.0", "kubernetes": "4.34.2", "tls": "5.6.2"}
        well.says("plugin ls", [_plugin(name, version) for name, version in plugins.items()])
        well.executable(
            "pulumi",
            _FAKE.format(python=_python(), stack=STACK, answers=directory / "answers.json"),
        )
        well.executable("gke-gcloud-auth-plugin", "#!/bin/sh\necho Kubernetes v1.36.0\n")
        yield well


def _endpoints(base_url: str) -> Mapping[str, str]:
    return {variable: f"{base_url}/{path}" for variable, path in ENDPOINTS.items()}


def _plugin(name: str, version: str) -> dict[str, str]:
    return {"name": name, "kind": "resource", "version": version}


def _python() -> Path:
    return PROJECT_DIR / ".venv" / "bin" / "python"


def this_host() -> str:
    """How locks name this machine."""
    return socket.gethostname()
