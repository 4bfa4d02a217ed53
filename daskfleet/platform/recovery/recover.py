"""The recovery itself: lock, state, refresh; what exists is recorded, all else forgotten."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from daskfleet.access.pulumi_cli import Pulumi, PulumiFailedError
from daskfleet.access.pulumi_state import state_resources
from daskfleet.access.state_lock import holders, is_lock_refusal
from daskfleet.platform.recovery.deployment import edited, planned_creations
from daskfleet.platform.recovery.errors import RecoveryError
from daskfleet.platform.recovery.state_files import drop_cut_attributes, is_cut_short


@dataclass(frozen=True, kw_only=True)
class RecoveryResult:
    """What was found."""

    dropped: tuple[Path, ...]
    """Files that a killed engine had cut short, and that nothing needs."""
    lock_of: str | None
    """Whose lock was released."""
    recorded: tuple[str, ...]
    """URNs that exist and that the state has now."""
    not_there: tuple[str, ...]
    """URNs whose creation had come to nothing."""
    forgotten: tuple[str, ...]
    """URNs of which no ID can be told."""


def recover(
    pulumi: Pulumi,
    *,
    break_lock: bool,
    look_for_existing: bool,
    confirm: Callable[[Iterable[str]], bool],
) -> RecoveryResult:
    """Bring the state of a stack back to what exists.

    ``look_for_existing`` also looks for everything that a preview would create: what exists under
    its name is taken to be the stack's own, once ``confirm`` has agreed.

    Raises:
        RecoveryError: somebody else works on the stack.
        AccessError: a command failed, or there is no pulumi.

    """
    exported, dropped = _read(pulumi)
    # Writing the state back as it is shows whether it is locked, on every kind of backend.
    lock_of = _write(pulumi, exported, break_lock=break_lock)
    planned = planned_creations(pulumi.document("preview", "--json")) if look_for_existing else []
    if planned and not confirm(resource["urn"] for resource in planned):
        raise RecoveryError("Nothing was recorded.")
    edit = edited(exported, planned)
    _write(pulumi, edit.exported, break_lock=False)
    if edit.candidates:
        targets = [word for urn in edit.candidates for word in ("--target", urn)]
        pulumi.run("refresh", "--yes", "--skip-preview", *targets)
    there = {resource["urn"] for resource in state_resources(pulumi.document("stack", "export"))}
    return RecoveryResult(
        dropped=dropped,
        lock_of=lock_of,
        recorded=tuple(urn for urn in edit.candidates if urn in there),
        not_there=tuple(
            urn
            for urn in edit.candidates
            if urn not in there and not urn.rpartition("::")[2].startswith("default-pool-of-")
        ),
        forgotten=tuple(edit.forgotten),
    )


def _read(pulumi: Pulumi) -> tuple[Mapping[str, Any], tuple[Path, ...]]:
    """Export the state, once it can be read; and return which files had to go for that."""
    try:
        return pulumi.document("stack", "export"), ()
    except PulumiFailedError as error:
        if not is_cut_short(error.said):
            raise
        backend: str = replace(pulumi, stack=None).document("whoami", "--json")["url"]
        dropped = drop_cut_attributes(backend)
        if not dropped:
            raise
    return pulumi.document("stack", "export"), dropped


def _write(pulumi: Pulumi, exported: Mapping[str, Any], *, break_lock: bool) -> str | None:
    """Write the state; release the lock that a dead engine left. Return whose it was."""
    text = json.dumps(exported)
    try:
        pulumi.run("stack", "import", given=text)
    except PulumiFailedError as error:
        if not is_lock_refusal(error.said):
            raise
        held_by = holders(error.said)
        who = ", ".join(map(str, held_by)) or "an unknown process"
        if not break_lock and not (held_by and all(holder.is_gone for holder in held_by)):
            raise RecoveryError(
                f"The stack is locked by {who}, which may still run. Wait for it. If it has "
                f"certainly ended (a machine that is gone, a job that was cancelled), run this "
                f"again with --break-lock."
            ) from error
        pulumi.run("cancel", "--yes")
        pulumi.run("stack", "import", given=text)
        return who
    return None
