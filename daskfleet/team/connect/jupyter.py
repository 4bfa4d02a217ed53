"""A JupyterLab, the team's or a person's, at a port of this machine."""

import asyncio
import base64
import contextlib
import functools
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import kr8s
import kr8s.asyncio

from daskfleet.access.forward import forwarding
from daskfleet.access.kubernetes_api import get, status_of
from daskfleet.access.pod_port import PodPort, open_pod_port
from daskfleet.access.route import Route, look_up
from daskfleet.contract.declared import DeclaredJupyter, DeclaredLab, DeclaredTeam
from daskfleet.team.connect.connection_file import written
from daskfleet.team.connect.errors import ConnectError
from daskfleet.team.connect.local_port import LOOPBACK, listening, port_of

TOKEN_KEY = "token"  # noqa: S105  (its name)
USUAL_PORT = 8888


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Whose JupyterLab is wanted."""

    person: str | None = None
    """By the name that the stack file gives them; None: the team's."""

    def token_file(self, team: str, *, beside: Path) -> Path:
        """The file for its token; of a person whom nobody has looked up, it may be anywhere."""
        of_whom = f"{team}.{self.person}" if self.person else team
        return beside.parent / f"{of_whom}.jupyter-token"

    def among(self, jupyter: DeclaredJupyter) -> DeclaredLab:
        """Pure: what it is called.

        Raises:
            ConnectError: there is none.

        """
        if self.person is None:
            return DeclaredLab(service=jupyter.service, token_secret=jupyter.token_secret)
        people = jupyter.people or {}
        if self.person not in people:
            whose = f"those of {', '.join(sorted(people))}" if people else "no person's"
            raise ConnectError(
                f"There is no JupyterLab of {self.person}'s own: besides the team's there are "
                f"{whose}. Write `--jupyter` for the team's, or propose an entry in "
                "`jupyter.people` of the stack file."
            )
        return people[self.person]


@asynccontextmanager
async def jupyter_held(
    api: kr8s.asyncio.Api,
    team: DeclaredTeam,
    wanted: Wanted,
    *,
    token_file: Path,
    say: Callable[[str], None],
) -> AsyncIterator[None]:
    """Forward JupyterLab's port, and keep its token in a file of its owner's alone.

    Raises:
        ConnectError: there is none, or its token may not be read.

    """
    jupyter = team.jupyter
    if jupyter is None:
        raise ConnectError(
            "The team has no JupyterLab. Leave out `--jupyter`, or propose `jupyter: {}` for its "
            "entry in the stack file."
        )
    lab = wanted.among(jupyter)
    token = await _token(api, wanted, namespace=team.namespace, secret=lab.token_secret)
    look = functools.partial(
        look_up, api, namespace=team.namespace, service=lab.service, of="JupyterLab"
    )
    route = Route(look, say=lambda news: say(f"JupyterLab: {news}"))
    with (
        listening(None, usual=USUAL_PORT, option="--jupyter") as listener,
        written(token, token_file),
    ):

        def open_port(pod: str) -> AbstractAsyncContextManager[PodPort]:
            return open_pod_port(api, namespace=team.namespace, pod=pod, port=jupyter.port)

        async with forwarding(listener, route, open_port):
            say(f"JupyterLab: http://{LOOPBACK}:{port_of(listener)}/lab")
            say(f"JupyterLab asks for a token: it is in {token_file}, until this command ends")
            keeping = asyncio.create_task(route.keep())
            try:
                yield
            finally:
                keeping.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await keeping


async def _token(api: kr8s.asyncio.Api, wanted: Wanted, *, namespace: str, secret: str) -> str:
    try:
        found = await get(api, "v1", f"secrets/{secret}", namespace=namespace)
    except kr8s.ServerError as error:
        code = status_of(error)
        if code not in {httpx.codes.FORBIDDEN, httpx.codes.NOT_FOUND}:
            raise
        whose = f"{wanted.person}'s" if wanted.person else "the team's"
        who = f"{wanted.person} alone may" if wanted.person else "The team's `members` may"
        raise ConnectError(
            f"The token of {whose} JupyterLab, Secret {secret} in namespace {namespace}, cannot be "
            f"read: {error}. {who} read it; `pulumi up` makes it."
        ) from error
    return base64.b64decode(found["data"][TOKEN_KEY]).decode()
