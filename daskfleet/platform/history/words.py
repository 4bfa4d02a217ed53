"""Pure: the history's parts in words, for a terminal and for a page."""

from collections import Counter
from collections.abc import Iterator

from daskfleet.platform.history.model import Gap, NodeMove, TeamChange, Update

SHORT_COMMIT = 10


def change_text(change: TeamChange) -> str:
    """One change of a team."""
    match change.what:
        case "came":
            words = f"came, with {change.after}"
        case "went":
            words = f"went; it had {change.before}"
        case "image" | "workers":
            words = f"{change.what} {change.before} → {change.after}"
        case "settings":
            words = "other settings"
            if change.is_another_cluster is None:
                words += "; nothing tells whether its Dask cluster was replaced. If so, it was"
        case "cluster":
            words = "another Dask cluster; its settings do not say why"
    if change.gap is None:
        return words
    joined = " " if words.endswith("it was") else "; "
    return f"{words}{joined}{gap_text(change.gap)}"


def gap_text(gap: Gap) -> str:
    """For how long there was no scheduler."""
    match gap.at_least_s, gap.at_most_s:
        case 0, 0:
            return "never without a scheduler"
        case None, None:
            return "without a scheduler for an unknown time"
        case None, most:
            return f"without a scheduler for at most {most} s"
        case least, None:
            return f"without a scheduler for at least {least} s"
        case least, most:
            return f"without a scheduler for {least} to {most} s"


def who_text(update: Update) -> str:
    """Who is known to have to do with it, and whether it was held to a plan."""
    commit = update.commit[:SHORT_COMMIT] + (" and more" if update.is_dirty else "")
    known = (
        f"commit {commit}" if commit else "outside of git",
        f"written by {update.author}" if update.author else "",
        update.run_url,
        {True: "a saved plan", False: "without a plan", None: ""}[update.held_to_a_plan],
    )
    return ", ".join(each for each in known if each)


def nodes_text(nodes: tuple[NodeMove, ...]) -> Iterator[str]:
    """How many nodes came and went, by pool."""
    counts = Counter((each.what, each.pool) for each in nodes)
    for (what, pool), count in sorted(counts.items()):
        of_pool = f" of {pool}" if pool else ""
        noun = "node" if count == 1 else "nodes"
        yield f"{count} {noun}{of_pool} {what}"
