"""Reading with the Pulumi CLI: the state, and Google's resources through a refresh that is shown.

``refresh --preview-only`` takes no lock and writes no state (pulumi/pulumi pkg/backend/diy,
since 3.229). Secrets stay in this process's memory.
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from daskfleet.access.errors import AccessError
from daskfleet.access.pulumi_cli import Pulumi, quoted
from daskfleet.access.pulumi_state import export_state
from daskfleet.platform.drift.errors import DriftError
from daskfleet.platform.drift.google import Reading
from daskfleet.platform.drift.state import PulumiResource, StackState, parse_state

SKIP_CONFIRMATIONS = "PULUMI_SKIP_CONFIRMATIONS"
"""Set where nobody can be asked, as in CI."""


class PulumiCli:
    """The pulumi on PATH, in this project, with the login that the environment has."""

    def __init__(self, project_dir: Path, stack: str | None) -> None:
        self._project_dir = project_dir
        self._stack = stack

    def read_state(self) -> StackState:
        """Return the stack's state.

        Raises:
            DriftError: it cannot be read, or is empty.

        """
        try:
            state = parse_state(export_state(self._project_dir, self._stack))
        except AccessError as error:
            raise DriftError(str(error)) from error
        if not state.google and not state.objects:
            raise DriftError(
                f"Stack {state.stack or self._stack} has no resources: nothing is declared that "
                "could differ. Run `pulumi up` first."
            )
        return state

    def read_google(
        self, resources: Sequence[PulumiResource], *, progress: Callable[[str], None]
    ) -> list[Reading]:
        """Read the resources anew, and nothing else of the stack.

        In-cluster resources are left out: reading a Helm release needs the right to read
        Secrets, and who wrote a field is not among what a refresh tells.

        Raises:
            DriftError: some resource could not be read.

        """
        readings: list[Reading] = []
        errors: list[str] = []
        by_urn = {resource.urn: resource for resource in resources}
        for event in self._refresh_events([f"--target={urn}" for urn in by_urn]):
            if begun := event.get("resourcePreEvent"):
                if begun["metadata"]["urn"] in by_urn:
                    progress(by_urn[begun["metadata"]["urn"]].title)
            elif ended := event.get("resOutputsEvent"):
                metadata = ended["metadata"]
                if metadata["urn"] in by_urn:
                    readings.append(_reading(by_urn[metadata["urn"]], metadata))
            elif (said := event.get("diagnosticEvent")) and said.get("severity") == "error":
                errors.append(said.get("message", "").strip())
        unread = by_urn.keys() - {reading.resource.urn for reading in readings}
        if unread or errors:
            names = ", ".join(sorted(by_urn[urn].title for urn in unread))
            raise DriftError("\n".join([f"Google Cloud could not be read ({names}):", *errors]))
        return readings

    def _refresh_events(self, targets: Sequence[str]) -> Iterator[dict[str, Any]]:
        arguments = ("refresh", "--preview-only", "--json", *targets)
        # Otherwise --json may be one document at the end.
        pulumi = Pulumi(
            project_dir=self._project_dir, stack=self._stack, environment=_environment()
        )
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as stderr:
            with pulumi.started(*arguments, stderr=stderr.fileno()) as process:
                assert process.stdout is not None  # noqa: S101 - it is a pipe, as is usual
                with process.stdout as lines:
                    for line in lines:
                        # The CLI may speak before the first event, of an installation for example.
                        if line.startswith(b"{"):
                            yield json.loads(line)
            if process.returncode != 0:
                stderr.seek(0)
                if words := quoted(stderr.read()):
                    raise DriftError(f"`pulumi refresh --preview-only` failed:\n{words}")


def _reading(resource: PulumiResource, metadata: dict[str, Any]) -> Reading:
    """Read an event of a refresh, whose differences are the provider's own (``RefreshStep``)."""
    new = metadata.get("new")
    if metadata["op"] == "delete" or not new:
        return Reading(resource=resource, exists=False)
    detailed = metadata.get("detailedDiff") or {}
    changed = {path: "replace" in diff["diffKind"] for path, diff in detailed.items()}
    return Reading(
        resource=resource,
        inputs=new.get("inputs") or {},
        outputs=new.get("outputs") or {},
        # A provider may name no more than the inputs that changed.
        changed=changed or dict.fromkeys(metadata.get("diffs") or [], False),
    )


def _environment() -> dict[str, str]:
    """This process's, less the yes to what is only looked at: the engine refuses both together."""
    others = {name: value for name, value in os.environ.items() if name != SKIP_CONFIRMATIONS}
    return {**others, "PULUMI_ENABLE_STREAMING_JSON_PREVIEW": "1"}
