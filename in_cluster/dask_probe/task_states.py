"""What the scheduler says of tasks. This file is sent as text: it stands alone."""

import json


def states(*keys: str) -> str:
    """Return, by key, the state of those tasks that the scheduler knows."""
    from distributed.scheduler import Scheduler  # noqa: PLC0415 - only there it is one

    (scheduler,) = Scheduler._instances  # noqa: SLF001 - there is no other way to it
    known = [scheduler.tasks[key] for key in keys if key in scheduler.tasks]
    return json.dumps(
        {
            task.key: {
                "state": task.state,
                "queue": len(task.processing_on.processing) - 1 if task.processing_on else 0,
            }
            for task in known
        }
    )
