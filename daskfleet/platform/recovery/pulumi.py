"""Running plain `pulumi` in the current directory, as whoever calls the verb would."""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from daskfleet.platform.recovery.errors import RecoveryError


class PulumiFailedError(RecoveryError):
    """A command failed; the message has its own words."""


@dataclass(frozen=True, kw_only=True)
class Pulumi:
    """The `pulumi` that is first on PATH, on one stack."""

    stack: str | None = None
    """None: the selected one."""

    def run(self, *arguments: str, given: str | None = None) -> str:
        """Run a command with ``given`` as standard input, and return what it prints.

        Raises:
            PulumiFailedError: it ended with an error.
            RecoveryError: there is no `pulumi`.

        """
        stack = ("--stack", self.stack) if self.stack else ()
        command = ["pulumi", *arguments, *stack, "--non-interactive", "--color=never"]
        try:
            done = subprocess.run(
                command, input=given or "", capture_output=True, text=True, check=False
            )
        except FileNotFoundError as error:
            raise RecoveryError(
                "`pulumi` is not on PATH. Install it (README, The first real environment), or, for "
                'a rehearsal, run `eval "$(daskfleet rehearse shell)"` first.'
            ) from error
        if done.returncode != 0:
            said = "\n".join(filter(None, (done.stdout.strip(), done.stderr.strip())))
            raise PulumiFailedError(f"`pulumi {' '.join(arguments)}` failed:\n{said}")
        return done.stdout

    def document(self, *arguments: str, given: str | None = None) -> Mapping[str, Any]:
        """Run a command that prints JSON."""
        document: Mapping[str, Any] = json.loads(self.run(*arguments, given=given))
        return document
