"""A scheduler of distributed that answers every client with an object of the attacker.

Runs as ``python -m tests.attacks.hostile_scheduler CODE [HOST PORT]``: what is unpickled is
``exec(CODE)``. It prints its address and stays.
"""

import asyncio
import sys

from distributed import Scheduler
from distributed.protocol.serialize import ToPickle

from tests.attacks.lies import Code


async def _serve(code: str, host: str = "127.0.0.1", port: str = "0") -> None:
    async with Scheduler(host=host, port=int(port), dashboard=False) as scheduler:
        scheduler.handlers["identity"] = lambda **_: {"type": ToPickle(Code(code))}
        sys.stdout.write(f"{scheduler.address}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


asyncio.run(_serve(*sys.argv[1:]))
