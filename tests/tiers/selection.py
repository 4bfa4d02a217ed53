"""What a run takes: `--soak` says which soak cases, `--shard` which part of the files.

With `-n` the files that took longest begin, so that no worker is left alone with a long one.
"""

import re

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.tiers.commit_number import commit_number
from tests.tiers.durations import recorded_seconds
from tests.tiers.shards import Shard, group_of, groups_of, longest_first, seconds_of_groups
from tests.tiers.soak_turn import is_its_turn

NONE, TURN, ALL = "none", "turn", "all"
SAID = pytest.StashKey[list[str]]()
"""What is told before the first test."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add both options."""
    group = parser.getgroup("tiers")
    group.addoption(
        "--soak",
        default=NONE,
        metavar="none|turn|all|NUMBER",
        help="soak cases: none, all, or those whose turn it is at this commit or NUMBER",
    )
    group.addoption("--shard", metavar="1/3", help="only one of so many parts of the files")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Settle what is taken; workers of `-n` get it as options."""
    said = config.stash[SAID] = []
    if config.option.soak == TURN:
        commit = commit_number(config.rootpath)
        config.option.soak = str(commit.number)
        said.append(
            f"soak: cases of commit {commit.number} ({commit.source}); "
            f"--soak={commit.number} takes them again"
        )
    elif config.option.soak not in {NONE, ALL} and not config.option.soak.isdecimal():
        raise pytest.UsageError(f"--soak={config.option.soak}: none, turn, all or a number.")
    elif config.option.soak == NONE and re.search(r"\bsoak\b", config.option.markexpr):
        config.option.soak = ALL  # -m decides
    if config.option.shard:
        try:
            said.append(f"shard: {Shard.parse(config.option.shard)} of the files")
        except ValueError as error:
            raise pytest.UsageError(f"--shard: {error}") from error


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Tell it; pytest's own header is not there with -q."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        for line in session.config.stash[SAID]:
            reporter.write_line(line)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the others out, and put the longest first."""
    taken = [item for item in items if is_taken(item, config.option.soak)]
    files = {item.nodeid.partition("::")[0] for item in taken}
    groups = seconds_of_groups(recorded_seconds(), files)
    if config.option.shard:
        own = groups_of(Shard.parse(config.option.shard), groups)
        taken = [item for item in taken if group_of(item.nodeid) in own]
    kept = set(taken)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    if hasattr(config, "workerinput"):
        place = {group: number for number, group in enumerate(longest_first(groups))}
        taken.sort(key=lambda item: place[group_of(item.nodeid)])
    items[:] = taken


def is_taken(item: pytest.Item, soak: str) -> bool:
    """Tell whether a test is no soak case, or one that is asked for."""
    marker = item.get_closest_marker("soak")
    if marker is None or soak in {NONE, ALL}:
        return marker is None or soak == ALL
    try:
        return is_its_turn(item.nodeid, number=int(soak), **marker.kwargs)
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Give each worker whole groups, in the order in which they were collected."""
    return _Groups(config, log)


class _Groups(LoadScopeScheduling):  # type: ignore[misc]  # xdist ships no types
    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)
