"""The one way in which commands run Pulumi: its CLI, as whoever calls the command would.

Not its Automation API: docs/decisions/0046 has the reasons.
"""

import contextlib
import json
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daskfleet.access.errors import AccessError
from daskfleet.access.processes import Process, completed, started
from daskfleet.access.redaction.redact import redacted_text

QUOTED_LINES = 20
"""Of what Pulumi says; why it ended stands at the end."""

NO_PULUMI = (
    "There is no `pulumi` on PATH. Install the Pulumi CLI, or enter a rehearsal with "
    '`eval "$(daskfleet rehearse shell)"`.'
)
_QUIET = ("--non-interactive", "--color=never")


class PulumiFailedError(AccessError):
    """A command ended with an error; the message has its last words, without secrets."""

    def __init__(self, command: str, said: str) -> None:
        """``said``: all that it said, for those who read it."""
        super().__init__(f"`pulumi {command}` failed:\n{quoted(said)}")
        self.said = said


def quoted(said: str) -> str:
    """The end of what Pulumi said, as it may be shown."""
    return "\n".join(redacted_text(said.strip()).splitlines()[-QUOTED_LINES:])


@dataclass(frozen=True, kw_only=True)
class Pulumi:
    """The `pulumi` that is first on PATH, in one project."""

    project_dir: Path
    stack: str | None = None
    """None: the selected one, and for commands that take none."""

    environment: Mapping[str, str] | None = None
    """None: this process's."""

    def run(self, *arguments: str, given: str = "") -> str:
        """Run a command to its end with ``given`` as standard input; return what it prints.

        Raises:
            PulumiFailedError: it ended with an error.
            AccessError: there is no pulumi.

        """
        stdin = subprocess.PIPE if given else subprocess.DEVNULL
        with self.started(*arguments, stdin=stdin) as process:
            done = completed(process, given=given)
        if done.status != 0:
            said = "\n".join(filter(None, (done.output.strip(), done.said)))
            raise PulumiFailedError(shlex.join(arguments), said)
        return done.output

    def document(self, *arguments: str) -> dict[str, Any]:
        """Run a command that prints JSON."""
        document: dict[str, Any] = json.loads(self.run(*arguments))
        return document

    @contextlib.contextmanager
    def started(
        self,
        *arguments: str,
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.PIPE,
    ) -> Iterator[Process]:
        """Run a command whose output is followed; it ends with the block (``processes.started``).

        Raises:
            AccessError: there is no pulumi.

        """
        of_stack = () if self.stack is None else ("--stack", self.stack)
        with contextlib.ExitStack() as ending:
            try:
                process = ending.enter_context(
                    started(
                        ("pulumi", *arguments, *of_stack, *_QUIET),
                        directory=self.project_dir,
                        environment=self.environment,
                        stdin=stdin,
                        stdout=stdout,
                        stderr=stderr,
                    )
                )
            except FileNotFoundError as error:
                raise AccessError(NO_PULUMI) from error
            yield process
