"""The process side of a plugin: a loopback port, its number on stdout, then serve until stopped."""

import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
from pulumi.runtime.proto import provider_pb2_grpc

from rehearsal.providers.protocol.engine_log import EngineLog
from rehearsal.providers.protocol.provider import Provider
from rehearsal.providers.protocol.servicer import ProviderServicer

_WORKERS = 64
"""More than any `--parallel` in use: a waiting Create must not keep Cancel from being heard."""

_MAX_MESSAGE_BYTES = 400 * 1024 * 1024
"""The engine's own limit (pulumi `sdk/go/common/util/rpcutil`)."""


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
    """Run as the engine runs plugins: `<executable> [engine address]`, until SIGINT.

    That is how the engine ends a plugin; one that takes longer than a second is killed.
    """
    ended = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: ended.set())
    log = EngineLog(sys.argv[1] if len(sys.argv) > 1 else None)
    server, port = start_server(provider, log)
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    ended.wait()
    server.stop(grace=None)
