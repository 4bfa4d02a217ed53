"""The rehearsal's binaries: etcd, Kubernetes, kwok, Helm, Pulumi, each in its pinned version."""

from rehearsal.toolchain.binaries import Binaries, Origin, Tool, ensure_toolchain
from rehearsal.toolchain.errors import ToolchainError

__all__ = ["Binaries", "Origin", "Tool", "ToolchainError", "ensure_toolchain"]
