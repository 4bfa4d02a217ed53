"""Unit: a preview and the stack file that it is about."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from daskfleet.platform.review.errors import ReviewError
from daskfleet.platform.review.model import Verdict
from daskfleet.platform.review.produce import of_stack, produce, stack_file_of
from tests.daskfleet.platform.review.previews import preview
from tests.daskfleet.platform.review.recordings import recorded
from tests.project import PROJECT_DIR


def rehearsal_file(directory: Path, **team: object) -> Path:
    """The rehearsal's stack file with something of its first team changed."""
    original = stack_file_of("rehearsal", PROJECT_DIR)
    document = yaml.safe_load(original.read_text("utf-8"))
    document["config"]["daskfleet:teams"][0].update(team)
    file = directory / "Pulumi.rehearsal.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    return file


def test_a_preview_is_judged_against_the_settings_after_the_change(tmp_path: Path) -> None:
    file = rehearsal_file(tmp_path, workers=3)
    review = produce(recorded("more_workers"), stack_file=file, commit="c", allowed=frozenset())
    used = {line.pool: line.used for line in review.placement}

    assert review.verdict is Verdict.SAFE
    assert used["a100-fixed"] == 3


def test_a_refused_stack_file_is_the_reviews_error_and_told_once(tmp_path: Path) -> None:
    file = rehearsal_file(tmp_path, workers=99)
    silent = produce(preview(), stack_file=file, commit="", allowed=frozenset())
    told = produce(recorded("refused"), stack_file=file, commit="", allowed=frozenset())

    assert silent.verdict is Verdict.FAILED
    assert len(silent.errors) == len(told.errors) == 1
    assert "teams[0].workers: 99" in told.errors[0]
    assert not silent.gate.passes


def test_a_stack_file_that_is_not_there_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(ReviewError, match="--stack-file"):
        stack_file_of("dev", tmp_path)


@pytest.mark.parametrize("stack", ["dev", "organization/daskfleet/dev"])
def test_a_preview_that_failed_early_is_still_one_of_its_stack(stack: str) -> None:
    early = replace(preview(result="failed"), project="", stack="")

    assert of_stack(early, stack) == preview(result="failed")
    assert of_stack(preview(), stack) == preview()


def test_events_of_another_stack_are_refused() -> None:
    with pytest.raises(ReviewError, match="of stack dev, and prod was asked for"):
        of_stack(preview(), "prod")
