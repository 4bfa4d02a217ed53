"""Pure: the settings with which an update ran, as far as its changes are told."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from daskfleet.planning.teams import teams_with_cluster
from daskfleet.platform.history.pulumi_records import ConfigValue
from daskfleet.settings.loading import parse
from daskfleet.settings.software import Image
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import RolloutKind, Team
from daskfleet.stack_text.mistakes import TooMuchError
from daskfleet.stack_text.project_file import NAMESPACE
from daskfleet.stack_text.read import read_json


class UnreadableSettingsError(Exception):
    """Another release's settings, or none; the message says what is wrong with them."""


@dataclass(frozen=True, kw_only=True)
class TeamThen:
    """A team that had a Dask cluster."""

    image: str
    workers: int
    rollout: RolloutKind
    rest: str
    """All other settings, to compare."""


@dataclass(frozen=True, kw_only=True)
class SettingsThen:
    """The settings of one update."""

    stack: Stack | None
    """None: nothing is declared, as after a `destroy`."""

    @cached_property
    def teams(self) -> Mapping[str, TeamThen]:
        """Teams with a Dask cluster, by name."""
        if self.stack is None:
            return {}
        return {team.name: _team(team, self.stack) for _, team in teams_with_cluster(self.stack)}

    @cached_property
    def pools(self) -> Mapping[str, str]:
        """The settings of each pool, to compare, by its name in the stack file."""
        if self.stack is None:
            return {}
        pools = (self.stack.system_pool, self.stack.scheduler_pool, *self.stack.worker_pools)
        return {pool.name: pool.model_dump_json() for pool in pools}


NOTHING = SettingsThen(stack=None)


def settings_then(config: Mapping[str, ConfigValue]) -> SettingsThen:
    """Read the settings of an update.

    Raises:
        UnreadableSettingsError: this release cannot be sure what they meant.

    """
    prefix = f"{NAMESPACE}:"
    try:
        document = {
            key.removeprefix(prefix): _decoded(each)
            for key, each in config.items()
            if key.startswith(prefix)
        }
    except TooMuchError as error:
        raise UnreadableSettingsError(str(error)) from error
    draft = parse(document, file="the settings of that update")
    if draft.problems or draft.stack is None:
        first = draft.problems[0].reason if draft.problems else "there are none"
        raise UnreadableSettingsError(first)
    return SettingsThen(stack=draft.stack)


def _decoded(given: ConfigValue) -> object:
    """A value as the stack file has it; a secret one is refused as it is there."""
    value = given.value
    if given.secret or value is None:
        return {"secure": ""}
    if not value.startswith(("{", "[")):
        return value
    try:
        return read_json(value)
    except ValueError:
        return value


def _team(team: Team, stack: Stack) -> TeamThen:
    image = team.image or stack.image
    rest = team.model_dump(mode="json", exclude={"name", "image", "workers", "rollout"})
    return TeamThen(
        image=image.ref if isinstance(image, Image) else image,
        workers=team.workers,
        rollout=team.rollout.kind,
        rest=json.dumps(rest, sort_keys=True),
    )
