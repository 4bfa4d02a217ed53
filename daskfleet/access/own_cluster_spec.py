"""The spec that the program publishes in a team's namespace, with a member's own choices in it."""

import asyncio
from typing import Any, TypeAlias

import httpx
import kr8s
import yaml

from daskfleet.access.declared_fleet import team_in
from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import REQUEST_TIMEOUT_S, fleet_of_team
from daskfleet.access.kubeconfig import Kubeconfig
from daskfleet.access.kubernetes_api import connected, get, status_of
from daskfleet.contract.declared import DeclaredOwnClusters, DeclaredTeam

Spec: TypeAlias = dict[str, Any]
"""A DaskCluster."""


def told(name: str) -> tuple[DeclaredTeam, Kubeconfig]:
    """Read what a team is told, and the way to its cluster.

    Raises:
        AccessError: there is no kubeconfig, or no notice that this release can read.

    """
    fleet = fleet_of_team(name)
    return team_in(fleet.declared, name), fleet.kubeconfig


def published_spec(kubeconfig: Kubeconfig, own: DeclaredOwnClusters, *, team: str) -> Spec:
    """Log in, and read the spec.

    Raises:
        AccessError: it is not there, or may not be read.

    """

    async def read() -> Spec:
        async with connected(kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
            return await read_spec(api, own, team=team)

    return asyncio.run(read())


async def read_spec(api: kr8s.asyncio.Api, own: DeclaredOwnClusters, *, team: str) -> Spec:
    """Read the spec, as the program has written it.

    Raises:
        AccessError: it is not there, or may not be read.

    """
    where = f"ConfigMap {own.spec_config_map} in namespace {team}"
    try:
        found = await get(api, "v1", f"configmaps/{own.spec_config_map}", namespace=team)
        spec: Spec = yaml.safe_load(found["data"][own.spec_key])
    except kr8s.ServerError as error:
        if status_of(error) not in {httpx.codes.FORBIDDEN, httpx.codes.NOT_FOUND}:
            raise
        raise AccessError(
            f"{where} does not exist, or you may not read it: the last `pulumi up` did not reach "
            f"it, or you are not a member. Ask your platform engineers to look."
        ) from error
    except (KeyError, TypeError, yaml.YAMLError) as error:
        raise AccessError(
            f"{where} is not what `pulumi up` wrote: somebody has changed it. Ask your platform "
            "engineers to run `pulumi up --refresh`."
        ) from error
    return spec


def chosen_spec(
    spec: Spec, *, was_called: str, name: str, workers: int, idle_timeout_s: int
) -> Spec:
    """Pure: another name, wherever the spec has it, number of workers and time without work."""
    renamed: Spec = _renamed(spec, was_called, name)
    inner = renamed["spec"]
    return {
        **renamed,
        "spec": {
            **inner,
            "idleTimeout": idle_timeout_s,
            "worker": {**inner["worker"], "replicas": workers},
        },
    }


def _renamed(value: Any, old: str, new: str) -> Any:
    """Rename the cluster: its name alone, or with TLS as the host of its scheduler's address."""
    match value:
        case dict():
            return {key: _renamed(inner, old, new) for key, inner in value.items()}
        case list():
            return [_renamed(inner, old, new) for inner in value]
        case str():
            return (
                new if value == old else value.replace(f"//{old}-scheduler.", f"//{new}-scheduler.")
            )
        case _:
            return value
