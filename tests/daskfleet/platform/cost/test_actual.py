"""Unit: ``daskfleet cost --actual`` from the command line, with BigQuery on loopback."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer import Typer
from typer.testing import CliRunner, Result

import daskfleet.platform.cost.cli
from daskfleet.platform.cost.bill_model import Bill
from daskfleet.platform.cost.cli import NOT_READ, PASSES, USAGE
from daskfleet.platform.cost.focus import read_focus_file
from tests.daskfleet.planning.documents import minimal
from tests.daskfleet.platform.cost.big_query import BigQuery, big_query, recorded
from tests.daskfleet.platform.cost.test_billing_export import TABLE, TOKEN
from tests.project import PROJECT_DIR

OCTOBER = ("--actual", "--month", "2026-10")
ASKED = (*OCTOBER, "--billing-export", TABLE)


@pytest.fixture
def google(monkeypatch: pytest.MonkeyPatch) -> Iterator[BigQuery]:
    with big_query() as served:
        monkeypatch.setenv("GOOGLE_BIG_QUERY_CUSTOM_ENDPOINT", served.url)
        monkeypatch.setenv("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN)
        yield served


@pytest.fixture(autouse=True)
def stacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with one stack file."""
    monkeypatch.setattr(daskfleet.platform.cost.cli, "STACKS_DIR", tmp_path)
    for name in ("PULUMI_STACK", "DASKFLEET_BILLING_EXPORT"):
        monkeypatch.delenv(name, raising=False)
    write(tmp_path)
    return tmp_path


def write(directory: Path, **team: Any) -> None:
    document = minimal(teams=[{"name": "alpha", **team}])
    config = {f"daskfleet:{key}": value for key, value in document.items()}
    (directory / "Pulumi.dev.yaml").write_text(yaml.safe_dump({"config": config}))


def run(*arguments: str) -> Result:
    app = Typer()
    app.command()(daskfleet.platform.cost.cli.command)
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})


def test_a_month_is_told_by_team_and_what_is_nobodys_on_its_own(google: BigQuery) -> None:
    result = run(*ASKED)

    assert result.exit_code == 0, result.output
    rows = [" ".join(line.split()) for line in result.stdout.splitlines()]
    for row in (
        "dev: the bill of 2026-10, in USD",
        "team alpha 5,400.00 5,400.00 5,727.99 -327.99",
        "machines that no pod asked for 310.40 310.40",
        "all of the cluster 5,943.70 5,943.70 5,915.54 +28.16",
        "in the project, of no cluster 51.03 51.03",
        f"{TABLE} reaches to 2026-11-01 07:00 UTC. The month is over. BigQuery read 1.84 GB.",
    ):
        assert row in rows
    assert TOKEN not in result.output
    assert len(google.asked) == 1


@pytest.mark.usefixtures("google")
def test_the_page_shows_what_is_printed(stacks: Path) -> None:
    write(stacks, monthly_budget_usd=5500)
    printed = {" ".join(line.split()) for line in run(*ASKED).stdout.splitlines()}
    page = (PROJECT_DIR / "docs" / "cost.md").read_text("utf-8")
    shown = page.partition("```text\ndev: ")[2].partition("```")[0].splitlines()
    assert len(shown) == 11
    assert {" ".join(line.split()) for line in shown[1:]} <= printed


@pytest.mark.usefixtures("google")
def test_a_program_reads_the_same() -> None:
    told = Bill.model_validate_json(run(*ASKED, "--json").stdout)
    assert (told.month, told.is_over, told.bytes_read) == ("2026-10", True, 1840700210)
    assert told.parts[0].billed_usd == 5400


@pytest.mark.usefixtures("google")
def test_a_team_that_passed_its_share_is_an_exit_status_of_its_own(stacks: Path) -> None:
    write(stacks, monthly_budget_usd=5399)
    result = run(*ASKED)
    assert result.exit_code == PASSES
    line = "team alpha: passes monthly_budget_usd, 5,399: the month comes to 5,400.00 USD."
    assert line in result.stdout
    write(stacks, monthly_budget_usd=5401)
    assert run(*ASKED).exit_code == 0


def test_a_saved_bill_is_told_again_without_google(google: BigQuery, tmp_path: Path) -> None:
    saved = tmp_path / "bill.csv"
    asked = run(*ASKED, "--save-focus", str(saved), "--json").stdout
    google.asked.clear()
    told = run(*OCTOBER, "--focus", str(saved), "--json").stdout
    assert google.asked == []
    assert len(read_focus_file(saved)) == 13
    assert json.loads(told)["parts"] == json.loads(asked)["parts"]


def test_the_table_may_be_in_the_environment(
    google: BigQuery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASKFLEET_BILLING_EXPORT", TABLE)
    assert run(*OCTOBER).exit_code == 0
    assert run("--json").exit_code == 0
    assert len(google.asked) == 1


def test_a_month_without_rows_is_no_bill_of_zero(google: BigQuery) -> None:
    google.answers = [(200, recorded(rows=[], totalRows="0"))]
    result = run(*ASKED)
    assert result.exit_code == NOT_READ
    assert "That is not zero" in result.stdout
    assert "0.00" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--actual",), "--billing-export or DASKFLEET_BILLING_EXPORT"),
        (("--actual", "--billing-export", "t; DROP TABLE x"), "is no table of BigQuery"),
        ((*ASKED[:1], "--month", "2099-01", *ASKED[3:]), "has not begun"),
        ((*ASKED[:1], "--month", "October", *ASKED[3:]), "written as 2026-10"),
        ((*ASKED, "--refresh"), "two questions"),
        (("--month", "2026-10"), "add --actual"),
        (("--save-focus", "x.csv"), "add --actual"),
    ],
)
def test_what_was_not_meant_asks_nothing(
    google: BigQuery, arguments: tuple[str, ...], words: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == USAGE
    assert words in result.stderr
    assert google.asked == []


def test_a_refusal_is_googles_words_without_what_a_terminal_would_do(google: BigQuery) -> None:
    google.answers = [(403, {"error": {"message": "Access Denied\x1b]0;owned\x07"}})]
    result = run(*ASKED)
    assert result.exit_code == NOT_READ
    assert "Access Denied" in result.stderr
    assert "\x1b]0" not in result.output


def test_labels_and_services_of_strangers_reach_no_terminal(google: BigQuery) -> None:
    answer = recorded()
    hostile = "\x1b]0;owned\x07"
    for row in answer["rows"]:
        row["f"][6]["v"] = hostile
        tags = {**json.loads(row["f"][8]["v"]), "k8s-namespace": hostile}
        row["f"][8]["v"] = json.dumps(tags)
    google.answers = [(200, answer)]
    result = run(*ASKED)
    assert result.exit_code == 0
    assert "namespaces of no team" in result.stdout
    assert "owned" not in result.output


@pytest.mark.parametrize("content", [None, "", "BilledCost\n1\n"])
def test_a_file_that_is_none_is_told_without_a_traceback(
    tmp_path: Path, content: str | None
) -> None:
    file = tmp_path / "bill.csv"
    if content is not None:
        file.write_text(content)
    result = run(*OCTOBER, "--focus", str(file))
    assert result.exit_code == NOT_READ
    assert "the bill cannot be told" in result.stderr
    assert isinstance(result.exception, SystemExit)
