"""The process side of a plugin: a loopback port, its number on stdout, then serve until stopped."""

import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import grpc
from pulumi.runtime.proto import provider_pb2_grpc

from rehearsal.providers.protocol.engine_log import EngineLog
from rehearsal.providers.protocol.provider import Provider
from rehearsal.providers.protocol.servicer import ProviderServicer

_WORKERS: Final = 64
"""More than any `--parallel` in use: a waiting Create must not keep Cancel from being heard."""

_MAX_MESSAGE_BYTES: Final = 400 * 1024 * 1024
"""The engine's own limit (pulumi `sdk/go/common/util/rpcutil`)."""

_PARENT_CHECK_S: Final = 1


def start_server(provider: Provider, log: EngineLog) -> tuple[grpc.Server, int]:
    """Start a server; return it and its port on 127.0.0.1."""
    server = grpc.server(
        ThreadPoolExecutor(max_workers=_WORKERS),
        options=[
            ("grpc.max_receive_message_length", _MAX_MESSAGE_BYTES),
            ("grpc.max_send_message_length", _MAX_MESSAGE_BYTES),
        ],
    )
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(
        ProviderServicer(provider, log), server
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, port


def main(provider: Provider) -> None:
    """Run as the engine runs plugins, `<executable> [engine address]`, and end with the engine.

    The engine asks a plugin to end by SIGINT and waits 5 s before it kills. Ctrl-C in a terminal
    is no SIGINT here: plugins are in process groups of their own, and hear of it by Cancel.
    """
    ended = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: ended.set())
    engine = os.getppid()
    log = EngineLog(sys.argv[1] if len(sys.argv) > 1 else None)
    server, port = start_server(provider, log)
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    # A killed engine cannot stop its plugins, and another parent means that it is gone.
    while not ended.wait(timeout=_PARENT_CHECK_S) and os.getppid() == engine:
        pass
    server.stop(grace=None)
    # Calls that still wait run in threads that would keep the process alive.
    os._exit(0)
