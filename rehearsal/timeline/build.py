"""The timeline of one `up`, from what the engine said and what its state holds afterwards."""

from rehearsal.emulator import Latency
from rehearsal.timeline.model import Timeline
from rehearsal.timeline.necessary import necessary_steps
from rehearsal.timeline.spans import spans_of
from rehearsal.timeline.state import read_state
from rehearsal.timeline.step_times import StepTimes


def build_timeline(
    times: StepTimes, *, state: str, latency: Latency, latency_text: str
) -> Timeline | None:
    """Return the timeline; None of an `up` that changed nothing.

    Args:
        times: the engine's steps.
        state: what ``pulumi stack export`` prints after the `up`.
        latency: the emulator's durations.
        latency_text: the same as the user gave them.

    """
    if not times.worked:
        return None
    resources = read_state(state)
    spans = spans_of(times.worked, resources)
    return Timeline(
        latency=latency_text,
        spans=spans,
        up_s=max(span.end_s for span in spans),
        necessary=necessary_steps(latency, times.worked, resources),
    )
