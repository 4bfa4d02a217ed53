"""Secrets that pods of a team must not get."""

import re
from collections.abc import Iterator

from daskfleet.planning.registry import pull_secret_of
from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team

OF_THE_PROGRAM = re.compile(r"dask-tls-.*|jupyter-(.+-)?token")
"""Names that the program gives: keys of the team's certificates, and tokens of JupyterLabs, of
which one is a single person's. ``manifests.dask_tls`` and ``manifests.jupyter_lab`` give them."""


def secret_problems(stack: Stack) -> Iterator[Problem]:
    """Secrets that are listed twice, or that are somebody else's."""
    for team_index, team in enumerate(stack.teams):
        names = [each.name for each in team.secrets]
        for index, name in enumerate(names):
            reason = _why_not(name, team, stack, earlier=names[:index])
            if reason:
                yield Problem(
                    key=f"teams[{team_index}].secrets[{index}].name",
                    value=name,
                    reason=reason,
                    allowed="Secrets that somebody makes for the team's tasks, each once",
                    next_step="name another Secret, or remove this entry.",
                )


def _why_not(name: str, team: Team, stack: Stack, *, earlier: list[str]) -> str:
    if name in earlier:
        return "The team lists it before, and pods get it one way."
    if OF_THE_PROGRAM.fullmatch(name):
        return (
            "Secrets of such names are the program's own: certificates, and tokens of JupyterLabs. "
            "Every task of the team could read it."
        )
    # Also the stack's where the team has another one: both may be in its namespace.
    if name in {pull_secret_of(team, stack), stack.registry.pull_secret}:
        return "Images are pulled with it, and with it every task could read the password."
    return ""
