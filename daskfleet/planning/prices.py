"""Prices that the stack file gives: each is of something that the fleet rents."""

from collections.abc import Iterator

from daskfleet.catalog.prices import OWN_FILE, PricesFileError, own_prices
from daskfleet.planning.pools import dask_pools
from daskfleet.planning.tariff import rented
from daskfleet.settings.problems import Problem, shown
from daskfleet.settings.stack import Stack


def price_problems(stack: Stack) -> Iterator[Problem]:
    """Prices that would change nothing, as of a GPU that its machine type always has."""
    try:
        own_prices(OWN_FILE)
    except PricesFileError as error:
        yield Problem(
            key=OWN_FILE.name,
            value=str(OWN_FILE),
            reason=f"The file of your own prices beside the stack files cannot be read: {error}.",
            allowed="rows as `daskfleet cost --refresh` writes them",
            next_step="correct the line, or remove the file: the catalog's prices hold then.",
        )
    pools = (stack.system_pool, *(pool for _, pool in dask_pools(stack)))
    items = sorted({item for pool in pools for item, _ in rented(pool)})
    built_in = {
        pool.accelerator: pool.machine_type
        for _, pool in dask_pools(stack)
        if pool.has_gpus and pool.accelerator not in items
    }
    for key, price in stack.prices.items():
        if key in items:
            continue
        machine = built_in.get(key)
        yield Problem(
            key=f"prices.{shown(key)}",
            value=shown(price.model_dump(exclude_none=True)),
            reason=f"{machine} always has this GPU, and is paid with it as a whole."
            if machine
            else "No pool has a machine type, or an attached GPU, of this name.",
            allowed=", ".join(items),
            next_step=f"give the price of {machine} with its GPUs."
            if machine
            else "correct the name, or remove the price.",
        )
