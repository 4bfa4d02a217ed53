"""What the local GitHub holds: one repository, and what is to go wrong."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

OURSELVES = "github-actions[bot]"
REPOSITORY = "acme/fleet"
HEAD = "a" * 40

Json = dict[str, Any]


@dataclass
class Fault:
    """What goes wrong with the next requests of a kind."""

    method: str
    path: str
    """A regular expression."""

    status: int = 502
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "Server Error"
    times: int = 1
    carried_out: bool = False
    """The request has its effect, and only its answer is lost."""

    cuts_connection: bool = False


@dataclass
class State:
    """The repository."""

    comments: list[Json] = field(default_factory=list)
    issues: list[Json] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    statuses: list[Json] = field(default_factory=list)
    pulls: list[Json] = field(default_factory=list)
    runs: list[Json] = field(default_factory=list)
    artifacts: dict[int, list[Json]] = field(default_factory=dict)
    archives: dict[int, bytes] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    blob_authorizations: list[str | None] = field(default_factory=list)
    before: Callable[[str, str], None] = lambda _method, _path: None
    """Called before each request: somebody else acts in between."""

    next_id: int = 1000

    def new_id(self) -> int:
        """Return a number that nothing has yet."""
        self.next_id += 1
        return self.next_id

    def add_comment(self, body: str, login: str = OURSELVES, issue: int = 7) -> Json:
        """Comment as somebody."""
        number = self.new_id()
        kind = "Bot" if login.endswith("[bot]") else "User"
        comment: Json = {
            "id": number,
            "body": body,
            "user": {"login": login, "type": kind},
            "author_association": "NONE" if kind == "Bot" else "CONTRIBUTOR",
            "issue": issue,
            "html_url": f"https://github.com/{REPOSITORY}/pull/{issue}#issuecomment-{number}",
        }
        self.comments.append(comment)
        return comment

    def add_issue(self, body: str, login: str = OURSELVES, *, state: str = "open") -> Json:
        """Open an issue as somebody."""
        number = self.new_id()
        issue: Json = {
            "id": number,
            "number": number,
            "title": "an issue",
            "body": body,
            "state": state,
            "user": {"login": login},
            "html_url": f"https://github.com/{REPOSITORY}/issues/{number}",
        }
        self.issues.append(issue)
        return issue

    def add_pull(
        self,
        number: int = 7,
        *,
        sha: str = HEAD,
        branch: str = "more-gpus",
        owner: str = "acme",
        state: str = "open",
    ) -> Json:
        """Open a pull request."""
        repository = {"id": sum(map(ord, owner)), "full_name": f"{owner}/fleet"}
        pull: Json = {
            "number": number,
            "state": state,
            "head": {"sha": sha, "ref": branch, "repo": repository, "user": {"login": owner}},
            "base": {"ref": "main", "repo": {"id": 1, "full_name": REPOSITORY}},
            "html_url": f"https://github.com/{REPOSITORY}/pull/{number}",
        }
        self.pulls.append(pull)
        return pull

    def add_status(self, sha: str, status: Json, login: str = OURSELVES) -> None:
        """Set a status as somebody; GitHub lists the newest first."""
        self.statuses.insert(0, status | {"sha": sha, "creator": {"login": login}})

    def add_run(
        self,
        *,
        sha: str = HEAD,
        branch: str = "more-gpus",
        owner: str = "acme",
        path: str = ".github/workflows/preview.yml",
        event: str = "pull_request",
    ) -> Json:
        """End a run of a workflow."""
        number = self.new_id()
        run: Json = {
            "id": number,
            "head_sha": sha,
            "head_branch": branch,
            "head_repository": {"id": sum(map(ord, owner)), "owner": {"login": owner}},
            "path": path,
            "event": event,
            "html_url": f"https://github.com/{REPOSITORY}/actions/runs/{number}",
        }
        self.runs.append(run)
        return run

    def add_artifact(self, run: Json, name: str, files: dict[str, bytes]) -> Json:
        """Upload files as a ZIP archive."""
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as entries:
            for path, content in files.items():
                entries.writestr(path, content)
        artifact: Json = {"id": self.new_id(), "name": name, "expired": False}
        self.artifacts.setdefault(run["id"], []).append(artifact)
        self.archives[artifact["id"]] = archive.getvalue()
        return artifact

    def bodies(self, login: str = OURSELVES) -> list[str]:
        """Return the comments that somebody wrote."""
        return [comment["body"] for comment in self.comments if comment["user"]["login"] == login]
