"""What the cheap GPU for the schedulers saves."""

from dataclasses import dataclass

from daskfleet.planning.cost_lines import HOURS_PER_MONTH
from daskfleet.planning.pools import gpu_slots, worker_pool_of
from daskfleet.planning.tariff import Tariff
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.stack import Stack


@dataclass(frozen=True, kw_only=True)
class SchedulerSaving:
    """The schedulers where they are, and where they would be without a pool of their own.

    In US dollars per month.
    """

    schedulers: int
    own_pool: float
    """The whole scheduler pool at its largest."""

    worker_gpus: float
    """One GPU of the team's worker pool, or the share of it that a worker has, for each scheduler,
    with its part of machine and disk."""

    @property
    def saved(self) -> float:
        """What the scheduler pool saves; negative where worker GPUs would be cheaper."""
        return self.worker_gpus - self.own_pool

    @property
    def text(self) -> str:
        """The arithmetic, as a sentence."""
        count = "1 scheduler" if self.schedulers == 1 else f"{self.schedulers} schedulers"
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
    tariff = Tariff(stack.region)
    worker_pools = [worker_pool_of(team, stack) for _, team in teams_with_cluster(stack)]
    gpus = [tariff.node(pool) / gpu_slots(pool) for pool in worker_pools if pool and pool.has_gpus]
    pool = stack.scheduler_pool
    return SchedulerSaving(
        schedulers=len(gpus),
        own_pool=tariff.node(pool) * pool.max_nodes * HOURS_PER_MONTH,
        worker_gpus=sum(gpus) * HOURS_PER_MONTH,
    )
