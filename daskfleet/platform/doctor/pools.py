"""Pure: pools of the stack's cluster that exist and have no machines, with Google's reason.

Google's provider says of such a pool only that it "was created in the error state": the reason is
in the pool's conditions.
"""

from collections.abc import Iterable, Iterator

from daskfleet.platform.doctor.answers import Condition, NodePool
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.settings.stack import Stack

ERRORS = {"ERROR", "RUNNING_WITH_ERROR"}
"""States in which a pool rests without what it was to have (container.v1, ``NodePool.status``)."""

WHAT_TO_DO = {
    "GCE_STOCKOUT": (
        "Google has none of these machines in the zone now, and GKE keeps trying. Run "
        '`pulumi up` when the pool has them. Other ways out: docs/runbook.md, "A GPU is out of '
        'stock".'
    ),
    "GCE_QUOTA_EXCEEDED": "Ask for more of this quota, then run `pulumi up` again.",
}
"""By the condition's code (container.v1, ``StatusCondition.Code``)."""

MADE_ANEW = "`pulumi up --replace URN`, with the pool's URN from the error, makes it again."
ONCE_MORE = "Correct what Google names, then run `pulumi up` again."


def pool_findings(pools: Iterable[NodePool], stack: Stack) -> Iterator[Finding]:
    """Say of each pool that is in an error which machines it lacks, where, why, and what to do."""
    failed = [pool for pool in pools if pool.status in ERRORS]
    yield from (pool_finding(pool, stack) for pool in failed)
    if not failed:
        yield Finding(
            area=Area.ZONE,
            subject="node pools of the cluster",
            outcome=Outcome.OK,
            needed="their machines, or none yet",
            there="no pool is in an error",
        )


def pool_finding(pool: NodePool, stack: Stack) -> Finding:
    """Say of a pool without its machines which it lacks, where, why, and what to do."""
    return Finding(
        area=Area.ZONE,
        subject=f"node pool {pool.name} in {', '.join(pool.locations) or stack.zone}",
        outcome=Outcome.WRONG,
        needed=_machines(pool),
        there=f"{pool.status}: {_reason(pool)}",
        fix=_what_to_do(pool),
        command=f"gcloud container node-pools describe {pool.name} "
        f"--cluster={stack.cluster.name} --location={stack.location} "
        f"--project={stack.project} --format='yaml(status,statusMessage,conditions)'",
    )


def _machines(pool: NodePool) -> str:
    gpus = [
        f"{each.accelerator_count} {each.accelerator_type}" for each in pool.config.accelerators
    ]
    return " with ".join([pool.config.machine_type, *gpus])


def _reason(pool: NodePool) -> str:
    said = [_words(each) for each in pool.conditions]
    return "; ".join(filter(None, said)) or pool.status_message or "Google gives no reason"


def _words(condition: Condition) -> str:
    return ": ".join(filter(None, (condition.code, condition.message)))


def _what_to_do(pool: NodePool) -> str:
    known = (WHAT_TO_DO[each.code] for each in pool.conditions if each.code in WHAT_TO_DO)
    return next(known, MADE_ANEW if pool.status == "ERROR" else ONCE_MORE)
