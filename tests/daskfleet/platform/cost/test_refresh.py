"""Unit: ``daskfleet cost --refresh`` asks Google's billing catalog, page by page, on loopback."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from typer import Typer
from typer.testing import CliRunner, Result

import daskfleet.catalog.prices
import daskfleet.platform.cost.cli
from daskfleet.catalog.prices import PricesFileError, own_prices, prices
from daskfleet.planning.cost import estimate
from daskfleet.settings.stack import Stack
from tests.daskfleet.planning.documents import minimal, refused
from tests.daskfleet.platform.cost.answers_of_google import Catalog, billing_catalog

NO_USD = ("nan", "inf", "-1", "0")
TOKEN = "a-token-that-nobody-sees"  # noqa: S105 - of nobody


def priced(**money: str) -> dict[str, object]:
    rate = {"unitPrice": {"currencyCode": "USD", **money}}
    expression = {"usageUnit": "h", "tieredRates": [rate]}
    return {"skuId": "1", "description": "d", "pricingInfo": [{"pricingExpression": expression}]}


@pytest.fixture
def google(monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalog]:
    with billing_catalog() as catalog:
        monkeypatch.setenv("GOOGLE_CLOUD_BILLING_CUSTOM_ENDPOINT", catalog.url)
        monkeypatch.setenv("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN)
        yield catalog


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The prices of one's own, beside a stack file."""
    own = tmp_path / "prices.csv"
    config = {f"daskfleet:{key}": value for key, value in minimal().items()}
    (tmp_path / "Pulumi.dev.yaml").write_text(yaml.safe_dump({"config": config}))
    monkeypatch.setattr(daskfleet.platform.cost.cli, "STACKS_DIR", tmp_path)
    monkeypatch.setattr(daskfleet.catalog.prices, "OWN_FILE", own)
    monkeypatch.setattr("daskfleet.planning.prices.OWN_FILE", own)
    monkeypatch.delenv("PULUMI_STACK", raising=False)
    prices.cache_clear()
    yield own
    prices.cache_clear()


def run(*arguments: str) -> Result:
    app = Typer()
    app.command()(daskfleet.platform.cost.cli.command)
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})


def test_all_pages_are_read_with_the_users_token_and_the_difference_is_shown(
    google: Catalog, file: Path
) -> None:
    result = run("--refresh")

    assert result.exit_code == 0, result.output
    first, second = google.asked
    assert first[0] == "/v1/services/6F81-5844-456A/skus"
    assert first[1] == {"currencyCode": ["USD"], "pageSize": ["5000"]}
    assert second[1]["pageToken"] == ["the-second-page"]
    assert {asked[2]["Authorization"] for asked in google.asked} == {f"Bearer {TOKEN}"}
    assert TOKEN not in result.output + file.read_text()
    assert "nvidia-tesla-t4: spot 0.175 -> 0.209 (+19.4 %) USD per hour" in result.output
    assert "a4-highgpu-8g: new at 128.88 USD per hour" in result.output
    assert "a3-ultragpu-8g: not found, and as before: no SKU of us-central1" in result.output


def test_what_was_written_is_what_the_fleet_costs_from_then_on(google: Catalog, file: Path) -> None:
    assert not file.exists()
    before = estimate(Stack.model_validate(minimal(scheduler_pool={"spot": True})))
    assert run("--refresh").exit_code == 0
    prices.cache_clear()
    after = estimate(Stack.model_validate(minimal(scheduler_pool={"spot": True})))

    line = {each.item: each for each in after.lines}["scheduler-pool"]
    old = {each.item: each for each in before.lines}["scheduler-pool"]
    assert line.usd_per_hour_each is not None
    assert old.usd_per_hour_each is not None
    # The answer has no spot SKU of N1: 0.0335 USD become the price on demand, and that is said.
    expected = 0.209 - 0.175 + 0.095 - 0.033505
    assert line.usd_per_hour_each - old.usd_per_hour_each == pytest.approx(expected, abs=1e-4)
    assert any("No spot price is known for n1-standard-2" in note for note in after.notes)
    assert any("Prices of stacks/prices.csv, not of the catalog: a2-hi" in n for n in after.notes)
    assert not any("prices.csv" in note for note in before.notes)
    assert google.asked


def test_rows_of_other_regions_stay_and_those_of_the_region_are_replaced(
    google: Catalog, file: Path
) -> None:
    file.write_text(
        "item,region,unit,usd,usd_spot,read_on,source\n"
        "a2-highgpu-1g,europe-west4,hour,3.5,,2026-01-02,cloud_billing\n"
        "a2-highgpu-1g,us-central1,hour,9,,2026-01-02,cloud_billing\n"
        "a3-ultragpu-8g,us-central1,hour,99,,2026-01-02,cloud_billing\n"
    )
    assert run("--refresh").exit_code == 0
    rows = {(row["item"], row["region"]): row for row in csv.DictReader(file.open())}

    assert rows["a2-highgpu-1g", "europe-west4"]["usd"] == "3.5"
    assert rows["a2-highgpu-1g", "us-central1"]["usd"] == "3.673385"
    assert ("a3-ultragpu-8g", "us-central1") not in rows
    assert google.asked


def test_the_second_time_nothing_has_changed(google: Catalog, file: Path) -> None:
    assert run("--refresh").exit_code == 0
    first = file.read_text()
    prices.cache_clear()
    told = json.loads(run("--refresh", "--json").stdout)

    assert (told["changes"], told["region"]) == ([], "us-central1")
    assert told["unchanged"] == len(own_prices(file))
    assert file.read_text() == first
    assert google.asked


@pytest.mark.parametrize(
    ("instead", "why"),
    [
        (
            (403, {"error": {"code": 403, "message": "Cloud Billing API has not been used"}}),
            "answered 403: Cloud Billing API has not been used",
        ),
        ((500, "no JSON object"), "answered 500"),
        ((200, {"skus": [{"description": "a SKU without an id"}]}), "not what the API documents"),
        ((200, {"nextPageToken": "the-second-page"}), "no last one"),
        ((400, {"error": {"message": "well\x1b[2J\nor so"}}), r"well\x1b[2J\nor so"),
        ((200, {"skus": [priced(units="9" * 400)]}), "units: Input should be less than"),
    ],
    ids=["refused", "broken", "another shape", "no end", "a terminal's escapes", "no int64"],
)
def test_half_an_answer_changes_nothing(
    google: Catalog, file: Path, instead: tuple[int, object], why: str
) -> None:
    file.write_text("item,region,unit,usd,usd_spot,read_on,source\n")
    google.instead = instead
    result = run("--refresh")

    assert (result.exit_code, file.read_text().count("\n")) == (3, 1)
    assert why in result.output
    assert TOKEN not in result.output


def test_without_credentials_it_says_how_to_get_them(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GOOGLE_OAUTH_ACCESS_TOKEN", raising=False)
    monkeypatch.setenv("GOOGLE_CREDENTIALS", "{}")
    result = run("--refresh")

    assert result.exit_code == 3
    assert "gcloud auth application-default login" in result.output
    assert not file.exists()


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("a2-highgpu-1g,us-central1,hour,cheap,,2026-01-02,cloud_billing", "line 2, usd"),
        ("a2-highgpu-1g,us-central1,hour,1,,yesterday,cloud_billing", "line 2, read_on"),
        ("a2-highgpu-1g,us-central1,hour,1", "line 2, "),
        ("a2-highgpu-1g,us-central1,hour,1,,2026-01-02,cloud_billing,more", "line 2, "),
        ("a2-highgpu-1g,us-central1,hour,1,,2026-01-02,my uncle", "nobody knows my, uncle"),
        ("a2-highgpu-1g,us-central1,hour,1,,2026-01-02,\x1b[2J", r"nobody knows \x1b[2J"),
        *((f"a2-highgpu-1g,us-central1,hour,{no},,,cloud_billing", "line 2, usd") for no in NO_USD),
        *(
            (f"a2-highgpu-1g,us-central1,hour,1,{no},,cloud_billing", "2, usd_spot")
            for no in NO_USD
        ),
        (f"{'a' * 200_000},us-central1,hour,1,,,cloud_billing", "field larger than field limit"),
    ],
)
def test_a_file_that_cannot_be_read_refuses_the_stack(file: Path, row: str, why: str) -> None:
    file.write_text(f"item,region,unit,usd,usd_spot,read_on,source\n{row}\n")

    with pytest.raises(PricesFileError, match=re.escape(why)):
        own_prices(file)
    (problem,) = refused(minimal()).problems
    assert problem.key == "prices.csv"
    assert why in problem.reason


def test_a_price_of_one_s_own_file_has_its_own_date(file: Path) -> None:
    file.write_text(
        "item,region,unit,usd,usd_spot,read_on,source\n"
        "gke-cluster,,hour,0.2,,2026-11-01,cloud_billing\n"
    )
    prices.cache_clear()

    assert str(prices()["gke-cluster", None].date) == "2026-11-01"
    assert prices()["gke-cluster", None].usd == 0.2


@pytest.mark.parametrize("text", ["", "a line of another program's\n"], ids=["empty", "another's"])
def test_what_is_no_file_of_prices_is_not_written_over(
    google: Catalog, file: Path, text: str
) -> None:
    """It may be a link, which somebody else committed."""
    file.write_text(text)
    result = run("--refresh")

    assert (result.exit_code, file.read_text(), google.asked) == (3, text, [])
    assert "line 1: the names of the columns are not there" in result.output


def test_a_price_that_makes_a_fleet_fit_its_budget_is_told_beside_the_catalogs(file: Path) -> None:
    row = "us-central1,hour,{},0.001,2026-11-01,cloud_billing"
    lines = ("item,region,unit,usd,usd_spot,read_on,source", f"a2-highgpu-2g,{row}", "")
    notes = {}
    for usd in ("0.04", "7.3"):
        file.write_text("\n".join(lines).format(usd))
        prices.cache_clear()
        notes[usd] = " ".join(estimate(Stack.model_validate(minimal())).notes)

    told = "Far below the catalog's, in stacks/prices.csv: a2-highgpu-2g 0.04 USD per hour, not 7.3"
    assert told in notes["0.04"]
    assert "a2-highgpu-2g, as spot 0.001 USD per hour, not " in notes["7.3"]
    assert "a2-highgpu-2g 7.3 USD" not in notes["7.3"]
