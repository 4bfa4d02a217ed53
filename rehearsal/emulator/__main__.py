"""Serve the emulator without Kubernetes, to play with: ``python -m rehearsal.emulator``."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
from pathlib import Path

from rehearsal.emulator import Emulator, Latency, NoKubernetes


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m rehearsal.emulator", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="loopback port; 0: a free one")
    parser.add_argument(
        "--request-log", type=Path, default=Path("requests.jsonl"), help="JSON lines file"
    )
    parser.add_argument(
        "--latency-divisor",
        type=float,
        help="follow documented durations divided by this number; default: as fast as possible",
    )
    return parser.parse_args()


async def _serve(arguments: argparse.Namespace) -> None:
    divisor = arguments.latency_divisor
    emulator = Emulator(
        backend=NoKubernetes(),
        latency=Latency.fast() if divisor is None else Latency.scaled(divisor),
        request_log=arguments.request_log,
    )
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signal_number, stopping.set)
    await emulator.start(port=arguments.port)
    print(emulator.base_url, flush=True)  # noqa: T201 - callers read the address from here
    try:
        await stopping.wait()
    finally:
        await emulator.stop()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    asyncio.run(_serve(_arguments()))
