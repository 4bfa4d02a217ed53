"""`daskfleet drift` and `kubectl`, as they are typed in a rehearsal's shell."""

import json
import sys
from collections.abc import Mapping
from typing import Any

from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import Done, typed

Rows = dict[tuple[str, str], dict[str, Any]]
"""Differences by resource and field."""


def looked_at(fleet: RunningRehearsal) -> tuple[int, Rows]:
    """Run the command; return its exit status and the differences."""
    done = typed(fleet, sys.executable, "-m", "daskfleet", "drift", "--json")
    assert done.returncode in {0, 3}, done.stderr
    report = json.loads(done.stdout)
    return done.returncode, {(d["resource"], d["field"]): d for d in report["differences"]}


def kubectl(fleet: RunningRehearsal, *arguments: str, **environment: str) -> str:
    """Run kubectl, which must succeed."""
    done = typed(fleet, "kubectl", *arguments, environment=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def as_told(fleet: RunningRehearsal, difference: Mapping[str, Any]) -> None:
    """Run each command that the report names between backticks, in its order, but for pulumi's."""
    commands = difference["remedy"].split("`")[1::2]
    for command in commands:
        if command.startswith(("kubectl scale", "kubectl delete", "helm")):
            done = typed(fleet, "/bin/sh", "-ec", command)
            assert done.returncode == 0, f"{command}\n{done.stderr}"


def forced_up(fleet: RunningRehearsal) -> Done:
    """Run `pulumi up --refresh` as the report advises for fields of other managers."""
    arguments = ("up", "--refresh", "--yes", "--skip-preview", "--non-interactive", "--color=never")
    forced = {"PULUMI_K8S_ENABLE_PATCH_FORCE": "true"}
    return typed(fleet, "pulumi", *arguments, environment=forced)
