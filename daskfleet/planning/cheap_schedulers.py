"""What the cheap pool for the schedulers saves."""

from dataclasses import dataclass

from daskfleet.planning.cost_lines import HOURS_PER_MONTH
from daskfleet.planning.pools import worker_pool_of
from daskfleet.planning.tariff import Tariff, total, usd_per_gpu
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.pools import SchedulerPool
from daskfleet.settings.stack import Stack


@dataclass(frozen=True, kw_only=True)
class SchedulerSaving:
    """The schedulers where they are, and where else they would be.

    In US dollars per month; None where a price is not known.
    """

    schedulers: int
    own_pool: float | None
    """The whole scheduler pool at its largest."""

    elsewhere: float | None
    """On a GPU each: one of the team's worker pool, or the share of it that a worker has, with its
    part of machine and disk; for a scheduler pool without GPUs a node of the default pool."""

    where: str
    """Where that is."""

    @property
    def saved(self) -> float | None:
        """What the scheduler pool saves; negative where they would be cheaper elsewhere."""
        if self.elsewhere is None or self.own_pool is None:
            return None
        return self.elsewhere - self.own_pool

    @property
    def text(self) -> str:
        """The arithmetic, as a sentence."""
        count = "1 scheduler" if self.schedulers == 1 else f"{self.schedulers} schedulers"
        if self.saved is None or self.elsewhere is None or self.own_pool is None:
            return f"{count} on {self.where}: what that would cost is not known."
        verb = "saves" if self.saved >= 0 else "costs"
        return (
            f"{count} on {self.where}: {self.elsewhere:,.0f} USD per month; the scheduler pool: "
            f"{self.own_pool:,.0f}. It {verb} {abs(self.saved):,.0f}."
        )


def scheduler_saving(stack: Stack) -> SchedulerSaving:
    """Compare the scheduler pool with a GPU more on the worker pools for each scheduler.

    A pool without GPUs is compared with a T4 for each scheduler, as by default: that is the choice
    which its team made. By list prices without committed use. That a worker pool grows by whole
    nodes, and that schedulers without a pool of their own would need no T4 nodes in reserve, is
    left out; and so are teams whose workers have no GPU that a scheduler could take.
    """
    tariff = Tariff(stack)
    own_node = tariff.node(stack.scheduler_pool)
    own_hours = stack.scheduler_pool.max_nodes * HOURS_PER_MONTH
    own_pool = None if own_node is None else own_node * own_hours
    if not stack.scheduler_pool.has_gpus:
        return _beside_the_default(stack, tariff, own_pool)
    worker_pools = [worker_pool_of(team, stack) for _, team in teams_with_cluster(stack)]
    gpus = [usd_per_gpu(pool, tariff) for pool in worker_pools if pool and pool.has_gpus]
    worker_gpus = total(gpus)
    return SchedulerSaving(
        schedulers=len(gpus),
        own_pool=own_pool,
        elsewhere=None if worker_gpus is None else worker_gpus * HOURS_PER_MONTH,
        where="GPUs of the worker pools",
    )


def _beside_the_default(stack: Stack, tariff: Tariff, own_pool: float | None) -> SchedulerSaving:
    default = SchedulerPool()
    teams = [team for _, team in teams_with_cluster(stack)]
    schedulers = sum(1 + (t.ephemeral.max_clusters if t.ephemeral else 0) for t in teams)
    node = tariff.node(default)
    return SchedulerSaving(
        schedulers=schedulers,
        own_pool=own_pool,
        elsewhere=None if node is None else schedulers * node * HOURS_PER_MONTH,
        where=f"a node of their own each, {default.machine_type} with one {default.accelerator}",
    )
