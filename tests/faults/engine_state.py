"""What the engine has on disk: its checkpoint and its locks, read without the engine."""

import gzip
import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

NO_PROCESS = 4_194_999
"""Above the highest number that Linux gives to a process (2^22)."""


class EngineState:
    """The files of one stack's backend, which is a local directory or a bucket on this machine."""

    def __init__(
        self, directory: Path, *, stack: str, put: Callable[[str, str], None] | None = None
    ) -> None:
        """``put``: writes an object of a bucket; None: files are written."""
        self._directory = directory
        self._pulumi = directory / ".pulumi"
        self._stack = stack
        self._put = put or self._write

    def clear(self) -> None:
        """Forget every stack."""
        shutil.rmtree(self._pulumi, ignore_errors=True)

    @property
    def locks(self) -> list[Path]:
        """The locks that are held or were left."""
        return sorted((self._pulumi / "locks").glob("**/*.json"))

    def leave_lock(self, *, host: str) -> None:
        """Leave the lock of an engine that is gone, in the backend's form."""
        lock = {
            "pid": NO_PROCESS,
            "username": "somebody",
            "hostname": host,
            "timestamp": datetime.now(UTC).isoformat(),
        }
        name = f".pulumi/locks/organization/daskfleet/{self._stack}/left.json"
        self._put(name, json.dumps(lock))

    def _write(self, name: str, text: str) -> None:
        file = self._directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    @property
    def ids(self) -> list[str]:
        """Type and ID of each resource that a provider made, sorted; one that is twice is twice."""
        return sorted(
            f"{each['type']} {each['id']}"
            for each in self._resources
            if each.get("id") and not each["type"].startswith("pulumi:")
        )

    @property
    def unfinished(self) -> list[str]:
        """What a state should not end with: operations, failed creations, marks for deletion."""
        pending = [
            f"{each['type']} {each['resource']['urn']}"
            for each in self._latest.get("pending_operations") or []
        ]
        marked = [
            f"{mark} {each['urn']}"
            for each in self._resources
            for mark in ("initErrors", "delete", "pendingReplacement")
            if each.get(mark)
        ]
        return pending + marked

    @property
    def half_made(self) -> list[str]:
        """URNs of what was created and is of no use."""
        return [each["urn"] for each in self._resources if each.get("initErrors")]

    @property
    def is_compressed(self) -> bool:
        """Whether the engine keeps it as PULUMI_DIY_BACKEND_GZIP says, and in no other way."""
        (checkpoint,) = self._checkpoints
        return checkpoint.suffix == ".gz"

    @property
    def _checkpoints(self) -> list[Path]:
        of_project = self._pulumi / "stacks" / "daskfleet"
        names = (f"{self._stack}.json", f"{self._stack}.json.gz")
        return [of_project / name for name in names if (of_project / name).exists()]

    @property
    def _latest(self) -> dict[str, Any]:
        (file,) = self._checkpoints
        text = gzip.decompress(file.read_bytes()) if self.is_compressed else file.read_bytes()
        latest: dict[str, Any] = json.loads(text)["checkpoint"].get("latest") or {}
        return latest

    @property
    def _resources(self) -> list[dict[str, Any]]:
        resources: list[dict[str, Any]] = self._latest.get("resources") or []
        return resources
