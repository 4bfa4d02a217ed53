"""Unit: machines cost what their SKUs make, and what cannot be told is not guessed."""

from datetime import date
from typing import Any

import pytest

from daskfleet.catalog.machines import machines
from daskfleet.catalog.prices import REFERENCE_REGION, Price, catalog_prices
from daskfleet.catalog.skus import sku_names
from daskfleet.google_cloud.billing_catalog import Sku
from daskfleet.platform.cost.sku_prices import SkuPrices, sku_prices
from tests.daskfleet.platform.cost.answers_of_google import skus

TODAY = date(2026, 11, 23)


def read(*more: dict[str, Any], without: str = "-", region: str = "us-central1") -> SkuPrices:
    return sku_prices(skus(*more, without=without), region=region, today=TODAY)


def price_of(item: str, found: SkuPrices) -> Price:
    return next(price for price in found.prices if price.item == item)


def a_sku(
    description: str, usd: float = 1.0, *, unit: str = "h", region: str = "us-central1"
) -> Any:
    return {
        "skuId": "FFFF",
        "description": description,
        "category": {"resourceFamily": "Compute", "usageType": "OnDemand"},
        "serviceRegions": [region],
        "pricingInfo": [
            {
                "pricingExpression": {
                    "usageUnit": unit,
                    "tieredRates": [
                        {
                            "unitPrice": {
                                "currencyCode": "USD",
                                "units": str(int(usd)),
                                "nanos": round((usd % 1) * 1e9),
                            }
                        }
                    ],
                }
            }
        ],
    }


@pytest.mark.parametrize(
    "item",
    [
        "a2-highgpu-1g",
        "a2-highgpu-8g",
        "a2-ultragpu-1g",
        "g4-standard-48",
        "g4-standard-384",
        "nvidia-tesla-t4",
        "n1-standard-2",
        "pd-balanced",
        "hyperdisk-balanced",
    ],
)
def test_core_memory_gpus_and_local_ssd_make_the_price_of_a_machine(item: str) -> None:
    known = catalog_prices()[item, "us-central1"].usd

    assert price_of(item, read()).usd == pytest.approx(known, abs=2e-5)


def test_a_machine_whose_gpu_has_another_name_in_americas_is_found() -> None:
    assert price_of("a3-megagpu-8g", read()).usd == pytest.approx(93.400713, abs=0.01)


def test_spot_is_the_sum_of_the_spot_skus() -> None:
    spot = 12 * 0.01264 + 85 * 0.001695 + 1.7603

    assert price_of("a2-highgpu-1g", read()).usd_spot == pytest.approx(spot)
    assert price_of("nvidia-tesla-t4", read()).usd_spot == 0.209


def test_slices_are_all_there_is_and_a_spot_sku_that_says_on_demand_is_spot() -> None:
    b200 = price_of("a4-highgpu-8g", read())

    assert b200.usd == pytest.approx(8 * 16.11)
    assert b200.usd_spot == pytest.approx(39.6336)


def test_where_only_spot_has_a_price_there_is_none_on_demand() -> None:
    without = [sku for sku in skus() if sku.description.startswith("Spot Preemptible A4")]
    found = sku_prices(without, region="us-central1", today=TODAY)

    assert (price_of("a4-highgpu-8g", found).usd, len(found.prices)) == (None, 1)


def test_without_a_spot_sku_of_one_part_there_is_no_spot_price() -> None:
    assert price_of("g4-standard-48", read()).usd_spot is None


def test_memory_that_is_sold_by_decimal_gigabytes_is_counted_as_such() -> None:
    decimal = a_sku("G4 Instance Ram running in Iowa", 0.00587 * 10**9 / 2**30, unit="GBy.h")
    found = read(decimal, without="G4 Instance Ram")

    assert price_of("g4-standard-48", found).usd == pytest.approx(4.49993, abs=1e-4)


def test_what_has_no_sku_is_told_with_what_was_looked_for() -> None:
    found = read()

    assert "a3-ultragpu-8g" not in {price.item for price in found.prices}
    assert "A3Ultra Instance Core" in found.unmapped["a3-ultragpu-8g"]
    assert "Nvidia Tesla V100 GPU" in found.unmapped["nvidia-tesla-v100"]


def test_two_prices_of_one_part_are_told_and_none_is_chosen() -> None:
    found = read(a_sku("RTX 6000 96GB running in Des Moines", 1.2))

    assert "different prices" in found.unmapped["g4-standard-48"]
    assert "'RTX 6000 96GB running in Des Moines'" in found.unmapped["g4-standard-48"]


def test_the_same_price_twice_is_one() -> None:
    found = read(a_sku("RTX 6000 96GB running in Des Moines", 1.09565))

    assert price_of("g4-standard-48", found).usd == pytest.approx(4.49993, abs=1e-5)


def test_a_unit_that_is_not_the_parts_is_told() -> None:
    found = read(a_sku("RTX 6000 96GB running in Iowa", unit="mo"), without="RTX")

    assert "no single price in a unit of its part" in found.unmapped["g4-standard-48"]


@pytest.mark.parametrize(
    "tiers",
    [
        [],
        [{"unitPrice": {"currencyCode": "EUR", "units": "1"}}],
        [{"unitPrice": {"currencyCode": "USD"}}],
    ],
    ids=["no rate", "another currency", "nothing to pay"],
)
def test_a_sku_without_a_price_in_dollars_has_none(tiers: list[Any]) -> None:
    document = a_sku("RTX 6000 96GB running in Iowa")
    document["pricingInfo"][0]["pricingExpression"]["tieredRates"] = tiers

    assert Sku.model_validate(document).usd is None
    assert "no single price" in read(document, without="RTX").unmapped["g4-standard-48"]


def test_another_region_has_its_own() -> None:
    found = read(region="us-east1")

    assert price_of("a2-highgpu-1g", found).region == "us-east1"
    assert "G4 Instance Core" in found.unmapped["g4-standard-48"]
    assert "a2-ultragpu-1g" not in {*found.unmapped, *(price.item for price in found.prices)}


def test_prices_say_when_and_where_they_were_read() -> None:
    for price in read().prices:
        assert (price.date, price.source) == (TODAY, ("cloud_billing",))


def test_every_machine_type_that_has_a_price_has_names_of_its_parts() -> None:
    for machine in machines().values():
        if (machine.name, REFERENCE_REGION) not in catalog_prices():
            continue
        series, family = machine.name.rpartition("-")[0], machine.name.partition("-")[0]
        names = sku_names()
        assert ("slice", series) in names or ("core", series) in names or ("core", family) in names
        assert not machine.accelerator or ("gpu", machine.accelerator) in names or "a4" in family
