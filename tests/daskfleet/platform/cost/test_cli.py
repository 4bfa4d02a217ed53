"""Unit tests: ``daskfleet cost`` from the command line."""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from typer import Typer
from typer.testing import CliRunner, Result

import daskfleet.platform.cost.cli
from daskfleet.planning.budget import BudgetState
from daskfleet.planning.fleet import plan_draft
from daskfleet.platform.cost.document import CostDocument, document_of
from daskfleet.settings.stack_file import read_stack_file
from tests.daskfleet.planning.documents import Document, minimal


@pytest.fixture
def stacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory of stack files."""
    monkeypatch.setattr(daskfleet.platform.cost.cli, "STACKS_DIR", tmp_path)
    monkeypatch.delenv("PULUMI_STACK", raising=False)
    return tmp_path


def write(directory: Path, stack: str, document: Document) -> None:
    config = {f"daskfleet:{key}": value for key, value in document.items()}
    (directory / f"Pulumi.{stack}.yaml").write_text(yaml.safe_dump({"config": config}))


def run(*arguments: str) -> Result:
    app = Typer()
    app.command()(daskfleet.platform.cost.cli.command)
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})


@pytest.mark.parametrize("stack", ["dev", "prod", "rehearsal"])
def test_each_example_stack_has_a_cost_that_adds_up(
    stack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PULUMI_STACK", raising=False)
    result = run("--stack", stack, "--json")
    assert result.exit_code == 0
    told = CostDocument.model_validate_json(result.stdout)
    for parts in (told.items, told.shares):
        idle = sum(round((part.idle_usd_per_month or 0) * 100) for part in parts)
        full = sum(round((part.full_usd_per_month or 0) * 100) for part in parts)
        assert idle == round(told.idle_usd_per_month_at_least * 100)
        assert full == round(told.full_usd_per_month_at_least * 100)
    assert told.unpriced == ()
    assert told.full_usd_per_month == told.full_usd_per_month_at_least


def test_the_tables_tell_items_teams_age_and_budget(stacks: Path) -> None:
    write(stacks, "dev", minimal(monthly_budget_usd=5000))
    result = run()
    assert result.exit_code == 0
    for text in (
        "dev: what it costs in us-central1",
        "scheduler-pool",
        "team alpha",
        "GPUs that no team declares pods for",
        "Per hour: 8.10 USD idle, 8.10 USD with every pool full.",
        "Oldest dated price: 2026-07-30, ",
        "Budget: above. The fleet may cost 5,916 USD per month",
        "It saves 2,347.",
        "List prices: no sustained-use",
    ):
        assert text in result.stdout
    assert result.stdout.count("The fleet may cost") == 1


def test_what_nobody_knows_the_price_of_is_unknown_in_tables_and_in_the_document(
    stacks: Path,
) -> None:
    gpus = {"accelerator": "nvidia-b200", "gpus_per_node": 8, "node_count": 2}
    pool = {"name": "b200", "machine_type": "a4-highgpu-8g", **gpus}
    document = minimal(location="us-central1-b", worker_pools=[pool], monthly_budget_usd=5000)
    write(stacks, "dev", document)
    tables, told = run().stdout, CostDocument.model_validate_json(run("--json").stdout)

    rows = [" ".join(line.split()) for line in tables.splitlines()]
    assert "b200 unknown 2 2 unknown unknown" in rows
    assert "all at least 533.42 at least 533.42" in rows
    assert "Per hour: unknown idle, unknown with every pool full." in rows
    assert any(row.startswith("Budget: unknown. The fleet may cost at least 533") for row in rows)
    assert told.unpriced == ("a4-highgpu-8g",)
    assert (told.full_usd_per_month, told.full_usd_per_hour) == (None, None)
    assert told.full_usd_per_month_at_least == 533.42
    item = next(each for each in told.items if each.item == "b200")
    assert (item.usd_per_hour_each, item.full_usd_per_month) == (None, None)
    known = [each.full_usd_per_month for each in told.items if each.full_usd_per_month is not None]
    assert round(sum(known), 2) == told.full_usd_per_month_at_least
    assert told.budget.state is BudgetState.UNKNOWN
    assert told.scheduler_pool.saved_usd_per_month is None


def test_the_only_stack_is_taken_and_the_environment_may_choose(
    stacks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(stacks, "dev", minimal())
    assert json.loads(run("--json").stdout)["stack"] == "dev"
    write(stacks, "prod", minimal())
    assert run("--json").exit_code == daskfleet.platform.cost.cli.USAGE
    monkeypatch.setenv("PULUMI_STACK", "prod")
    assert json.loads(run("--json").stdout)["stack"] == "prod"


def test_a_bad_stack_is_refused_with_every_reason_at_once(stacks: Path) -> None:
    write(stacks, "dev", minimal(location="nowhere", teams=[{"name": "alpha", "workers": -1}]))
    result = run()
    assert result.exit_code == daskfleet.platform.cost.cli.REFUSED
    assert result.stdout == ""
    assert "Pulumi.dev.yaml: 2 problems." in result.stderr
    assert "daskfleet:location: nowhere" in result.stderr
    assert "daskfleet:teams[0].workers: -1" in result.stderr


def test_each_price_has_a_source(stacks: Path) -> None:
    write(stacks, "dev", minimal())
    told = CostDocument.model_validate_json(run("--json").stdout)
    named = {source.name for source in told.sources}
    assert {"a2-highgpu-2g", "n1-standard-2", "nvidia-tesla-t4", "pd-balanced"} <= {
        price.item for price in told.prices
    }
    assert all(set(price.sources) <= named for price in told.prices)
    assert min(price.read_on for price in told.prices if price.read_on) == told.prices_as_of


def test_the_age_of_the_prices_is_counted_to_today() -> None:
    plan = plan_draft(read_stack_file(Path("stacks/Pulumi.dev.yaml")))
    told = document_of(plan, stack="dev", today=plan.cost.priced_on.replace(month=8, day=9))
    assert told.prices_age_days == 10


def test_no_engine_is_needed() -> None:
    program = "import sys, daskfleet.platform.cost.cli; sys.exit('pulumi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(("age_days", "is_stale"), [(0, False), (90, False), (91, True)])
def test_prices_older_than_90_days_are_said_to_be(
    stacks: Path, *, age_days: int, is_stale: bool
) -> None:
    write(stacks, "dev", minimal())
    plan = plan_draft(read_stack_file(stacks / "Pulumi.dev.yaml"))
    today = plan.cost.priced_on + timedelta(days=age_days)
    told = document_of(plan, stack="dev", today=today)

    assert told.prices_age_days == age_days
    assert any(f"{age_days} days old" in note for note in told.notes) == is_stale
