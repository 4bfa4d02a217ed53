"""Read the settings of the stack that Pulumi is running: the only reader of its configuration."""

import json

import pulumi
from pulumi.runtime import config as pulumi_config

from daskfleet.settings.loading import Draft, parse
from daskfleet.settings.problems import NAMESPACE


def read_stack() -> Draft:
    """The settings of the current stack.

    Reads all keys of the namespace and not only known ones, which ``pulumi.Config`` cannot: a
    misspelt key must not pass unseen.
    """
    prefix = f"{NAMESPACE}:"
    given = {**pulumi_config.get_config_env(), **pulumi_config.CONFIG.get()}
    own = {
        key.removeprefix(prefix): _decoded(given[key]) for key in given if key.startswith(prefix)
    }
    secret = {key for key in own if pulumi_config.is_config_secret(prefix + key)}
    return parse(own, file=f"stacks/Pulumi.{pulumi.get_stack()}.yaml", secret_keys=secret)


def _decoded(value: str) -> object:
    """A value as the file has it: Pulumi hands mappings and lists over as JSON text."""
    return json.loads(value) if value.startswith(("{", "[")) else value
