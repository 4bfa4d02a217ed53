"""kubectl on a running rehearsal."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import shell_of, typed

FORWARDS = re.compile(r"Forwarding from 127\.0\.0\.1:(\d+)")


def kubectl(fleet: RunningRehearsal, *words: str) -> str:
    """Run a command that must succeed; return what it prints."""
    done = typed(fleet, "kubectl", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def forwarded(fleet: RunningRehearsal, target: str, port: int, *, namespace: str) -> Iterator[str]:
    """Forward a free port of this machine to ``target``; give its address."""
    command = ("kubectl", "--namespace", namespace, "port-forward", target, f":{port}")
    with subprocess.Popen(
        command, cwd=PROJECT_DIR, env=shell_of(fleet), stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            match = FORWARDS.match(process.stdout.readline())
            assert match is not None
            yield f"127.0.0.1:{match[1]}"
        finally:
            process.terminate()
