"""Unit: every stack of the project is looked at, each by itself."""

import asyncio
import json
import shlex
from collections.abc import Mapping
from pathlib import Path

import pytest

from daskfleet.platform.report.running.every_stack import look_at, stack_names
from daskfleet.platform.report.running.gather import GatherError
from daskfleet.platform.report.running.model import FleetView
from tests.daskfleet.platform.report.running.fleets import TOKEN, view


def with_pulumi(folder: Path, *, prints: str = "", says: str = "") -> Mapping[str, str]:
    """An environment whose `pulumi` answers the question for stacks, and no other."""
    ending = f"printf %s {shlex.quote(says)} >&2; exit 255" if says else "exit 0"
    script = folder / "pulumi"
    script.write_text(
        '#!/bin/sh\n[ "$1 $2 $3" = "stack ls --json" ] || exit 9\n'
        f"printf %s {shlex.quote(prints)}\n{ending}\n"
    )
    script.chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin"}


def names(folder: Path, environment: Mapping[str, str]) -> tuple[str, ...]:
    return asyncio.run(stack_names(folder, environment))


@pytest.fixture(autouse=True)
def _own_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The executable itself is found on this process's PATH.
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")


def test_the_stacks_are_those_that_pulumi_lists(tmp_path: Path) -> None:
    listed = json.dumps([{"name": "prod", "current": True}, {"name": "acme/dev"}])
    assert names(tmp_path, with_pulumi(tmp_path, prints=listed)) == ("acme/dev", "prod")


def test_no_stack_is_an_error_and_not_an_empty_page(tmp_path: Path) -> None:
    with pytest.raises(GatherError, match="has no stack") as caught:
        names(tmp_path, with_pulumi(tmp_path, prints="[]"))
    assert "`pulumi whoami --verbose`" in str(caught.value)


def test_a_backend_that_refuses_is_told_in_its_own_words(tmp_path: Path) -> None:
    with pytest.raises(GatherError, match="cannot be listed: not logged in"):
        names(tmp_path, with_pulumi(tmp_path, says="error: not logged in"))


@pytest.mark.parametrize("printed", ["", "{}", '[{"nom": 1}]', "<html>"])
def test_what_is_no_list_of_stacks_is_an_error(tmp_path: Path, printed: str) -> None:
    with pytest.raises(GatherError, match="something else than a list of stacks"):
        names(tmp_path, with_pulumi(tmp_path, prints=printed))


def test_without_pulumi_it_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(GatherError, match="no `pulumi` on PATH"):
        names(tmp_path, {"PATH": str(tmp_path)})


@pytest.mark.parametrize("error", [GatherError("No outputs."), KeyError("x"), ValueError(TOKEN)])
def test_whatever_fails_is_told_in_its_place_without_credentials(error: Exception) -> None:
    async def look(_: str) -> FleetView:
        raise error

    seen = asyncio.run(look_at("prod", look))
    assert seen.view is None
    assert seen.why_not
    assert TOKEN not in seen.why_not


def test_what_is_read_is_there_whole() -> None:
    async def look(stack: str) -> FleetView:
        assert stack == "prod"
        return view()

    seen = asyncio.run(look_at("prod", look))
    assert seen.view == view()
    assert seen.why_not == ""
