"""The settings that guides show are accepted, with the least that they leave out; unit tier."""

import re
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from daskfleet.settings.stack import Stack
from daskfleet.stack_text.project_file import NAMESPACE
from tests.guides.typed import GUIDES
from tests.project import PROJECT_DIR

BLOCK = re.compile(r"^ *```yaml\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
TOP = f"{NAMESPACE}:"
LEAST = {"project": "example-project", "teams": [{"name": "other", "workers": 1}]}
OF_OTHERS = {
    ("docs/sign-on.md", "apiVersion:"): "Objects for Kubernetes: tests/guides/test_sign_on.py.",
    ("docs/tls.md", "env:"): "A pod's, of the reader's own making.",
    ("docs/volumes.md", "# reference.yaml"): "Kubernetes' own: a volume and its claim.",
    ("docs/volumes.md", "# results.yaml"): "Kubernetes' own: a volume and its claim.",
    ("docs/governance.md", "apiVersion: kyverno.io/v2"): "An exception for Kyverno.",
    ("docs/governance.md", "labelSelector:"): "A part of a constraint of Gatekeeper.",
}
"""Blocks that are no settings: how they begin, and what they are."""


def blocks(*, of_others: bool = False) -> Iterator[tuple[str, str]]:
    """Every block of YAML that is settings, or all, with the guide that it is of."""
    for guide in GUIDES:
        page = (PROJECT_DIR / guide).read_text("utf-8")
        for block in BLOCK.findall(page):
            if of_others or not any(
                guide == of and block.startswith(begins) for of, begins in OF_OTHERS
            ):
                yield guide, textwrap.dedent(block)


def settings_of(block: str) -> Iterator[dict[str, Any]]:
    """What a block declares, as a whole stack: a key that it has twice is an alternative."""
    for text in alternatives(block):
        shown = yaml.safe_load(text)
        if isinstance(shown, list):
            shown = {f"{TOP}teams": shown}
        shown = shown.get("config", shown)
        ours = {key.removeprefix(TOP): value for key, value in shown.items() if TOP in key}
        of_a_team = {key: value for key, value in shown.items() if TOP not in key}
        teams = [{"name": "fraud", **of_a_team}] if of_a_team else []
        yield {**LEAST, **({"teams": teams} if teams else {}), **ours}


def alternatives(block: str) -> list[str]:
    """The block, parted where a key of the first level comes again."""
    lines: list[list[str]] = [[]]
    keys: set[str] = set()
    for line in block.splitlines():
        key = line.partition(": ")[0].rstrip(":")
        if line[:1].isalpha():
            if key in keys:
                lines.append([])
                keys.clear()
            keys.add(key)
        lines[-1].append(line)
    return ["\n".join(each) for each in lines]


@pytest.mark.parametrize(("guide", "block"), [*blocks()])
def test_the_settings_that_a_guide_shows_are_accepted(guide: str, block: str) -> None:
    shown = [*settings_of(block)]
    assert shown, guide
    for settings in shown:
        assert Stack.model_validate(settings).teams


def test_a_setting_that_does_not_exist_is_refused() -> None:
    (settings,) = settings_of("- name: fraud\n  workers: 1\n  jupiter: {}\n")
    with pytest.raises(ValidationError, match="jupiter"):
        Stack.model_validate(settings)


def test_enough_of_them_are_found() -> None:
    assert len([*blocks()]) > 20


@pytest.mark.parametrize(("guide", "begins"), OF_OTHERS)
def test_what_is_left_out_is_there(guide: str, begins: str) -> None:
    page = (PROJECT_DIR / guide).read_text("utf-8")
    assert [block for block in BLOCK.findall(page) if block.startswith(begins)]
