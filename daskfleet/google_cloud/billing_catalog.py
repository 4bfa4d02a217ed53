"""Google's Cloud Billing Catalog API: the public list prices of Compute Engine, SKU by SKU.

The shapes are those of its discovery document, revision 20260901. A SKU is a part of a machine, as
a core, and not a machine; which parts make which machine is not in the answer.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

import httpx
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from daskfleet.google_cloud.access import Access
from daskfleet.google_cloud.endpoints import ENDPOINTS

COMPUTE_ENGINE = "services/6F81-5844-456A"
"""The service whose SKUs machines, GPUs and disks are."""

PAGE_SIZE = 5000
"""The most that the API gives at once (cloud.google.com/billing/v1/how-tos/catalog-api)."""

MOST_PAGES = 100
"""Ten pages hold Compute Engine's SKUs of 2026; an answer without an end is none."""

TIMEOUT_S = 60

NANO = 1e-9


Int64 = Annotated[int, Field(ge=-(2**63), lt=2**63)]
"""The API's own bound; a larger number is no float."""


class CatalogError(Exception):
    """The catalog could not be read as a whole."""


class Shape(BaseModel):
    """What all parts of the answer are: unknown fields are Google's to add."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


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


class ErrorStatus(BaseModel):
    """Google's words about a refusal."""

    message: str = ""
    status: str = ""


class ErrorAnswer(BaseModel):
    """How all of Google's APIs refuse."""

    error: ErrorStatus = Field(default=ErrorStatus())


def read_skus(
    http: httpx.Client, *, access: Access, environment: Mapping[str, str]
) -> tuple[Sku, ...]:
    """All SKUs of Compute Engine. Blocks for seconds: some ten answers of several megabytes.

    Raises:
        CatalogError: an answer is missing, or is not what the API documents.
    """
    return tuple(sku for page in _pages(http, access, environment) for sku in page.skus)


def _pages(http: httpx.Client, access: Access, environment: Mapping[str, str]) -> Iterator[Page]:
    variable, default = ENDPOINTS["cloudbilling"]
    url = f"{(environment.get(variable) or default).rstrip('/')}/{COMPUTE_ENGINE}/skus"
    headers = {"Authorization": f"Bearer {access.token}"}
    if access.billed_to:
        headers["X-Goog-User-Project"] = access.billed_to
    parameters = {"currencyCode": "USD", "pageSize": str(PAGE_SIZE)}
    for _ in range(MOST_PAGES):
        page = _page(http, url, parameters, headers)
        yield page
        if not page.next_page_token:
            return
        parameters["pageToken"] = page.next_page_token
    msg = f"cloudbilling.googleapis.com gave {MOST_PAGES} pages and no last one"
    raise CatalogError(msg)


def _page(
    http: httpx.Client, url: str, parameters: Mapping[str, str], headers: Mapping[str, str]
) -> Page:
    try:
        answer = http.get(url, params=parameters, headers=headers, timeout=TIMEOUT_S)
    except (httpx.LocalProtocolError, UnicodeEncodeError):
        # Its words have the header in them, and so the token.
        msg = "the token has a character that no request can carry, a line's end perhaps"
        raise CatalogError(msg) from None
    except httpx.HTTPError as error:
        msg = f"{type(error).__name__} at {httpx.URL(url).host}: {error}"
        raise CatalogError(msg) from error
    try:
        if answer.is_success:
            return Page.model_validate_json(answer.content)
        said = ErrorAnswer.model_validate_json(answer.content).error.message
    except ValidationError as error:
        if answer.is_success:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            msg = f"an answer is not what the API documents: {where}: {first['msg']}"
            raise CatalogError(msg) from error
        said = ""
    msg = f"cloudbilling.googleapis.com answered {answer.status_code}: "
    raise CatalogError(msg + (said or answer.reason_phrase))
