"""Review one event stream in a fresh interpreter: ``python -m bench.review_probe STREAM FILE``."""

import resource
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from bench.review import ReviewRun
from daskfleet.planning.fleet import plan_draft
from daskfleet.platform.review.assess import assess
from daskfleet.platform.review.markdown.comment import comment
from daskfleet.platform.review.read import read_preview
from daskfleet.settings.stack_file import read_stack_file

KIB_PER_MIB = 1024


def _probe(stream: Path, stack_file: Path) -> ReviewRun:
    plan = plan_draft(read_stack_file(stack_file))
    began, began_cpu = time.perf_counter(), time.process_time()
    with stream.open(encoding="utf-8") as lines:
        preview = read_preview(lines)
    read = time.perf_counter()
    made_at = datetime.now(tz=UTC)
    review = assess(preview, plan, commit="", made_at=made_at, allowed=frozenset())
    assessed = time.perf_counter()
    text = comment(review)
    return ReviewRun(
        read_s=read - began,
        assess_s=assessed - read,
        markdown_s=time.perf_counter() - assessed,
        cpu_s=time.process_time() - began_cpu,
        peak_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KIB_PER_MIB,
        steps=len(preview.steps),
        characters=len(text),
    )


if __name__ == "__main__":
    print(_probe(Path(sys.argv[1]), Path(sys.argv[2])).model_dump_json())  # noqa: T201 - read by the caller
