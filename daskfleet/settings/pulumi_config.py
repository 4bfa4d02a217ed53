"""Read the settings of the stack that Pulumi is running: the only reader of its configuration."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pulumi
from pulumi.runtime import config as pulumi_config

from daskfleet.settings.loading import Draft, mistake_problem, parse
from daskfleet.stack_text.mistakes import TooMuchError
from daskfleet.stack_text.project_file import NAMESPACE, PROJECT_FILE, shared_settings
from daskfleet.stack_text.read import read_json

if TYPE_CHECKING:
    from daskfleet.settings.problems import Problem


def read_stack() -> Draft:
    """The settings of the current stack.

    Reads all keys of the namespace and not only known ones, which ``pulumi.Config`` cannot: a
    misspelt key must not pass unseen.
    """
    prefix = f"{NAMESPACE}:"
    file = f"stacks/Pulumi.{pulumi.get_stack()}.yaml"
    given = {**pulumi_config.get_config_env(), **pulumi_config.CONFIG.get()}
    own: dict[str, object] = {}
    problems: list[Problem] = []
    for key, text in given.items():
        if not key.startswith(prefix):
            continue
        name = key.removeprefix(prefix)
        try:
            own[name] = _decoded(text)
        except TooMuchError as error:
            problems.append(mistake_problem(replace(error.mistake, place=(name,))))
    if problems:
        return Draft(file=file, stack=None, problems=tuple(problems))
    secret = {key for key in own if pulumi_config.is_config_secret(prefix + key)}
    draft = parse(own, file=file, secret_keys=secret)
    return replace(draft, files=_inherited(own))


def _inherited(own: Mapping[str, object]) -> dict[str, str]:
    """The keys whose values are the project's defaults, which Pulumi does not tell apart."""
    shared = shared_settings(Path(PROJECT_FILE))
    return {
        name: PROJECT_FILE
        for name, value in shared.values.items()
        if name in own and own[name] in (value, json.dumps(value))
    }


def _decoded(value: str) -> object:
    """A value as the file has it: Pulumi hands mappings and lists over as JSON text."""
    if not value.startswith(("{", "[")):
        return value
    try:
        return read_json(value)
    except ValueError:
        return value  # text that begins with a bracket
