"""The machine that the toolchain is for, in Go's words."""

import platform
import sys
from dataclasses import dataclass

from rehearsal.toolchain.errors import ToolchainError

GO_ARCHITECTURES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
GO_SYSTEMS = {"linux": "linux", "darwin": "darwin"}


@dataclass(frozen=True, kw_only=True)
class Host:
    """Operating system and processor as Go spells them (`GOOS`, `GOARCH`)."""

    system: str
    architecture: str

    @classmethod
    def this_machine(cls) -> "Host":
        """Read the running machine.

        Raises:
            ToolchainError: the rehearsal knows Linux and macOS on amd64 and arm64 only.

        """
        machine = platform.machine().lower()
        if sys.platform not in GO_SYSTEMS or machine not in GO_ARCHITECTURES:
            raise ToolchainError(
                f"The rehearsal runs on Linux and macOS, amd64 or arm64; this machine is "
                f"{sys.platform} on {machine}. Use one of those (on Windows: WSL 2)."
            )
        return cls(system=GO_SYSTEMS[sys.platform], architecture=GO_ARCHITECTURES[machine])
