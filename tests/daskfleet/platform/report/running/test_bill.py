"""Unit: this month's bill is read where an export is named, and nowhere else."""

import asyncio

import pytest

from daskfleet.checkout import PROJECT_DIR, STACKS_DIR
from daskfleet.platform.cost.actual import BILLING_EXPORT
from daskfleet.platform.cost.bill_model import Bill
from daskfleet.platform.report.running import gather
from daskfleet.platform.report.running.gather import Gatherer, Place
from daskfleet.platform.report.running.model import SourceName
from daskfleet.platform.report.running.reading import Reading
from tests.daskfleet.planning.documents import minimal, planned
from tests.daskfleet.platform.report.running.fleets import TOKEN, reading
from tests.daskfleet.platform.report.running.test_page import BILL


def read(**environment: str) -> Reading[Bill] | None:
    gatherer = Gatherer(
        Place(stack="dev", project_dir=PROJECT_DIR, stacks_dir=STACKS_DIR, environment=environment)
    )
    plan = reading(SourceName.PRICES, planned(minimal()))
    return asyncio.run(gatherer.bill(plan))


def test_without_an_export_no_bill_is_asked_for() -> None:
    assert read() is None


def test_what_is_no_export_is_the_reason_and_nothing_is_asked() -> None:
    found = read(**{BILLING_EXPORT: "export"})
    assert found is not None
    assert found.value is None
    assert "export is no table of BigQuery" in found.source.why_not


def test_the_bill_names_no_table_and_no_credential(monkeypatch: pytest.MonkeyPatch) -> None:
    table = "acme.billing.gcp_billing_export_resource_v1_01ABCD"
    notes = (f"Authorization: Bearer {TOKEN}",)
    said = BILL.model_copy(update={"source": table, "notes": notes})
    monkeypatch.setattr(gather, "actual_bill", lambda *_, **__: said)
    found = read(**{BILLING_EXPORT: table})
    assert found is not None
    assert found.value is not None
    document = found.value.model_dump_json()
    assert table not in document
    assert TOKEN not in document
    assert found.value.fleet.billed_usd == 900
