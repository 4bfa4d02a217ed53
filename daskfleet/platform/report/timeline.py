"""The timeline of `up`: a row for each thing that people know, bars for the work on it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from daskfleet.platform.report.words import listed, moment, seconds
from rehearsal.timeline.model import Span, Timeline

TICKS_AT_MOST = 7
NAMED_AT_MOST = 5
OF_TEAM = "team "
"""So begin the groups of teams: ``Span.group``."""

ROUND_STEPS_S = (0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600)


@dataclass(frozen=True, kw_only=True)
class Bar:
    """Work on one resource as it is drawn."""

    number: int
    """By start."""
    name: str
    left_percent: float
    width_percent: float
    is_critical: bool
    start: str
    end: str
    took: str
    waited_for: str
    """What it waited for and nothing of this waited for."""
    causes: tuple[int, ...]
    """The numbers of those."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """Everything of one group."""

    group: str
    team: str
    """Whose it is; empty for what all teams need."""
    bars: tuple[Bar, ...]
    lanes: int
    """Bars of one lane do not overlap."""
    critical_lines: str
    """The bars on the critical path as the data of an SVG path, 100 wide and ``lanes`` high."""
    other_lines: str
    start: str
    end: str
    took: str
    is_critical: bool
    waited_for: str
    beside: str
    """Groups that were worked on at the same time."""


@dataclass(frozen=True, kw_only=True)
class Tick:
    """A mark on the axis."""

    left_percent: float
    text: str


@dataclass(frozen=True, kw_only=True)
class CriticalStep:
    """A piece of the path that `up` was as long as."""

    group: str
    took: str


@dataclass(frozen=True, kw_only=True)
class Necessary:
    """A step that no order avoids."""

    name: str
    took: str
    source: str


@dataclass(frozen=True, kw_only=True)
class TimelineChart:
    """The whole timeline."""

    up: str
    rows: tuple[Row, ...]
    ticks: tuple[Tick, ...]
    critical: tuple[CriticalStep, ...]
    at_once: int
    """The most resources that were worked on at one moment."""
    necessary: tuple[Necessary, ...]
    necessary_total: str
    verdict: str


def timeline_of(timeline: Timeline) -> TimelineChart:
    """Draw every span once, groups by when they began."""
    length_s = max([timeline.up_s, *(span.end_s for span in timeline.spans)])
    numbers = {span.urn: number for number, span in enumerate(timeline.spans, start=1)}
    by_urn = {span.urn: span for span in timeline.spans}
    direct = _direct_causes(timeline.spans)
    groups: dict[str, list[Span]] = {}
    for span in sorted(timeline.spans, key=lambda span: span.start_s):
        groups.setdefault(span.group, []).append(span)
    return TimelineChart(
        up=seconds(timeline.up_s),
        rows=tuple(
            _row(group, groups, by_urn, direct, numbers, length_s=length_s) for group in groups
        ),
        ticks=tuple(_ticks(length_s)),
        critical=tuple(
            CriticalStep(group=stretch.group, took=seconds(stretch.duration_s))
            for stretch in timeline.critical_path
        ),
        at_once=_most_at_once(timeline.spans),
        necessary=tuple(
            Necessary(name=step.name, took=seconds(step.duration_s), source=step.source)
            for step in timeline.necessary
        ),
        necessary_total=seconds(timeline.necessary_s),
        verdict=_verdict(timeline),
    )


def _row(
    group: str,
    groups: Mapping[str, Sequence[Span]],
    by_urn: Mapping[str, Span],
    direct: Mapping[str, Sequence[str]],
    numbers: Mapping[str, int],
    *,
    length_s: float,
) -> Row:
    own = groups[group]
    start_s, end_s = own[0].start_s, max(span.end_s for span in own)
    lanes = _lanes(own)
    awaited = dict.fromkeys(
        by_urn[urn].group for span in own for urn in span.waits_for if urn in by_urn
    )
    beside = tuple(
        name
        for name, spans in groups.items()
        if name != group and any(span.start_s < end_s and start_s < span.end_s for span in spans)
    )
    return Row(
        group=group,
        team=group.removeprefix(OF_TEAM) if group.startswith(OF_TEAM) else "",
        bars=tuple(_bar(span, by_urn, direct, numbers, length_s) for span in own),
        lanes=max(lanes) + 1,
        critical_lines=_lines(own, lanes, length_s, critical=True),
        other_lines=_lines(own, lanes, length_s, critical=False),
        start=moment(start_s),
        end=moment(end_s),
        took=seconds(end_s - start_s),
        is_critical=any(span.is_critical for span in own),
        waited_for=_some(tuple(name for name in awaited if name != group)),
        beside=_some(beside),
    )


def _bar(
    span: Span,
    by_urn: Mapping[str, Span],
    direct: Mapping[str, Sequence[str]],
    numbers: Mapping[str, int],
    length_s: float,
) -> Bar:
    causes = [by_urn[urn] for urn in direct[span.urn]]
    return Bar(
        number=numbers[span.urn],
        name=span.name,
        left_percent=_percent(span.start_s, length_s),
        width_percent=_percent(_took_s(span), length_s),
        is_critical=span.is_critical,
        start=moment(span.start_s),
        end=moment(span.end_s),
        took=seconds(_took_s(span)),
        waited_for=listed(tuple(cause.name for cause in causes)),
        causes=tuple(numbers[cause.urn] for cause in causes),
    )


def _direct_causes(spans: Iterable[Span]) -> Mapping[str, Sequence[str]]:
    """Return what each span waited for and nothing else of this waited for in its turn."""
    in_turn = sorted(spans, key=lambda span: span.start_s)
    known = {span.urn for span in in_turn}
    direct: dict[str, Sequence[str]] = {}
    before: dict[str, set[str]] = {}
    for span in in_turn:
        awaited = [urn for urn in span.waits_for if urn in known]
        earlier = set().union(*(before.get(urn, ()) for urn in awaited))
        direct[span.urn] = [urn for urn in awaited if urn not in earlier]
        before[span.urn] = earlier | set(awaited)
    return direct


def _lines(spans: Sequence[Span], lanes: Sequence[int], length_s: float, *, critical: bool) -> str:
    return "".join(
        f"M{_percent(span.start_s, length_s):g} {lane}.5h{_percent(_took_s(span), length_s):g}"
        for span, lane in zip(spans, lanes, strict=True)
        if span.is_critical is critical
    )


def _some(names: tuple[str, ...]) -> str:
    """Join names; of many, the first ones and how many more there are."""
    if len(names) <= NAMED_AT_MOST:
        return listed(names)
    return f"{', '.join(names[:NAMED_AT_MOST])} and {len(names) - NAMED_AT_MOST} more"


def _lanes(spans: Iterable[Span]) -> list[int]:
    """Give each span, by start, the first lane that is free again."""
    free_from: list[float] = []
    lanes = []
    for span in spans:
        lane = next((i for i, end_s in enumerate(free_from) if end_s <= span.start_s), None)
        if lane is None:
            lane = len(free_from)
            free_from.append(0)
        free_from[lane] = span.end_s
        lanes.append(lane)
    return lanes


def _ticks(length_s: float) -> Iterable[Tick]:
    step_s = next(
        (step for step in ROUND_STEPS_S if length_s / step <= TICKS_AT_MOST), ROUND_STEPS_S[-1]
    )
    for number in range(int(length_s / step_s) + 1):
        at_s = number * step_s
        yield Tick(left_percent=_percent(at_s, length_s), text=f"{at_s:g} s" if number else "0")


def _most_at_once(spans: Sequence[Span]) -> int:
    changes = sorted([(span.start_s, 1) for span in spans] + [(span.end_s, -1) for span in spans])
    now = most = 0
    for _, change in changes:
        now += change
        most = max(most, now)
    return most


def _verdict(timeline: Timeline) -> str:
    took = f"`up` took {seconds(timeline.up_s)}"
    if timeline.ratio is None:
        return (
            f"{took}. With --latency {timeline.latency} Google's durations are left out, so no "
            "step of it was necessary, and the order is what there is to see."
        )
    return (
        f"{took}, {timeline.ratio:.2f} times the {seconds(timeline.necessary_s)} that no order "
        f"avoids (--latency {timeline.latency})."
    )


def _took_s(span: Span) -> float:
    return span.end_s - span.start_s


def _percent(part_s: float, length_s: float) -> float:
    return round(100 * part_s / length_s, 2) if length_s else 0
