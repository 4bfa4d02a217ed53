"""Running `pulumi preview`, played by a script that writes what was recorded."""

import json
import signal
from pathlib import Path

import pytest

from daskfleet.platform.review.errors import ReviewError
from daskfleet.platform.review.model import Preview
from daskfleet.platform.review.plan_binding import binding_of, binding_to
from daskfleet.platform.review.policy_packs import PolicyPack
from daskfleet.platform.review.run_preview import PreviewOptions, run_preview, selected_stack
from tests.daskfleet.platform.review.recordings import RECORDED, recorded

SCRIPT = """#!/bin/sh
here={here}
if [ "$1 $2" = "stack export" ]; then cat $here/state 2>/dev/null || exit 1; exit 0; fi
printf '%s\\n' "$@" > $here/arguments
echo "$PULUMI_DEBUG_COMMANDS" > $here/debug
for argument; do case "$argument" in
    --event-log=*) log=${{argument#--event-log=}}; echo "$log" > $here/log
                   stat -c '%a %U' "$log" > $here/mode ;;
esac; done
{body}
"""
STATE = {"version": 3, "deployment": {"resources": [{"urn": "urn:pulumi:dev::p::t::n"}]}}
READS = f"cat {RECORDED}/image_change.jsonl >> $log; echo 'Previewing update (dev)'"
WAITS = (
    "trap 'echo interrupted > $here/ended; exit 1' INT; touch $here/ready; "
    "while true; do sleep 0.05; done"
)


class FakePulumi:
    """A script in the place of `pulumi`."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (directory / "state").write_text(json.dumps(STATE))
        self.seen: list[int] = []

    def does(self, body: str) -> None:
        """Let it do this after it has kept what it was told."""
        script = self.directory / "pulumi"
        script.write_text(SCRIPT.format(here=self.directory, body=body))
        script.chmod(0o755)

    def preview(self, **options: object) -> Preview:
        """Run a preview with it."""
        chosen = PreviewOptions(**{"stack": "dev", **options})  # type: ignore[arg-type]
        return run_preview(self.directory, chosen, progress=self._see)

    def told(self, what: str) -> list[str]:
        """What it has kept."""
        return (self.directory / what).read_text().splitlines()

    def _see(self, steps: int, _seconds: float) -> None:
        self.seen.append(steps)


@pytest.fixture
def pulumi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePulumi:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return FakePulumi(tmp_path)


def test_the_stream_of_the_preview_is_read(pulumi: FakePulumi) -> None:
    pulumi.does(READS)

    assert pulumi.preview() == recorded("image_change")
    assert pulumi.told("debug") == ["1"]


def test_the_stream_lies_in_a_file_of_this_user_alone_and_is_removed(pulumi: FakePulumi) -> None:
    pulumi.does(READS)
    pulumi.preview()
    (log,) = pulumi.told("log")

    assert pulumi.told("mode")[0].startswith("600 ")
    assert not Path(log).exists()
    assert not Path(log).parent.exists()


def test_events_that_are_kept_stay_in_a_file_of_this_user_alone(
    pulumi: FakePulumi, tmp_path: Path
) -> None:
    kept = tmp_path / "events.jsonl"
    kept.write_text("of another preview\n")
    kept.chmod(0o644)
    pulumi.does(READS)

    assert pulumi.preview(save_events=kept) == recorded("image_change")
    assert pulumi.told("mode")[0].startswith("600 ")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.read_bytes() == (RECORDED / "image_change.jsonl").read_bytes()


def test_a_preview_that_fails_leaves_its_events(pulumi: FakePulumi, tmp_path: Path) -> None:
    kept = tmp_path / "events.jsonl"
    pulumi.does(f"cat {RECORDED}/refused.jsonl >> $log; echo 'error: preview failed'; exit 255")

    assert pulumi.preview(save_events=kept).result == "failed"
    assert kept.read_bytes() == (RECORDED / "refused.jsonl").read_bytes()


@pytest.mark.parametrize("place", ["missing/events.jsonl", "."])
def test_events_that_cannot_be_kept_are_said_before_a_preview_begins(
    pulumi: FakePulumi, tmp_path: Path, place: str
) -> None:
    pulumi.does(READS)

    with pytest.raises(ReviewError, match="--save-events"):
        pulumi.preview(save_events=tmp_path / place)
    assert not (tmp_path / "arguments").exists()


@pytest.mark.parametrize("before", [None, "an older plan, for all to read"])
def test_the_plan_is_for_the_user_alone(
    pulumi: FakePulumi, tmp_path: Path, before: str | None
) -> None:
    plan = tmp_path / "plan.json"
    if before is not None:
        plan.write_text(before)
        plan.chmod(0o644)
    pulumi.does(f"{READS}; umask 022; echo '{{}}' > {plan}")

    pulumi.preview(save_plan=plan)
    assert plan.stat().st_mode & 0o777 == 0o600
    assert binding_of(plan.read_text()) == binding_to(STATE)


def test_a_plan_that_cannot_be_bound_to_a_state_is_not_kept(
    pulumi: FakePulumi, tmp_path: Path
) -> None:
    plan = tmp_path / "plan.json"
    pulumi.does(f"{READS}; echo '{{}}' > {plan}")
    (tmp_path / "state").unlink()

    with pytest.raises(ReviewError, match="No plan is kept"):
        pulumi.preview(save_plan=plan)
    assert not plan.exists()


def test_a_preview_that_fails_leaves_no_plan(pulumi: FakePulumi, tmp_path: Path) -> None:
    pulumi.does("exit 255")

    pulumi.preview(save_plan=tmp_path / "plan.json")
    assert not (tmp_path / "plan.json").exists()


def test_pulumi_is_asked_for_nothing_but_a_preview_of_this_stack(
    pulumi: FakePulumi, tmp_path: Path
) -> None:
    pulumi.does(READS)
    packs = (PolicyPack(path=Path("/a")), PolicyPack(path=Path("/b")))
    pulumi.preview(save_plan=tmp_path / "plan.json", policy_packs=packs)
    arguments = pulumi.told("arguments")

    assert arguments[0] == "preview"
    assert arguments[2:] == [
        "--suppress-outputs",
        "--policy-pack=/a",
        "--policy-pack=/b",
        f"--save-plan={tmp_path}/plan.json",
        *("--stack", "dev"),
        "--non-interactive",
        "--color=never",
    ]


def test_where_one_pack_is_configured_each_has_a_file(pulumi: FakePulumi) -> None:
    pulumi.does(
        'for each; do case "$each" in --policy-pack-config=*) cat "${each#*=}";; esac; done '
        f"> $here/configs; {READS}"
    )
    config = pulumi.directory / "dev.json"
    config.write_text('{"all": "mandatory"}')
    own = PolicyPack(path=Path("/own"), config=config)
    pulumi.preview(policy_packs=(own, PolicyPack(path=Path("/other"))))

    assert pulumi.told("configs") == ['{"all": "mandatory"}{}']


def test_progress_tells_of_the_steps_while_the_engine_works(pulumi: FakePulumi) -> None:
    pulumi.does(f"{READS}; sleep 0.5")
    pulumi.preview()

    assert pulumi.seen[-1] == len(
        [line for line in (RECORDED / "image_change.jsonl").open() if '"resourcePreEvent"' in line]
    )


def test_what_fails_before_the_first_event_is_a_failed_preview_with_pulumis_words(
    pulumi: FakePulumi,
) -> None:
    pulumi.does("echo 'error: no stack named dev; token=abc123def456' >&2; exit 6")
    preview = pulumi.preview()

    assert preview.result == "failed"
    (error,) = preview.errors
    assert error.startswith("no stack named dev")
    assert "abc123def456" not in error


def test_what_ends_the_stream_early_is_told_by_what_pulumi_prints(pulumi: FakePulumi) -> None:
    pulumi.does(
        f"head -n 1 {RECORDED}/no_change.jsonl >> $log; echo 'Previewing update (dev)'; "
        "echo 'daskfleet: run make policies first' >&2; echo 'error: no policy pack' >&2; exit 1"
    )
    preview = pulumi.preview()

    assert preview.result == "failed"
    assert preview.errors == (
        "no policy pack",
        "Previewing update (dev)\ndaskfleet: run make policies first",
    )


def test_a_failure_without_words_tells_its_exit_code(pulumi: FakePulumi) -> None:
    pulumi.does("exit 255")

    assert pulumi.preview().errors == ("`pulumi preview` ended with exit code 255.",)


def test_a_failed_preview_keeps_what_its_stream_says(pulumi: FakePulumi) -> None:
    pulumi.does(f"cat {RECORDED}/refused.jsonl >> $log; echo 'error: preview failed'; exit 1")

    assert pulumi.preview() == recorded("refused")


def test_an_engine_that_is_killed_midway_has_failed_whatever_it_had_told(
    pulumi: FakePulumi,
) -> None:
    pulumi.does(f"head -n 20 {RECORDED}/image_change.jsonl >> $log; echo at work; kill -9 $$")
    preview = pulumi.preview()

    assert preview.result == "failed"
    assert preview.errors == ("`pulumi preview` ended with signal 9.", "at work")


@pytest.mark.parametrize("impatience", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_a_cancelled_workflow_let_the_engine_end_and_leave_no_file(
    pulumi: FakePulumi, impatience: signal.Signals
) -> None:
    pulumi.does(WAITS)
    options = PreviewOptions(stack="dev")

    def press(_steps: int, _seconds: float) -> None:
        if (pulumi.directory / "ready").exists():
            signal.raise_signal(impatience)

    with pytest.raises(KeyboardInterrupt):
        run_preview(pulumi.directory, options, progress=press)

    assert pulumi.told("ended") == ["interrupted"]
    assert not Path(pulumi.told("log")[0]).exists()


def test_without_pulumi_the_error_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(ReviewError, match="no `pulumi` on PATH"):
        run_preview(tmp_path, PreviewOptions(stack="dev"), progress=lambda *_: None)
    with pytest.raises(ReviewError, match="no `pulumi` on PATH"):
        selected_stack(tmp_path)


def test_the_selected_stack_is_the_one_that_pulumi_names(pulumi: FakePulumi) -> None:
    pulumi.does("echo organization/daskfleet/prod")

    assert selected_stack(pulumi.directory) == "organization/daskfleet/prod"
    assert pulumi.told("arguments")[:2] == ["stack", "--show-name"]


def test_without_a_selected_stack_the_error_says_how_to_name_one(pulumi: FakePulumi) -> None:
    pulumi.does("echo 'error: no stack selected' >&2; exit 255")

    with pytest.raises(ReviewError, match="name one with --stack"):
        selected_stack(pulumi.directory)
