"""The figures on a terminal: medians, with the least and the most of all runs."""

from collections.abc import Sequence
from itertools import pairwise

from rich import box
from rich.console import Console
from rich.table import Table

from bench.bring_up import BringUpResult, BringUpRow
from bench.fidelity import FidelityResult, Share
from bench.planning import PlanningResult
from bench.preview import PreviewResult, PreviewRow
from bench.process_tree import Usage
from bench.record import Conditions, Record
from bench.rehearsal_up import RehearsalResult
from bench.review import ReviewResult
from bench.rollouts import RolloutResult
from bench.spread import Spread

PREVIEW_AIM = "aim: 10 teams within 1.5 x of the floor; linear in teams"
PLANNING_AIM = "aim: settings + planning under 100 ms for 100 teams"
REHEARSAL_AIM = "aim: after the toolchain under 120 s"
REVIEW_AIM = "aim: 5,000 resources under 2 s and 300 MiB"
BRING_UP_AIM = "aim: within 1.1 x of what no order avoids"
FIDELITY_AIM = "aim: all of it; the list of what does not agree is rehearsal/emulator/fidelity.md"
ROLLOUT_AIM = "aim: none unserved with blue-green"
MS_PER_S = 1000
PREVIEW_COLUMNS = (
    "teams",
    "program",
    "resources",
    "wall s",
    "CPU s",
    "peak MiB",
    "wall/floor",
    "CPU/floor",
    "others",
)
PREVIEW_LEGEND = """\
fleet: this program; its components count apart. bare GKE: network, cluster and pools by hand, and
ConfigMaps. floor: service accounts and ConfigMaps. others: what else had the machine meanwhile."""


def render_previews(record: Record[PreviewResult], console: Console) -> None:
    """Print the fleet's previews above those of its floors."""
    table = new_table(*PREVIEW_COLUMNS)
    for row in record.result.rows:
        _preview_rows(table, row, cores=record.conditions.machine.cores)
        table.add_section()
    head("pulumi preview", PREVIEW_AIM, record.conditions, console)
    console.print(table)
    console.print(PREVIEW_LEGEND)
    console.print(_growth(record.result.rows))
    for part in record.result.providers:
        kind = "real" if part.is_real else "stand-in"
        console.print(f"{part.part}: {kind} ({part.what_ran})", soft_wrap=True)


def render_fidelity(record: Record[FidelityResult], console: Console) -> None:
    """Print how much of what Google answers the emulator answers, by resource."""
    table = new_table("resource", "requests", "status codes", "answer fields")
    for name, agreement in [*record.result.resources.items(), ("all", record.result.total())]:
        shares = (agreement.requests, agreement.statuses, agreement.fields)
        table.add_row(name, *map(_of, shares))
    head("the emulator beside Google", FIDELITY_AIM, record.conditions, console)
    console.print(table)


def render_planning(record: Record[PlanningResult], console: Console) -> None:
    """Print what reading and planning take."""
    table = new_table("teams", "imports ms", "settings ms", "planning ms", "settings + planning ms")
    for row in record.result.rows:
        columns = (
            [run.import_s for run in row.runs],
            [run.settings_s for run in row.runs],
            [run.planning_s for run in row.runs],
            [run.settings_and_planning_s for run in row.runs],
        )
        cells = [Spread.of(s * MS_PER_S for s in column).text(0) for column in columns]
        table.add_row(str(row.teams), *cells)
    head("settings and planning", PLANNING_AIM, record.conditions, console)
    console.print(table)


def render_reviews(record: Record[ReviewResult], console: Console) -> None:
    """Print what a review of a large preview takes."""
    table = new_table(
        "change", "MB", "steps", "read + judge + write s", "wall s", "CPU s", "peak MiB"
    )
    for row in record.result.rows:
        parts = zip(*((run.read_s, run.assess_s, run.markdown_s) for run in row.runs), strict=True)
        table.add_row(
            row.change,
            f"{row.stream_mb:.0f}",
            str(row.runs[0].steps),
            " + ".join(f"{Spread.of(part).median:.2f}" for part in parts),
            Spread.of(run.total_s for run in row.runs).text(2),
            Spread.of(run.cpu_s for run in row.runs).text(2),
            Spread.of(run.peak_mib for run in row.runs).text(0),
        )
    title = f"review of {record.result.resources:,} resources"
    head(title, REVIEW_AIM, record.conditions, console)
    console.print(table)


def render_rehearsals(record: Record[RehearsalResult], console: Console) -> None:
    """Print the steps of a rehearsal."""
    runs = record.result.runs
    table = new_table("step", "s")
    for number, step in enumerate(runs[0].steps):
        seconds = Spread.of(run.steps[number].duration_s for run in runs)
        table.add_row(step.name, seconds.text(1))
    table.add_section()
    table.add_row("after the toolchain", Spread.of(run.after_toolchain_s for run in runs).text(1))
    head("daskfleet rehearse up", REHEARSAL_AIM, record.conditions, console)
    console.print(table)
    if looked := [run.at_rest_percent for run in runs if run.at_rest_percent is not None]:
        console.print(f"at rest it takes {Spread.of(looked).text(0)} % of one core")
    for part in record.result.stage:
        if not part.is_real:
            console.print(f"stood in: {part.part} ({part.what_ran})", soft_wrap=True)


def render_rollouts(record: Record[RolloutResult], console: Console) -> None:
    """Print how long a team's address leads nowhere."""
    table = new_table("rollout", "images", "without a ready scheduler s", "pulumi up s")
    for row in record.result.rows:
        unserved = Spread.of(run.unserved_s for run in row.runs).text(2)
        up = Spread.of(run.up_s for run in row.runs).text(1)
        table.add_row(row.kind, str(len(row.runs)), unserved, up)
    head("a team's new image", ROLLOUT_AIM, record.conditions, console)
    console.print(table)
    for part in record.result.stage:
        if not part.is_real:
            console.print(f"stood in: {part.part} ({part.what_ran})", soft_wrap=True)


def render_bring_up(record: Record[BringUpResult], console: Console) -> None:
    """Print how long each way to a fleet takes, and its parts."""
    table = new_table("way", "runs", "to ready pods s", "necessary s", "ratio")
    for row in record.result.rows:
        whole = Spread.of(run.whole_s for run in row.runs)
        table.add_row(
            row.way,
            str(len(row.runs)),
            whole.text(1),
            f"{row.necessary_s:.1f}" if row.necessary else "",
            Spread.of(run.whole_s / row.necessary_s for run in row.runs).text(2)
            if row.necessary
            else "",
        )
    title = f"from nothing to ready pods, Google's durations {record.result.latency}"
    head(title, BRING_UP_AIM, record.conditions, console)
    console.print(table)
    for row in record.result.rows:
        console.print(f"{row.way}: {_parts(row)}", soft_wrap=True)
    for part in record.result.stage:
        if not part.is_real:
            console.print(f"stood in: {part.part} ({part.what_ran})", soft_wrap=True)


def _parts(row: BringUpRow) -> str:
    """Return the parts of the run in the middle: parts of several runs do not add up."""
    run = sorted(row.runs, key=lambda each: each.whole_s)[(len(row.runs) - 1) // 2]
    return ", ".join(f"{part.name} {part.duration_s:.1f}" for part in run.parts)


def _preview_rows(table: Table, row: PreviewRow, *, cores: int) -> None:
    count = row.resources.google + row.resources.kubernetes
    programs = (
        ("fleet", row.fleet, f"{count} + {row.resources.components}"),
        ("bare GKE", row.gke_floor, f"{count}"),
        ("floor", row.floor, f"{count}"),
    )
    for name, usages, resources in programs:
        table.add_row(
            str(row.teams) if usages is row.fleet else "",
            name,
            resources,
            Spread.of(usage.wall_s for usage in usages).text(1),
            Spread.of(usage.cpu_s for usage in usages).text(1),
            f"{Spread.of(usage.peak_memory_mib for usage in usages).median:.0f}",
            f"{_wall_s(usages) / _wall_s(row.floor):.2f}",
            f"{_cpu_s(usages) / _cpu_s(row.floor):.2f}",
            f"{_others(usages, cores):.0%}",
        )


def _growth(rows: Sequence[PreviewRow]) -> str:
    parts = []
    for few, many in pairwise(rows):
        more = many.teams - few.teams
        fleet_s = (_cpu_s(many.fleet) - _cpu_s(few.fleet)) / more
        floor_s = (_cpu_s(many.floor) - _cpu_s(few.floor)) / more
        parts.append(f"{few.teams} to {many.teams} teams {fleet_s:.3f} (floor {floor_s:.3f})")
    return f"CPU seconds for one more team: {', '.join(parts)}"


def _others(usages: Sequence[Usage], cores: int) -> float:
    """Return the share of the machine that something else had during the runs."""
    return Spread.of(usage.foreign_cpu_s / (usage.wall_s * cores) for usage in usages).median


def _wall_s(usages: Sequence[Usage]) -> float:
    return Spread.of(usage.wall_s for usage in usages).median


def _cpu_s(usages: Sequence[Usage]) -> float:
    return Spread.of(usage.cpu_s for usage in usages).median


def head(title: str, aim: str, conditions: Conditions, console: Console) -> None:
    """Print what was measured, when, and on what."""
    machine = conditions.machine
    console.print(f"\n[bold]{title}[/bold] ({aim})")
    console.print(
        f"{conditions.measured_at:%Y-%m-%d %H:%M} UTC, load before {machine.load_1_min}, "
        f"{machine.cores} cores of {machine.processor}, {machine.memory_gib:g} GiB, "
        f"{machine.system}",
        soft_wrap=True,
    )
    versions = ", ".join(f"{name} {version}" for name, version in conditions.versions.items())
    console.print(versions, soft_wrap=True, style="dim")


def new_table(*columns: str) -> Table:
    """Return a table whose numbers stand on the right."""
    table = Table(box=box.SIMPLE_HEAD)
    for column in columns:
        is_text = column in {"change", "command", "program", "resources", "rollout", "step", "way"}
        table.add_column(column, justify="left" if is_text else "right", no_wrap=True)
    return table


def _of(share: Share) -> str:
    return f"{share.agree} of {share.of}"
