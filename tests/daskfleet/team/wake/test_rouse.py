"""Unit: which team is woken, and that nobody else's number is written."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from components.outputs.team import team_output
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.wake.rouse import WakeError, ask_for_workers, rouse
from in_cluster.idle_controller.note import DECLARED, SINCE
from tests.components.fleets import alpha, fleet
from tests.daskfleet.access.played_api import Answers, played_api
from tests.daskfleet.posted_notice import posted_notice

OUTPUT: dict[str, Any] = team_output(alpha()).model_dump(exclude_unset=True)
NAME = OUTPUT["namespace"]
NOTE = {SINCE: "2026-11-22T12:00:00+00:00", DECLARED: str(OUTPUT["workers"])}
GROUP = f"/apis/kubernetes.dask.org/v1/namespaces/{NAME}/daskworkergroups/{{name}}"


def woken(annotations: Mapping[str, str], replicas: int) -> tuple[str, list[Any]]:
    """Wake the team against an API server of a few lines; return what is said and written."""
    written: list[Any] = []

    async def group(_: web.Request) -> web.Response:
        spec = {"worker": {"replicas": replicas}}
        return web.json_response({"metadata": {"annotations": dict(annotations)}, "spec": spec})

    async def scale(request: web.Request) -> web.Response:
        written.append(await request.json())
        return web.json_response({})

    async def version(_: web.Request) -> web.Response:
        return web.json_response({"major": "1", "minor": "35", "gitVersion": "v1.35.0"})

    async def run() -> str:
        app = web.Application()
        app.router.add_get("/version/", version)
        app.router.add_get(GROUP, group)
        app.router.add_patch(f"{GROUP}/scale", scale)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        server = f"http://127.0.0.1:{runner.addresses[0][1]}"
        kubeconfig = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": {"server": server}}],
            "users": [{"name": "u", "user": {"token": "t"}}],
            "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "x",
        }
        try:
            return await ask_for_workers(kubeconfig, DeclaredTeam.model_validate(OUTPUT))
        finally:
            await runner.cleanup()

    return asyncio.run(run()), written


def test_the_declared_workers_of_a_team_that_sleeps_are_asked_for() -> None:
    said, written = woken(NOTE, 0)

    assert written == [{"spec": {"replicas": OUTPUT["workers"]}}]
    assert "are starting" in said


@pytest.mark.parametrize(("annotations", "replicas"), [({}, 2), (NOTE, 1), ({}, 0)])
def test_a_number_that_is_not_for_want_of_work_stays(
    annotations: dict[str, str], replicas: int
) -> None:
    said, written = woken(annotations, replicas)

    assert written == []
    assert "Nothing was done" in said


def test_a_member_wakes_the_own_team_with_a_kubeconfig(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = fleet()
    told = posted_notice(plan)
    posted = {"data": {"notice.json": told}}
    group = GROUP.format(name=f"{NAME}-default")
    sleeping = {"metadata": {"annotations": NOTE}, "spec": {"worker": {"replicas": 0}}}
    answers: Answers = {
        f"GET /api/v1/namespaces/{NAME}/configmaps/daskfleet": (200, posted),
        f"GET {group}": (200, sleeping),
        f"PATCH {group}/scale": (200, {}),
    }
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    monkeypatch.setenv("PATH", "/nowhere")  # no pulumi

    with played_api(answers, tmp_path) as written:
        said = rouse(tmp_path, None, NAME)

    assert "are starting" in said
    assert written == [(f"PATCH {group}/scale", {"spec": {"replicas": plan.teams[0].team.workers}})]


def test_a_team_that_cannot_be_woken_is_told_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))

    with played_api({}, tmp_path), pytest.raises(WakeError, match="has no namespace alpha"):
        rouse(tmp_path, None, NAME)
