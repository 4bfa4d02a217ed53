"""The release itself: a backup, the question, and one write of the state."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from daskfleet.access.pulumi_cli import Pulumi, PulumiFailedError
from daskfleet.access.pulumi_state import EXPORT, State
from daskfleet.access.state_lock import holders, is_lock_refusal
from daskfleet.files import write_private_file
from daskfleet.platform.release_team.errors import ReleaseError
from daskfleet.platform.release_team.owned import owned_by, without


@dataclass(frozen=True, kw_only=True)
class Release:
    """What is to be forgotten."""

    team: str
    urns: tuple[str, ...]
    state: State
    """As it was exported, before the question."""


def prepared(pulumi: Pulumi, team: str) -> Release:
    """Find what a team has in the state; this changes nothing.

    Raises:
        ReleaseError: the team cannot be released as things are.
        AccessError: a command failed, or there is no pulumi.

    """
    state = pulumi.document(*EXPORT)
    urns = owned_by(state, team)
    without(state, urns)  # refuses before anybody is asked
    return Release(team=team, urns=urns, state=state)


def let_go(
    pulumi: Pulumi, release: Release, *, backup: Path, saved: Callable[[Path], None]
) -> None:
    """Save the state, and write it without the team. Neither Google nor Kubernetes is asked.

    `pulumi stack import` takes the stack's lock, but does not tell whether the state has moved
    since it was exported. So it is read again, right before.

    Raises:
        ReleaseError: somebody works on the stack, or has since it was looked at.
        AccessError: a command failed, or there is no pulumi.

    """
    if backup.exists():
        raise ReleaseError(
            f"{backup} is there already, and no backup is overwritten. Name another file with "
            f"--backup. Nothing was changed."
        )
    try:
        write_private_file(backup, json.dumps(release.state, indent=2) + "\n")
    except OSError as error:
        raise ReleaseError(
            f"The backup cannot be written: {error}. Name another file with --backup. Nothing "
            f"was changed."
        ) from error
    saved(backup)
    if pulumi.document(*EXPORT) != release.state:
        raise ReleaseError(
            "Somebody has changed the stack's state meanwhile. Look again. Nothing was changed."
        )
    try:
        pulumi.run("stack", "import", given=json.dumps(without(release.state, release.urns)))
    except PulumiFailedError as error:
        if not is_lock_refusal(error.said):
            raise
        who = ", ".join(map(str, holders(error.said))) or "an unknown process"
        raise ReleaseError(
            f"The stack is locked by {who}. Wait for it, or see `daskfleet recover`. Nothing was "
            f"changed."
        ) from error
    left = {resource["urn"] for resource in pulumi.document(*EXPORT)["deployment"]["resources"]}
    if left & set(release.urns):
        raise ReleaseError(
            f"The state still has resources of {release.team}: somebody has written it since. "
            f"Look at it with `pulumi stack export`, and run this again."
        )
