"""The command: exit statuses, and where a preview comes from."""

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import daskfleet.platform.review.cli
from daskfleet.platform.review.document import from_json
from daskfleet.platform.review.errors import ReviewError
from daskfleet.platform.review.model import Preview
from daskfleet.platform.review.run_preview import PreviewOptions
from policies import location
from tests.daskfleet.platform.review.recordings import RECORDED, recorded
from tests.project import PROJECT_DIR


@pytest.fixture(autouse=True)
def _no_rehearsal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell of a rehearsal names another file."""
    monkeypatch.delenv("PULUMI_OPTION_CONFIG_FILE", raising=False)


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The policies' environment, whether it was made here or not."""
    monkeypatch.setattr(location, "PYTHON", Path(sys.executable))


def run(*options: str, given: str | None = None) -> Result:
    return CliRunner().invoke(
        daskfleet.platform.review.cli.app, ["--stack", "rehearsal", *options], input=given
    )


def events(name: str) -> tuple[str, str]:
    return "--events", str(RECORDED / f"{name}.jsonl")


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("no_change", 0),
        ("image_change", 0),
        ("pool_replaced", 3),
        ("team_removed", 3),
        ("policies", 3),
        ("refused", 1),
        ("protected", 1),
        ("cancelled", 1),
    ],
)
def test_the_exit_status_is_the_gates(name: str, status: int) -> None:
    result = run(*events(name))

    assert result.exit_code == status
    assert result.stdout


@pytest.mark.parametrize(
    ("allowed", "status"),
    [("replace-pool", 0), ("replaces-pool,destroy-data", 0), ("replace-cluster", 3)],
)
def test_an_allowance_lets_pass_what_it_names(allowed: str, status: int) -> None:
    assert run(*events("pool_replaced"), "--allow", allowed).exit_code == status


def test_an_allowance_of_nothing_that_there_is_is_a_mistake_of_usage() -> None:
    result = run(*events("pool_replaced"), "--allow", "everything")

    assert result.exit_code == 2
    assert "replace-pool" in result.stderr


def test_events_come_from_standard_input_too() -> None:
    text = (RECORDED / "image_change.jsonl").read_text("utf-8")
    piped = run("--events", "-", given=text)

    assert piped.exit_code == 0
    assert piped.stdout == run(*events("image_change")).stdout


def test_empty_input_says_that_nothing_can_be_said() -> None:
    result = run("--events", "-", given="")

    assert result.exit_code == 1
    assert "The engine wrote nothing" in result.stdout


@pytest.mark.parametrize(
    "options",
    [
        ("--events", "/does/not/exist"),
        (*events("no_change"), "--stack", "prod"),
        (*events("no_change"), "--stack", "unknown"),
    ],
)
def test_what_cannot_be_looked_at_is_one_line_on_standard_error(options: tuple[str, ...]) -> None:
    result = run(*options)

    assert result.exit_code == 1
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "option",
    [
        ("--save-plan", "plan.json"),
        ("--save-events", "events.jsonl"),
        ("--policy-pack", "more"),
        ("--no-policies",),
    ],
)
def test_options_of_a_preview_that_is_run_do_not_go_with_events(option: tuple[str, ...]) -> None:
    result = run(*events("no_change"), *option)

    assert result.exit_code == 2
    assert option[0] in result.stderr


def test_the_settings_are_where_the_engine_takes_them_from(monkeypatch: pytest.MonkeyPatch) -> None:
    file = PROJECT_DIR / "stacks" / "Pulumi.dev.yaml"
    monkeypatch.setenv("PULUMI_OPTION_CONFIG_FILE", str(file))
    result = run(*events("no_change"), "--format", "json")

    assert [line.pool for line in from_json(result.stdout).placement] == [
        "scheduler-pool",
        "l4-spot",
    ]


@pytest.mark.parametrize("form", ["markdown", "json", "terminal"])
def test_a_review_has_three_forms(form: str) -> None:
    result = run(*events("image_change"), "--format", form)

    assert result.exit_code == 0
    assert "genomics" in result.stdout


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[PreviewOptions]:
    """What a preview is run with; it finds an image change."""
    seen: list[PreviewOptions] = []

    def play(_directory: Path, options: PreviewOptions, **_: object) -> Preview:
        seen.append(options)
        return recorded("image_change")

    monkeypatch.setattr(daskfleet.platform.review.cli, "run_preview", play)
    return seen


def test_without_events_a_preview_is_run_with_the_projects_policies(
    asked: list[PreviewOptions], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kept = ("--save-plan", "plan.json", "--save-events", "events.jsonl")
    assert run(*kept, "--policy-pack", "more").exit_code == 0
    (options,) = asked

    assert options.stack == "rehearsal"
    assert options.save_plan == tmp_path / "plan.json"
    assert options.save_events == tmp_path / "events.jsonl"
    assert [pack.path for pack in options.policy_packs] == [
        PROJECT_DIR / "policies" / "pack",
        tmp_path / "more",
    ]


def test_the_projects_policies_can_be_left_out(asked: list[PreviewOptions]) -> None:
    run("--no-policies")

    assert asked[0].policy_packs == ()


@pytest.mark.parametrize("stack", [("--stack", "prod"), ()], ids=["named", "selected"])
def test_without_the_policies_environment_nothing_begins_and_the_next_step_is_named(
    stack: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(location, "PYTHON", tmp_path / "python")
    monkeypatch.setenv("PATH", str(tmp_path))  # without pulumi, which would be missed later
    result = CliRunner().invoke(daskfleet.platform.review.cli.app, stack)

    assert (result.exit_code, result.stdout) == (1, "")
    (line,) = result.stderr.strip().splitlines()
    assert "`make policies`" in line
    assert "--no-policies" in line


def test_without_the_projects_policies_their_environment_is_not_missed(
    asked: list[PreviewOptions], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(location, "PYTHON", tmp_path / "python")

    assert run("--no-policies").exit_code == 0
    assert run(*events("no_change")).exit_code == 0
    assert len(asked) == 1


def test_without_a_name_the_selected_stack_is_reviewed(
    asked: list[PreviewOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "organization/daskfleet/rehearsal"
    monkeypatch.setattr(daskfleet.platform.review.cli, "selected_stack", lambda _: name)

    assert CliRunner().invoke(daskfleet.platform.review.cli.app, []).exit_code == 0
    assert asked[0].stack == name


@pytest.mark.parametrize(
    ("error", "status"), [(ReviewError("no pulumi"), 1), (KeyboardInterrupt(), 130)]
)
def test_without_a_preview_nothing_is_written(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int
) -> None:
    def fail(*_: object, **__: object) -> Preview:
        raise error

    monkeypatch.setattr(daskfleet.platform.review.cli, "run_preview", fail)
    result = run()

    assert (result.exit_code, result.stdout) == (status, "")
