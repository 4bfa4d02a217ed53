"""Addresses of pods on this machine: every pod has one of its own, and every rehearsal a block.

All of 127.0.0.0/8 is loopback on Linux, without any set-up. Elsewhere (macOS) it is 127.0.0.1
alone, and two schedulers cannot both listen on its port 8786.
"""

import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from rehearsal.dask_pods.model import PodAddress

POD_NETWORK = "198.18"
"""Beginning of what pods are called in the Kubernetes API; see ``PodAddress``."""

BLOCKS = tuple(range(1, 255))
"""127.0 is what everybody else uses."""

CLAIM_PORT = 8786
NOBODY = "255.254"
"""The address of a block where nothing listens: connections to it are refused at once."""
CLAIM = "255.253"

ADDRESSES = 250 * 250


class NoLoopbackBlockError(Exception):
    """This machine has no addresses for pods."""


class AddressBlock:
    """127.B.0.0/16, for the pods of one control plane."""

    def __init__(self, block: int) -> None:
        self._block = block
        self._held: dict[str, int] = {}
        self._next = 0

    @property
    def nobody(self) -> str:
        """An address where connections are refused."""
        return f"127.{self._block}.{NOBODY}"

    def of(self, uid: str) -> PodAddress:
        """Return the address of a pod, the same one until it is released.

        An address that was released is the last to be given again: a peer may still be trying it.
        """
        if uid not in self._held:
            taken = set(self._held.values())
            while self._next in taken:
                self._next = (self._next + 1) % ADDRESSES
            self._held[uid] = self._next
            self._next = (self._next + 1) % ADDRESSES
        high, low = divmod(self._held[uid], 250)
        return PodAddress(
            pod_ip=f"{POD_NETWORK}.{high}.{low + 1}",
            loopback=f"127.{self._block}.{high}.{low + 1}",
        )

    def keep(self, uid: str, pod_ip: str) -> None:
        """Hold the address that a pod has had from an earlier block, in this one.

        Kubernetes lets a pod have one address of a family in its life.
        """
        high, low = (int(part) for part in pod_ip.split(".")[2:])
        number = high * 250 + low - 1
        if number not in self._held.values():
            self._held.setdefault(uid, number)

    def release(self, uid: str) -> None:
        """Take back the address of a pod that is gone."""
        self._held.pop(uid, None)


@contextmanager
def claimed_block() -> Iterator[AddressBlock]:
    """Hold a block that no other rehearsal of this machine holds.

    The kernel gives it back when its holder ends, however it ends.

    Raises:
        NoLoopbackBlockError: this machine has none.

    """
    for block in random.sample(BLOCKS, k=len(BLOCKS)):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as held:
            try:
                held.bind((f"127.{block}.{CLAIM}", CLAIM_PORT))
            except OSError:
                continue
            yield AddressBlock(block)
            return
    raise NoLoopbackBlockError(
        "this machine has no addresses in 127.0.0.0/8 but 127.0.0.1, or other rehearsals hold all"
    )


def has_loopback_blocks() -> bool:
    """Whether processes of this machine can each have a loopback address of their own."""
    try:
        with claimed_block():
            return True
    except NoLoopbackBlockError:
        return False
