"""The fleet's nodes before and after, as a Mermaid diagram that GitHub and GitLab draw.

Only where nodes come or go: then it says at one look what goes, what comes in its place, what stays
and who runs there. The table above it says the same in words.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.markdown.section import FOLDS, Section, unfolds
from daskfleet.platform.review.model import PoolNodes, Review, Step
from daskfleet.platform.review.steps import POOL_TYPE
from daskfleet.platform.review.wording import quantity

MOST_POOLS = 16
"""Pools that change, and as many that stay; Mermaid draws more, and nobody reads it."""

MOST_TEAMS = 6
"""Teams that are named at one pool."""

LONGEST_NAME = 40
"""GKE's limit for a pool's name. A label has no more of any value."""

_UNSAFE = re.compile(r"[^A-Za-z0-9 ._/:+-]")
"""What a quoted label of Mermaid might read as its own, as HTML or as Markdown."""

Fate = Literal["goes", "comes", "renewed", "resized"]
TOLD: Mapping[Fate, str] = {
    "goes": "goes",
    "comes": "comes",
    "renewed": "all nodes are made anew",
    "resized": "has another size",
}
STYLES = """\
  classDef goes stroke:#b3261e,stroke-width:2px,stroke-dasharray:5 3
  classDef comes stroke:#166b3f,stroke-width:2px
  classDef stays stroke:#7b8594"""
"""Outlines alone: GitHub draws the rest for light and for dark. Each says its word, too."""


@dataclass(frozen=True, kw_only=True)
class _Pool:
    name: str
    fate: Fate
    before: PoolNodes | None
    after: PoolNodes | None
    teams: tuple[str, ...]


def picture(review: Review) -> Section:
    """A fold with the diagram; nothing where no node comes or goes, or nothing was there before."""
    pools = tuple(_pools(review))
    was_there = review.counts.get("unchanged", 0) or any(pool.fate != "comes" for pool in pools)
    if not pools or not was_there:
        return Section(items=())
    return Section(
        noun="pictures",
        opening=unfolds("Which nodes go, come and stay: a picture"),
        items=("\n".join(("```mermaid", *_lines(pools, review), "```")),),
        closing=FOLDS,
    )


def _pools(review: Review) -> Iterator[_Pool]:
    teams = {
        each.subject.name: each.teams for each in review.consequences if each.subject.kind == "pool"
    }
    rolled = {
        each.subject.name
        for each in review.consequences
        if each.subject.kind == "pool" and each.change_class >= ChangeClass.ROLLS_NODES
    }
    steps: dict[str, list[Step]] = defaultdict(list)
    for step in review.steps:
        if step.type == POOL_TYPE:
            steps[step.parent or step.name].append(step)
    for name, own in sorted(steps.items()):
        before = next((step.nodes_before for step in own if step.nodes_before), None)
        after = next((step.nodes_after for step in own if step.nodes_after), None)
        fate = _fate({step.operation for step in own}, before, after, is_rolled=name in rolled)
        if fate:
            yield _Pool(name=name, fate=fate, before=before, after=after, teams=teams.get(name, ()))


def _fate(
    operations: set[str], before: PoolNodes | None, after: PoolNodes | None, *, is_rolled: bool
) -> Fate | None:
    if operations <= {"create", "import"}:
        return "comes"
    if operations == {"delete"}:
        return "goes"
    if operations & {"replace", "delete"} or is_rolled:
        return "renewed"
    return "resized" if before != after else None


def _lines(pools: Sequence[_Pool], review: Review) -> Iterator[str]:
    shown = pools[:MOST_POOLS]
    changed = {pool.name for pool in pools}
    staying = sorted({line.pool for line in review.placement} - changed)
    told = ". ".join(f"pool {_safe(pool.name)}: {TOLD[pool.fate]}" for pool in shown)
    yield "flowchart LR"
    yield "  accTitle: Nodes before and after"
    yield f"  accDescr: {told}."
    for number, pool in enumerate(shown):
        yield from _pool_lines(f"p{number}", pool)
    for number, name in enumerate(staying[:MOST_POOLS]):
        yield f'  s{number}["pool {_safe(name)}: stays"]:::stays'
    left = len(pools) - len(shown) + max(0, len(staying) - MOST_POOLS)
    if left:
        yield f'  more["and {quantity(left, "pool")} more"]'
    yield STYLES


def _pool_lines(key: str, pool: _Pool) -> Iterator[str]:
    name = f"pool {_safe(pool.name)}"
    if pool.fate != "comes":
        style = "stays" if pool.fate == "resized" else "goes"
        yield f'  {key}["{name}, before{_size(pool.before)}"]:::{style}'
    if pool.fate != "goes":
        style = "stays" if pool.fate == "resized" else "comes"
        yield f'  {key}n["{name}, after{_size(pool.after)}"]:::{style}'
    ends = {"goes": (key, f"{key}x(( ))"), "comes": (f"{key}x(( ))", f"{key}n")}
    first, last = ends.get(pool.fate, (key, f"{key}n"))
    yield f'  {first} -- "{TOLD[pool.fate]}" --> {last}'
    if pool.teams:
        named = ", ".join(_safe(team) for team in pool.teams[:MOST_TEAMS])
        more = len(pool.teams) - MOST_TEAMS
        rest = f" and {more} more" if more > 0 else ""
        yield f'  {key}t(["{named}{rest}"]) --- {key}{"n" if pool.fate == "comes" else ""}'


def _size(nodes: PoolNodes | None) -> str:
    if nodes is None:
        return ""
    count = (
        quantity(nodes.most, "node")
        if nodes.least == nodes.most
        else f"{nodes.least} to {quantity(nodes.most, 'node')}"
    )
    return f": {count} {_safe(nodes.machine_type)}"


def _safe(name: str) -> str:
    return _UNSAFE.sub("_", name[:LONGEST_NAME])
