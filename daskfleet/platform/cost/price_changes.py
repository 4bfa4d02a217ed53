"""What a look into Google's billing catalog changed of the prices, for people and programs."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict
from rich.console import Console
from rich.text import Text

from daskfleet.catalog.prices import Price
from daskfleet.platform.cost.sku_prices import SkuPrices


class PriceChange(BaseModel):
    """One item's price before and after; None where there was, or is, none."""

    model_config = ConfigDict(frozen=True)

    item: str
    unit: str
    before_usd: float | None
    after_usd: float | None
    before_usd_spot: float | None
    after_usd_spot: float | None

    @property
    def text(self) -> str:
        """As a line."""
        parts = (
            ("", self.before_usd, self.after_usd),
            ("spot ", self.before_usd_spot, self.after_usd_spot),
        )
        said = [name + _difference(old, new) for name, old, new in parts if old != new]
        return f"{self.item}: {', '.join(said)} USD per {self.unit}"


class Refreshed(BaseModel):
    """What `daskfleet cost --refresh` did."""

    model_config = ConfigDict(frozen=True)

    region: str
    file: str
    changes: tuple[PriceChange, ...]
    unchanged: int
    unmapped: dict[str, str]
    """Items without a price there, with the reason: what they had before still holds."""


def refreshed(
    found: SkuPrices, before: Mapping[tuple[str, str | None], Price], *, region: str, file: str
) -> Refreshed:
    """Compare what was found with the prices that held."""
    changes: list[PriceChange] = []
    unchanged = 0
    for price in found.prices:
        old = before.get((price.item, region))
        if old and (old.usd, old.usd_spot) == (price.usd, price.usd_spot):
            unchanged += 1
            continue
        changes.append(
            PriceChange(
                item=price.item,
                unit=price.unit,
                before_usd=old.usd if old else None,
                after_usd=price.usd,
                before_usd_spot=old.usd_spot if old else None,
                after_usd_spot=price.usd_spot,
            )
        )
    return Refreshed(
        region=region,
        file=file,
        changes=tuple(changes),
        unchanged=unchanged,
        unmapped=found.unmapped,
    )


def render_refreshed(done: Refreshed, console: Console) -> None:
    """Print it."""
    console.print(
        Text(f"Google's list prices of {done.region}, now in {done.file}", style="bold"),
        soft_wrap=True,
    )
    for change in done.changes:
        console.print(Text(f"  {change.text}"), soft_wrap=True)
    console.print(Text(f"  {len(done.changes)} changed or new, {done.unchanged} as they were."))
    for item, reason in done.unmapped.items():
        console.print(
            Text(f"  {item}: not found, and as before: {reason}.", style="yellow"), soft_wrap=True
        )
    console.print(Text(f"  Look at the difference, and commit {done.file} with the stack files."))


def _difference(old: float | None, new: float | None) -> str:
    if old is None:
        return f"new at {_shown(new)}"
    if new is None:
        return f"{_shown(old)} -> none"
    return f"{_shown(old)} -> {_shown(new)} ({100 * (new - old) / old:+.1f} %)"


def _shown(usd: float | None) -> str:
    return "none" if usd is None else f"{usd:.6g}"
