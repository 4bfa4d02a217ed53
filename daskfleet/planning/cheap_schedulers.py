"""What the cheap GPU for the schedulers saves."""

from dataclasses import dataclass

from daskfleet.planning.cost_lines import HOURS_PER_MONTH
from daskfleet.planning.pools import worker_pool_of
from daskfleet.planning.tariff import Tariff, total, usd_per_gpu
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.stack import Stack


@dataclass(frozen=True, kw_only=True)
class SchedulerSaving:
    """The schedulers where they are, and where they would be without a pool of their own.

    In US dollars per month; None where a price is not known.
    """

    schedulers: int
    own_pool: float | None
    """The whole scheduler pool at its largest."""

    worker_gpus: float | None
    """One GPU of the team's worker pool, or the share of it that a worker has, for each scheduler,
    with its part of machine and disk."""

    @property
    def saved(self) -> float | None:
        """What the scheduler pool saves; negative where worker GPUs would be cheaper."""
        if self.worker_gpus is None or self.own_pool is None:
            return None
        return self.worker_gpus - self.own_pool

    @property
    def text(self) -> str:
        """The arithmetic, as a sentence."""
        count = "1 scheduler" if self.schedulers == 1 else f"{self.schedulers} schedulers"
        if self.saved is None or self.worker_gpus is None or self.own_pool is None:
            return f"{count} on GPUs of the worker pools: what that would cost is not known."
        verb = "saves" if self.saved >= 0 else "costs"
        return (
            f"{count} on GPUs of the worker pools: {self.worker_gpus:,.0f} USD per month; the "
            f"scheduler pool: {self.own_pool:,.0f}. It {verb} {abs(self.saved):,.0f}."
        )


def scheduler_saving(stack: Stack) -> SchedulerSaving:
    """Compare the scheduler pool with a GPU more on the worker pools for each scheduler.

    By list prices without committed use. That a worker pool grows by whole nodes, and that
    schedulers without a pool of their own would need no T4 nodes in reserve, is left out; and so
    are teams whose workers have no GPU that a scheduler could take.
    """
    tariff = Tariff(stack)
    worker_pools = [worker_pool_of(team, stack) for _, team in teams_with_cluster(stack)]
    gpus = [usd_per_gpu(pool, tariff) for pool in worker_pools if pool and pool.has_gpus]
    own_node, worker_gpus = tariff.node(stack.scheduler_pool), total(gpus)
    hours = stack.scheduler_pool.max_nodes * HOURS_PER_MONTH
    return SchedulerSaving(
        schedulers=len(gpus),
        own_pool=None if own_node is None else own_node * hours,
        worker_gpus=None if worker_gpus is None else worker_gpus * HOURS_PER_MONTH,
    )
