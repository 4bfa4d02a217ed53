"""Running the real Helm against the configured cluster."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from daskfleet.files import write_private_file
from rehearsal.providers.kubernetes.connection import Connection
from rehearsal.providers.kubernetes.kubeconfig import Kubeconfig
from rehearsal.providers.protocol import Call, ProviderError

EXECUTABLE_VARIABLE = "DASKFLEET_HELM"
"""Names the Helm executable when the one on PATH is not meant."""

_QUICK_S = 120
"""Limit for commands that only read a chart or a release."""

_POLL_S = 0.1
_GRACE_S = 60
"""What Helm may take beyond its own waits."""


class HelmError(ProviderError):
    """Helm refused; the text is Helm's."""


class Helm:
    """Helm with the cluster's credentials; every file that it is given is readable by us alone."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def read(self, arguments: Sequence[str]) -> str:
        """Output of a quick command.

        Raises:
            HelmError: with Helm's own text.

        """
        with self._files() as (environment, _):
            process = subprocess.run(
                [_executable(), *arguments],
                env=environment,
                capture_output=True,
                text=True,
                timeout=_QUICK_S,
                check=False,
            )
        if process.returncode != 0:
            raise _failure(arguments, process.stderr)
        return process.stdout

    def read_with_values(self, arguments: Sequence[str], values: Any) -> str:
        """Output of a quick command whose values file is `{values}` in the arguments."""
        with _values_file(values) as path:
            return self.read([argument.replace(VALUES, path) for argument in arguments])

    def run(self, arguments: Sequence[str], *, values: Any, timeout_s: int, call: Call) -> None:
        """Run a command that changes the cluster; Cancel ends it.

        Raises:
            HelmError: with Helm's own text.
            OperationCancelledError, OperationTimedOutError: it did not end by itself.

        """
        call.report(f"helm {arguments[0]}")
        with (
            self._files() as (environment, scratch),
            _values_file(values) as path,
            (scratch / "stderr").open("w+") as stderr,
            subprocess.Popen(
                [_executable(), *(argument.replace(VALUES, path) for argument in arguments)],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
            ) as process,
        ):
            try:
                call.until(
                    process.poll,
                    every_s=_POLL_S,
                    default_timeout_s=timeout_s + _GRACE_S,
                    waiting_for=lambda: f"helm {arguments[0]}",
                )
            finally:
                process.terminate()
            stderr.seek(0)
            if process.returncode != 0:
                raise _failure(arguments, stderr.read())

    @contextmanager
    def _files(self) -> Iterator[tuple[dict[str, str], Path]]:
        with tempfile.TemporaryDirectory(prefix="daskfleet-helm-") as scratch:
            path = _write_privately(Path(scratch) / "kubeconfig", self._connection.kubeconfig)
            ambient = {
                key: value
                for key, value in os.environ.items()
                if not key.startswith(("HELM_KUBE", "HELM_NAMESPACE"))
            }
            settings = self._connection.settings.helm_environment
            yield {**ambient, **settings, "KUBECONFIG": str(path)}, Path(scratch)


VALUES = "{values}"
"""Stands for the values file's path in arguments that are built before the file is."""


@contextmanager
def _values_file(values: Any) -> Iterator[str]:
    """Values as a file of mode 0600; JSON, which is YAML that keeps every type."""
    with tempfile.NamedTemporaryFile("w", prefix="daskfleet-values-", suffix=".json") as file:
        json.dump(values, file)
        file.flush()
        yield file.name


def _write_privately(path: Path, kubeconfig: Kubeconfig) -> Path:
    document = {**kubeconfig.document, "current-context": kubeconfig.context_name}
    write_private_file(path, yaml.safe_dump(document))
    return path


def _executable() -> str:
    found = os.environ.get(EXECUTABLE_VARIABLE) or shutil.which("helm")
    if found is None:
        raise HelmError(
            f"helm is not on PATH and {EXECUTABLE_VARIABLE} is not set; a Helm release needs it"
        )
    return found


def _failure(arguments: Sequence[str], stderr: str) -> HelmError:
    lines = [line for line in stderr.splitlines() if not line.startswith("WARNING:")]
    return HelmError(f"helm {arguments[0]}: " + "\n".join(lines).removeprefix("Error: "))
