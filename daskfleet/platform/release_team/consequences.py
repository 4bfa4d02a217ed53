"""Pure: what goes on and what ends when a fleet lets a team go."""

from collections.abc import Iterator

from daskfleet.planning.recycle import is_controlled
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team


def goes_on(team: str) -> Iterator[str]:
    """Say what needs no stack."""
    yield "The pods run on, under the same address. No object of the team is asked for a change."
    yield (
        "The operator still has its rights there: it replaces pods that end, and members scale "
        "their workers as before."
    )
    yield (
        "Quotas, network policies, members' rights, admission policies, Secrets and grants at "
        "Google stay as they are now."
    )
    yield (
        f"Members reach it as before: what `daskfleet connect {team}` and `daskfleet status "
        f"{team}` read without --stack is in the namespace."
    )


def ends(team: str, stack: Stack) -> Iterator[str]:
    """Say what nobody does any more."""
    yield (
        "`pulumi up` changes nothing of it: image, workers, members, quotas and policies are "
        "kubectl's from now on."
    )
    yield (
        "The plan no longer counts its pods. Their GPUs, its scheduler's place and its share of "
        "every pool's maximum look free: leave that room yourself."
    )
    yield (
        "The nodes stay the fleet's. A pool on which its pods run must stay in the stack file; a "
        "change that makes nodes anew ends these pods, and no review names the team."
    )
    yield (
        "Nothing protects its namespace, and `pulumi destroy` deletes the GKE cluster with "
        "everything of the team."
    )
    yield (
        "Cost, report, history and `verify` leave it out. `daskfleet drift` lists its DaskCluster "
        "as one that nobody declared."
    )
    for settings in stack.teams:
        if settings.name == team:
            yield from _of_features(settings, stack)


def _of_features(team: Team, stack: Stack) -> Iterator[str]:
    if is_controlled(team):
        yield (
            "`idle`, `hours` and `recycle` end with the next `up`: workers that sleep do not wake, "
            "and none go to sleep or restart."
        )
        if not any(is_controlled(each) for each in stack.teams if each.name != team.name):
            yield "No other team needs the idle controller: the next `up` deletes it."
    if team.tls:
        yield (
            "No `up` renews its certificates any more. The key of its authority is only in the "
            "backup."
        )
    if stack.gpu_health:
        yield "`gpu_health` ends its workers no longer, on whatever node they are."
    if stack.image_prepull:
        yield "Its image is pulled ahead no longer, unless another team has the same."
