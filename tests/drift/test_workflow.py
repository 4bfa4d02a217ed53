"""The scheduled comparison: the same versions as the program, and no right to write."""

import re
from typing import Any

import pytest
import yaml

from drift.cli import PROJECT_DIR


@pytest.fixture
def workflow() -> dict[str, Any]:
    text = (PROJECT_DIR / ".github" / "workflows" / "drift.yml").read_text(encoding="utf-8")
    document: dict[str, Any] = yaml.safe_load(text)
    return document


def test_the_pulumi_that_looks_is_the_one_that_is_pinned(workflow: dict[str, Any]) -> None:
    (installed,) = (
        step["with"]["pulumi-version"]
        for step in workflow["jobs"]["look"]["steps"]
        if "pulumi-version" in step.get("with", {})
    )
    pins = (PROJECT_DIR / "requirements.txt").read_text(encoding="utf-8")
    pinned = re.search(r"^pulumi==(.+)$", pins, re.MULTILINE)
    assert pinned is not None
    assert installed == pinned[1]


def test_the_job_may_read_the_code_and_log_in_and_nothing_else(workflow: dict[str, Any]) -> None:
    assert workflow["permissions"] == {}
    assert workflow["jobs"]["look"]["permissions"] == {"contents": "read", "id-token": "write"}


def test_no_secret_is_kept_for_it(workflow: dict[str, Any]) -> None:
    assert "secrets." not in yaml.safe_dump(workflow)
