"""Progress lines shown by the engine beside the resource that is being worked on."""

import grpc
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc


class EngineLog:
    """A connection to the engine that started this provider; silent without one."""

    def __init__(self, address: str | None = None) -> None:
        self._engine: engine_pb2_grpc.EngineStub | None = None
        if address:
            self.connect(address)

    def connect(self, address: str) -> None:
        """Send from now on to the engine at this address."""
        self._engine = engine_pb2_grpc.EngineStub(grpc.insecure_channel(address))

    def status(self, urn: str, text: str) -> None:
        """Show a line that the next one replaces."""
        if self._engine is not None:
            self._engine.Log(
                engine_pb2.LogRequest(
                    severity=engine_pb2.INFO, message=text, urn=urn, ephemeral=True
                )
            )
