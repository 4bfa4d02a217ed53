"""A local server that behaves like GitHub, as far as a review uses it.

Its answers have the fields, statuses and headers of https://docs.github.com/en/rest (2022-11-28).
"""

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import web

from tests.daskfleet.platform.review.github.state import OURSELVES, REPOSITORY, Json, State

TOKEN = "ghs_local-and-never-to-be-seen"  # noqa: S105
LONGEST_BODY = 65_536
LONGEST_DESCRIPTION = 140


class GitHub:
    """The running server."""

    def __init__(self) -> None:
        self.state = State()
        self.url = ""
        self.blob_url = ""

    def environment(self, token: str = TOKEN) -> dict[str, str]:
        """Return what a job of GitHub Actions has."""
        return {"GITHUB_TOKEN": token, "GITHUB_API_URL": self.url}

    @web.middleware
    async def _behave(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """Refuse strangers, and fail as told."""
        path = request.path_qs.removeprefix("/api/v3")
        self.state.before(request.method, path)
        self.state.requests.append(f"{request.method} {path}")
        if request.headers.get("Authorization") not in {f"token {TOKEN}", f"Bearer {TOKEN}"}:
            return _answer(401, {"message": "Bad credentials"})
        fault = next(
            (
                fault
                for fault in self.state.faults
                if fault.times and fault.method == request.method and re.search(fault.path, path)
            ),
            None,
        )
        if fault is None:
            response: web.StreamResponse = await handler(request)
            return response
        fault.times -= 1
        if fault.carried_out:
            await handler(request)
        if fault.cuts_connection:
            assert request.transport is not None
            request.transport.close()
        return _answer(fault.status, {"message": fault.message}, fault.headers)

    def _page(self, request: web.Request, rows: list[Json]) -> web.Response:
        """Answer with one page, and say in `Link` where the next one is."""
        size = min(int(request.query.get("per_page", "30")), 100)
        number = int(request.query.get("page", "1"))
        last = max(-(-len(rows) // size), 1)
        links = {"next": number + 1, "last": last} if number < last else {}
        at = f"{self.url}{request.path.removeprefix('/api/v3')}"
        query = "&".join(f"{key}={value}" for key, value in request.query.items() if key != "page")
        link = ", ".join(f'<{at}?{query}&page={to}>; rel="{rel}"' for rel, to in links.items())
        return _answer(
            200, rows[(number - 1) * size : number * size], {"Link": link} if link else {}
        )

    async def _viewer(self, request: web.Request) -> web.Response:
        assert "viewer" in (await request.json())["query"]
        return _answer(200, {"data": {"viewer": {"login": OURSELVES}}})

    async def _repository(self, _: web.Request) -> web.Response:
        return _answer(200, {"id": 1, "full_name": REPOSITORY, "default_branch": "main"})

    async def _list_comments(self, request: web.Request) -> web.Response:
        number = int(request.match_info["number"])
        return self._page(
            request, [self._shown(c) for c in self.state.comments if c["issue"] == number]
        )

    def _shown(self, comment: Json) -> Json:
        return comment | {"url": f"{self.url}/repos/{REPOSITORY}/issues/comments/{comment['id']}"}

    async def _create_comment(self, request: web.Request) -> web.Response:
        body = (await request.json())["body"]
        if len(body) > LONGEST_BODY:
            return _too_long("IssueComment", "body is too long (maximum is 65536 characters)")
        comment = self.state.add_comment(body, issue=int(request.match_info["number"]))
        return _answer(201, self._shown(comment))

    async def _change_comment(self, request: web.Request) -> web.Response:
        number = int(request.match_info["id"])
        comment = next((c for c in self.state.comments if c["id"] == number), None)
        if comment is None:
            return _answer(404, {"message": "Not Found"})
        if request.method == "DELETE":
            self.state.comments.remove(comment)
            return web.Response(status=204)
        comment["body"] = (await request.json())["body"]
        return _answer(200, self._shown(comment))

    async def _list_labels(self, request: web.Request) -> web.Response:
        return self._page(request, [{"name": name} for name in self.state.labels])

    async def _remove_label(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in self.state.labels:
            return _answer(404, {"message": "Label does not exist"})
        self.state.labels.remove(name)
        return _answer(200, [{"name": left} for left in self.state.labels])

    async def _commit(self, request: web.Request) -> web.Response:
        sha = request.match_info["sha"]
        url = f"{self.url}/repos/{REPOSITORY}/commits/{sha}"
        return _answer(200, {"sha": sha, "url": url})

    async def _commit_pulls(self, request: web.Request) -> web.Response:
        sha = request.match_info["sha"]
        return self._page(
            request, [p for p in self.state.pulls if p.get("merge_commit_sha") == sha]
        )

    async def _create_status(self, request: web.Request) -> web.Response:
        status = await request.json()
        if len(status["description"]) > LONGEST_DESCRIPTION:
            return _too_long("Status", "description is too long (maximum is 140 characters)")
        self.state.add_status(request.match_info["sha"], status)
        return _answer(201, status)

    async def _list_statuses(self, request: web.Request) -> web.Response:
        sha = request.match_info["sha"]
        return self._page(
            request, [status for status in self.state.statuses if status["sha"] == sha]
        )

    async def _list_issues(self, request: web.Request) -> web.Response:
        wanted, creator = request.query.get("state", "open"), request.query.get("creator")
        rows = [
            self._shown_issue(issue)
            for issue in self.state.issues
            if wanted in {"all", issue["state"]} and creator in {None, issue["user"]["login"]}
        ]
        return self._page(request, rows)

    def _shown_issue(self, issue: Json) -> Json:
        return issue | {"url": f"{self.url}/repos/{REPOSITORY}/issues/{issue['number']}"}

    async def _create_issue(self, request: web.Request) -> web.Response:
        sent = await request.json()
        issue = self.state.add_issue(sent["body"])
        issue["title"] = sent["title"]
        return _answer(201, self._shown_issue(issue))

    async def _change_issue(self, request: web.Request) -> web.Response:
        number = int(request.match_info["number"])
        issue = next((i for i in self.state.issues if i["number"] == number), None)
        if issue is None:
            return _answer(404, {"message": "Not Found"})
        if request.method == "PATCH":
            issue.update(await request.json())
        return _answer(200, self._shown_issue(issue))

    async def _list_pulls(self, request: web.Request) -> web.Response:
        owner, _, branch = request.query["head"].partition(":")
        rows = [
            pull
            for pull in self.state.pulls
            if pull["state"] == request.query["state"]
            and (pull["head"]["user"]["login"], pull["head"]["ref"]) == (owner, branch)
            and pull["base"]["ref"] == request.query["base"]
        ]
        return self._page(request, rows)

    async def _pull(self, request: web.Request) -> web.Response:
        number = int(request.match_info["number"])
        pull = next((pull for pull in self.state.pulls if pull["number"] == number), None)
        return _answer(200, pull) if pull else _answer(404, {"message": "Not Found"})

    async def _run(self, request: web.Request) -> web.Response:
        number = int(request.match_info["id"])
        run = next((run for run in self.state.runs if run["id"] == number), None)
        return _answer(200, self._shown_run(run)) if run else _answer(404, {"message": "Not Found"})

    def _shown_run(self, run: Json) -> Json:
        url = f"{self.url}/repos/{REPOSITORY}/actions/runs/{run['id']}"
        return run | {"url": url, "artifacts_url": f"{url}/artifacts"}

    async def _list_runs(self, request: web.Request) -> web.Response:
        wanted = {name: request.query.get(name) for name in ("head_sha", "event")}
        rows = [
            self._shown_run(run)
            for run in self.state.runs
            if all(value in {None, run[name]} for name, value in wanted.items())
        ]
        return _answer(200, {"total_count": len(rows), "workflow_runs": rows})

    async def _workflow(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        url = f"{self.url}/repos/{REPOSITORY}/actions/workflows/{name}"
        return _answer(200, {"id": 1, "path": f".github/workflows/{name}", "url": url})

    async def _list_artifacts(self, request: web.Request) -> web.Response:
        rows = [
            row
            | {
                "archive_download_url": (
                    f"{self.url}/repos/{REPOSITORY}/actions/artifacts/{row['id']}/zip"
                )
            }
            for row in self.state.artifacts.get(int(request.match_info["id"]), [])
        ]
        return _answer(200, {"total_count": len(rows), "artifacts": rows})

    async def _archive(self, request: web.Request) -> web.Response:
        raise web.HTTPFound(f"{self.blob_url}/{request.match_info['id']}")

    async def _blob(self, request: web.Request) -> web.Response:
        """Serve from another host, which must not see the token."""
        self.state.blob_authorizations.append(request.headers.get("Authorization"))
        return web.Response(body=self.state.archives[int(request.match_info["id"])])

    def applications(self) -> tuple[web.Application, web.Application]:
        """Return the API, and the store to which it redirects downloads."""
        return self._api(), self._blobs()

    def _api(self) -> web.Application:
        app = web.Application(middlewares=[self._behave])
        app.router.add_post("/api/graphql", self._viewer)
        repo = f"/api/v3/repos/{REPOSITORY}"
        issue = repo + "/issues/{number}"
        for method, path, handler in (
            ("GET", repo, self._repository),
            ("PATCH", repo + "/issues/comments/{id}", self._change_comment),
            ("DELETE", repo + "/issues/comments/{id}", self._change_comment),
            ("GET", repo + "/issues", self._list_issues),
            ("POST", repo + "/issues", self._create_issue),
            ("GET", issue, self._change_issue),
            ("PATCH", issue, self._change_issue),
            ("GET", issue + "/comments", self._list_comments),
            ("POST", issue + "/comments", self._create_comment),
            ("GET", issue + "/labels", self._list_labels),
            ("DELETE", issue + "/labels/{name}", self._remove_label),
            ("GET", repo + "/commits/{sha}", self._commit),
            ("GET", repo + "/commits/{sha}/pulls", self._commit_pulls),
            ("GET", repo + "/statuses/{sha}", self._list_statuses),
            ("POST", repo + "/statuses/{sha}", self._create_status),
            ("GET", repo + "/pulls", self._list_pulls),
            ("GET", repo + "/pulls/{number}", self._pull),
            ("GET", repo + "/actions/runs/{id}", self._run),
            ("GET", repo + "/actions/workflows/{name}", self._workflow),
            ("GET", repo + "/actions/workflows/{name}/runs", self._list_runs),
            ("GET", repo + "/actions/runs/{id}/artifacts", self._list_artifacts),
            ("GET", repo + "/actions/artifacts/{id}/zip", self._archive),
        ):
            app.router.add_route(method, path, handler)
        return app

    def _blobs(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/{id}", self._blob)
        return app


def _answer(status: int, document: Any, headers: dict[str, str] | None = None) -> web.Response:
    return web.json_response(document, status=status, headers=headers)


def _too_long(resource: str, message: str) -> web.Response:
    fault = {"resource": resource, "code": "custom", "message": message}
    return _answer(422, {"message": "Validation Failed", "errors": [fault]})


@contextmanager
def running_github() -> Iterator[GitHub]:
    """Serve on free loopback ports, in a thread of its own."""
    github = GitHub()
    loop = asyncio.new_event_loop()

    async def start() -> list[web.AppRunner]:
        runners = [web.AppRunner(app) for app in github.applications()]
        urls = []
        for runner in runners:
            await runner.setup()
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            urls.append(f"http://127.0.0.1:{runner.addresses[0][1]}")
        github.url, github.blob_url = f"{urls[0]}/api/v3", urls[1].replace("127.0.0.1", "localhost")
        return runners

    runners = loop.run_until_complete(start())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield github
    finally:
        for runner in runners:
            asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
