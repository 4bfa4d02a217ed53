"""Google's Cloud Billing Catalog API: the public list prices of Compute Engine, SKU by SKU.

The shapes are those of its discovery document, revision 20260901. A SKU is a part of a machine, as
a core, and not a machine; which parts make which machine is not in the answer.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

import httpx
from pydantic import Field

from daskfleet.google_cloud.asking import AnswerError, Shape, ask
from daskfleet.google_cloud.bearer import Access
from daskfleet.google_cloud.endpoints import base_url

COMPUTE_ENGINE = "services/6F81-5844-456A"
"""The service whose SKUs machines, GPUs and disks are."""

PAGE_SIZE = 5000
"""The most that the API gives at once (cloud.google.com/billing/v1/how-tos/catalog-api)."""

MOST_PAGES = 100
"""Ten pages hold Compute Engine's SKUs of 2026; an answer without an end is none."""

NANO = 1e-9


Int64 = Annotated[int, Field(ge=-(2**63), lt=2**63)]
"""The API's own bound; a larger number is no float."""


class Money(Shape):
    """An amount; zero is left out by the API."""

    currency_code: str
    units: Int64 = 0
    nanos: Int64 = 0


class TierRate(Shape):
    """A price from an amount of use on."""

    start_usage_amount: float = 0
    unit_price: Money


class PricingExpression(Shape):
    """Prices for one unit of use."""

    usage_unit: str
    """``h``, ``GiBy.h``, ``GBy.h``, ``GiBy.mo`` and others."""

    tiered_rates: tuple[TierRate, ...] = ()


class PricingInfo(Shape):
    """The prices of one time."""

    pricing_expression: PricingExpression


class Category(Shape):
    """What kind of thing a SKU is."""

    resource_family: str = ""
    resource_group: str = ""
    usage_type: str = ""


class Sku(Shape):
    """One thing that has a price."""

    sku_id: str
    description: str
    category: Category = Category()
    service_regions: tuple[str, ...] = ()
    pricing_info: tuple[PricingInfo, ...] = ()

    @property
    def unit(self) -> str | None:
        """The unit of its newest price; None without one."""
        return self.pricing_info[-1].pricing_expression.usage_unit if self.pricing_info else None

    @property
    def usd(self) -> float | None:
        """Its newest price in US dollars; None where it has none above zero, or several tiers."""
        rates = self.pricing_info[-1].pricing_expression.tiered_rates if self.pricing_info else ()
        if len(rates) != 1 or rates[0].unit_price.currency_code != "USD":
            return None
        money = rates[0].unit_price
        usd = money.units + money.nanos * NANO
        return usd if usd > 0 else None


class Page(Shape):
    """One answer of ``services.skus.list``."""

    skus: tuple[Sku, ...] = ()
    next_page_token: str = ""


def read_skus(
    http: httpx.Client, *, access: Access, environment: Mapping[str, str]
) -> tuple[Sku, ...]:
    """All SKUs of Compute Engine. Blocks for seconds: some ten answers of several megabytes.

    Raises:
        AnswerError: an answer is missing, or is not what the API documents.
    """
    return tuple(sku for page in _pages(http, access, environment) for sku in page.skus)


def _pages(http: httpx.Client, access: Access, environment: Mapping[str, str]) -> Iterator[Page]:
    url = f"{base_url('cloudbilling', environment)}/{COMPUTE_ENGINE}/skus"
    parameters = {"currencyCode": "USD", "pageSize": str(PAGE_SIZE)}
    for _ in range(MOST_PAGES):
        page = ask(http, "GET", url, Page, access=access, parameters=parameters)
        yield page
        if not page.next_page_token:
            return
        parameters["pageToken"] = page.next_page_token
    msg = f"cloudbilling.googleapis.com gave {MOST_PAGES} pages and no last one"
    raise AnswerError(msg)
