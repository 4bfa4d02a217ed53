"""Reading the notice in a team's namespace, with the rights of a member."""

import json
import re
from typing import Any

import httpx
import kr8s
import kr8s.asyncio

from daskfleet.access.declared_fleet import validated
from daskfleet.access.errors import AccessError, NoNoticeError, NotAMemberError
from daskfleet.access.kubernetes_api import get, status_of
from daskfleet.contract.notice import CONFIG_MAP, FORMAT, KEY, Notice
from daskfleet.visible import in_short

TEAM_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
"""A team's namespace has its name, and so Kubernetes' rule for one (DNS label, RFC 1123)."""

LONGEST = 80
"""Characters that are shown of what is no such name."""

AUTHORIZATION = "authorization.k8s.io/v1"
OLDER = (
    "the fleet is of an older release. Ask your platform engineers to run `pulumi up` with this "
    "one. Until then, whoever may read the stack's state can name it with `--stack`."
)


async def read_notice(api: kr8s.asyncio.Api, *, team: str, context: str) -> Notice:
    """Read what the fleet says of a team.

    Args:
        api: the way in.
        team: the team, after which its namespace is called.
        context: what the kubeconfig calls that way, for messages.

    Raises:
        NoNoticeError: there is none.
        NotAMemberError: it may not be read.
        AccessError: this release cannot read it, or no team can be called that.

    """
    if not TEAM_NAME.fullmatch(team):  # it becomes a part of paths
        raise AccessError(
            f"A team cannot be called '{in_short(team, LONGEST)}': names have at most 63 "
            f"lower-case "
            "letters, digits and hyphens. Name the team as the stack file does."
        )
    try:
        found = await get(api, "v1", f"configmaps/{CONFIG_MAP}", namespace=team)
    except kr8s.ServerError as error:
        code = status_of(error)
        if code == httpx.codes.FORBIDDEN:
            raise await _forbidden(api, team=team, context=context) from error
        if code == httpx.codes.NOT_FOUND:
            raise NoNoticeError(await _why_missing(api, team=team, context=context)) from error
        raise
    return notice_in(found, team=team)


def notice_in(config_map: dict[str, Any], *, team: str) -> Notice:
    """Pure: read the ConfigMap.

    Raises:
        AccessError: this release cannot read it.

    """
    where = f"ConfigMap {CONFIG_MAP} in namespace {team}"
    try:
        document = json.loads((config_map.get("data") or {})[KEY])
        written_in = document["format"]
    except (KeyError, TypeError, ValueError) as error:
        raise AccessError(
            f"{where} is not what `pulumi up` wrote: somebody has changed it. Ask your platform "
            "engineers to run `pulumi up --refresh`, which writes it again."
        ) from error
    if written_in != FORMAT:
        raise AccessError(
            f"{where} has format {written_in}, of daskfleet {document.get('release', 'unknown')}, "
            f"and this daskfleet reads format {FORMAT}. Install that release of daskfleet."
        )
    return validated(Notice, document, what=f"{where} lacks")


async def _forbidden(api: kr8s.asyncio.Api, *, team: str, context: str) -> AccessError:
    """Tell members of an older fleet from others, as far as Kubernetes tells others anything."""
    if await _may(api, verb="list", resource="pods", namespace=team):
        return NoNoticeError(
            f"You may not read ConfigMap {CONFIG_MAP} in namespace {team}, though you are a "
            f"member: {OLDER}"
        )
    return NotAMemberError(
        f"The cluster of your kubeconfig's context {context} has no team {team}, or you are not "
        "one of its members: check both names, or ask your platform engineers to add you to "
        f"teams[{team}].members and run `pulumi up`."
    )


async def _why_missing(api: kr8s.asyncio.Api, *, team: str, context: str) -> str:
    try:
        await get(api, "v1", f"namespaces/{team}")
    except kr8s.ServerError as error:
        if status_of(error) == httpx.codes.NOT_FOUND:
            return (
                f"The cluster of your kubeconfig's context {context} has no namespace {team}. "
                "Check the team's name, and choose the cluster with `kubectl config use-context "
                "NAME`."
            )
        # Members may not read namespaces, and have no right in one that does not exist.
    return (
        f"Namespace {team} has no ConfigMap {CONFIG_MAP}: the team is retired, no `pulumi up` has "
        f"brought its cluster up yet, or {OLDER}"
    )


async def _may(api: kr8s.asyncio.Api, *, verb: str, resource: str, namespace: str) -> bool:
    """Ask for oneself, which everybody may who can log in."""
    asked = {"namespace": namespace, "verb": verb, "resource": resource}
    async with api.call_api(
        "POST",
        version=AUTHORIZATION,
        url="selfsubjectaccessreviews",
        json={
            "apiVersion": AUTHORIZATION,
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": asked},
        },
    ) as response:
        return bool(response.json()["status"]["allowed"])
