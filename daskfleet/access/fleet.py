"""What is declared of a fleet, and the way to it: for platform engineers, and for members."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from daskfleet.access.declared_fleet import declared_fleet
from daskfleet.access.kubeconfig import Kubeconfig, required_kubeconfig
from daskfleet.access.kubernetes_api import connected
from daskfleet.access.notice import read_notice
from daskfleet.access.own_kubeconfig import own_kubeconfig
from daskfleet.access.pulumi_state import export_state, stack_outputs
from daskfleet.contract.declared import DeclaredFleet
from daskfleet.contract.notice import Notice

REQUEST_TIMEOUT_S = 15


@dataclass(frozen=True, kw_only=True)
class Fleet:
    """A fleet, or the part of it that a member may know."""

    stack: str
    declared: DeclaredFleet
    kubeconfig: Kubeconfig


def fleet_of_stack(project_dir: Path, stack: str) -> Fleet:
    """Read the stack's state with the ``pulumi`` CLI.

    Raises:
        AccessError: there is no pulumi, no such stack, no login, or nothing was brought up.

    """
    state = export_state(project_dir, stack)
    name, outputs = stack_outputs(state)
    declared = declared_fleet(outputs)
    return Fleet(stack=name, declared=declared, kubeconfig=required_kubeconfig(state))


def fleet_of_team(team: str) -> Fleet:
    """Read the team's notice with one's own kubeconfig, and nothing of Pulumi.

    Raises:
        AccessError: there is no kubeconfig, or no notice that this release can read.

    """
    kubeconfig = own_kubeconfig()
    notice = asyncio.run(_notice(kubeconfig, team))
    return Fleet(stack=notice.stack, declared=notice, kubeconfig=kubeconfig)


def fleet_of(project_dir: Path, *, stack: str | None, team: str) -> Fleet:
    """Take the way of platform engineers where a stack is named, and else the one of members.

    Raises:
        AccessError: as either way.

    """
    return fleet_of_team(team) if stack is None else fleet_of_stack(project_dir, stack)


def source(stack: str | None, team: str) -> str:
    """Say where ``fleet_of`` looks."""
    return "reading the stack's state" if stack else f"reading the notice in namespace {team}"


async def _notice(kubeconfig: Kubeconfig, team: str) -> Notice:
    async with connected(kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
        return await read_notice(api, team=team, context=kubeconfig["current-context"])
