"""Pure: what the nodes that are there cost now, and whose part of it is how large."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from daskfleet.contract.outputs import CostOutput, PoolOutput, ShareOutput
from daskfleet.contract.seen import NodeRow, PodRow
from daskfleet.planning.cost_lines import HOURS_PER_MONTH, Cost
from daskfleet.platform.report.running.model import Money, MoneyRow

UNUSED, PLATFORM = "GPUs that no team uses", "what all teams need"


def money_of(
    prices: Cost,
    declared: CostOutput,
    *,
    pools: Iterable[PoolOutput],
    nodes: Sequence[NodeRow],
    pods: Sequence[PodRow],
) -> Money:
    """Price each node by its pool, and share it among the pods on it.

    A GPU costs whose pod holds it; one that nobody holds is unused. A node without GPUs costs the
    teams on it the same for each pod, and the platform where there is none. Everything else, such
    as the cluster's fee, is counted as in an idle fleet, and is the platform's or the team's.
    """
    settings_name = {pool.name: pool.pool for pool in pools}
    each_usd = {
        line.item: None if line.usd_per_hour_each is None else Fraction(line.usd_per_hour_each)
        for line in prices.lines
    }
    unpriced = set(prices.unpriced)
    owned: dict[str, Fraction] = defaultdict(Fraction)
    for node in nodes:
        usd = each_usd.get(settings_name.get(node.pool, ""))
        if usd is None:
            unpriced.add(f"nodes of pool {node.pool}")
            continue
        for owner, part in _owners(node, [pod for pod in pods if pod.node == node.name]).items():
            owned[owner] += usd * part
    for line in prices.lines:
        if line.item not in settings_name.values():
            owned[line.team or PLATFORM] += line.usd_per_hour_idle
    return Money(
        prices_as_of=prices.priced_on.isoformat(),
        now_usd_per_hour=float(sum(owned.values())),
        month_usd=float(sum(owned.values()) * HOURS_PER_MONTH),
        rows=tuple(
            _row(name, kind, owned[name], share) for name, kind, share in _shares(declared, owned)
        ),
        unpriced=tuple(sorted(unpriced)),
    )


def _owners(node: NodeRow, pods: Sequence[PodRow]) -> Mapping[str, Fraction]:
    """Return whose part of a node is how large; the parts are one together."""
    if not node.accelerator:
        on_it = Counter(pod.team for pod in pods)
        if not on_it:
            return {PLATFORM: Fraction(1)}
        return {team: Fraction(count, len(pods)) for team, count in on_it.items()}
    held: Counter[str] = Counter()
    for pod in pods:
        held[pod.team] += pod.gpu_shares
    # A GPU that fell sick is offered no more, but the pod on it still holds it.
    there = max(node.gpu_shares, held.total())
    parts = {team: Fraction(count, there) for team, count in held.items() if count}
    return {**parts, UNUSED: 1 - sum(parts.values(), Fraction(0))}


def _shares(
    declared: CostOutput, owned: Mapping[str, Fraction]
) -> Iterable[tuple[str, str, ShareOutput | None]]:
    """Return everybody who has a part, the largest team first."""
    teams = {*declared.teams, *(owned.keys() - {UNUSED, PLATFORM})}
    for team in sorted(teams, key=lambda name: (-owned.get(name, Fraction(0)), name)):
        yield team, "team", declared.teams.get(team)
    yield UNUSED, "unused", declared.unused
    yield PLATFORM, "platform", declared.platform


def _row(name: str, kind: str, usd: Fraction, share: ShareOutput | None) -> MoneyRow:
    return MoneyRow(
        name=name,
        kind=kind,
        now_usd_per_hour=float(usd),
        month_usd=float(usd * HOURS_PER_MONTH),
        idle_usd_per_month=share.idle if share else None,
        full_usd_per_month=share.full if share else None,
    )
