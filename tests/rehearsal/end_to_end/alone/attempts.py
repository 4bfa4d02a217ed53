"""What tries to leave the machine: names that are asked for, and addresses that are dialled.

For a network namespace of one's own: everything is routed to its loopback, so nothing can get out,
and a packet whose destination is no loopback address is an attempt.
"""

import ctypes
import socket
import struct
import threading
from collections.abc import Callable
from typing import Final

DNS_PORT: Final = 53
_NO_SUCH_NAME: Final = 0x8183
_HEADER: Final = struct.Struct("!HHHHHH")

_ETHERNET_BYTES: Final = 14
_ALL_PROTOCOLS: Final = 3
_SO_ATTACH_FILTER: Final = 26
_TCP, _UDP = 6, 17
_SYN, _ACK = 0x02, 0x10

_LEAVES: Final = (
    # (code, jump if true, jump if false, operand) of classic BPF.
    (0x28, 0, 0, 12),  # the frame's type
    (0x15, 0, 2, 0x0800),  # IPv4, or on to IPv6
    (0x30, 0, 0, 30),  # first byte of the destination
    (0x15, 7, 8, 127),
    (0x15, 0, 6, 0x86DD),
    (0x20, 0, 0, 38),
    (0x15, 0, 5, 0),
    (0x20, 0, 0, 42),
    (0x15, 0, 3, 0),
    (0x20, 0, 0, 50),  # ::1 ends in this
    (0x15, 0, 1, 1),
    (0x06, 0, 0, 0),  # drop: it stays on loopback
    (0x06, 0, 0, 256),  # keep: it would leave
)


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def write_down(attempt: Callable[[str], None]) -> None:
    """Report each attempt from now on, in the background; the resolver knows no name at all."""
    for listen, to in ((_answer_names, _resolver()), (_watch_packets, _packets_that_leave())):
        threading.Thread(target=listen, args=(to, attempt), daemon=True).start()


def _resolver() -> socket.socket:
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", DNS_PORT))
    return server


def _packets_that_leave() -> socket.socket:
    everything = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ALL_PROTOCOLS))
    code = b"".join(struct.pack("HBBI", *each) for each in _LEAVES)
    kept = ctypes.create_string_buffer(code, len(code))
    program = _Filter(len(_LEAVES), ctypes.cast(kept, ctypes.c_void_p))
    everything.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, bytes(program))
    everything.bind(("lo", 0))
    return everything


def _answer_names(server: socket.socket, attempt: Callable[[str], None]) -> None:
    while True:
        question, client = server.recvfrom(4096)
        attempt(f"name {name_of(question)}")
        number, *_ = _HEADER.unpack_from(question)
        answer = _HEADER.pack(number, _NO_SUCH_NAME, 1, 0, 0, 0) + _asked(question)
        server.sendto(answer, client)


def _watch_packets(everything: socket.socket, attempt: Callable[[str], None]) -> None:
    while True:
        if said := dialled(everything.recv(256)[_ETHERNET_BYTES:]):
            attempt(said)


def name_of(question: bytes) -> str:
    """Read the name that a DNS question is about."""
    labels, at = [], _HEADER.size
    while length := question[at]:
        labels.append(question[at + 1 : at + 1 + length].decode("ascii", "replace"))
        at += 1 + length
    return ".".join(labels)


def _asked(question: bytes) -> bytes:
    end = question.index(b"\0", _HEADER.size) + 5  # the name's end, its type and its class
    return question[_HEADER.size : end]


def dialled(packet: bytes) -> str | None:
    """Say where a packet wants to open something; None for an answer or what follows."""
    if packet[0] >> 4 == 4:
        protocol, at = packet[9], (packet[0] & 0x0F) * 4
        to = socket.inet_ntop(socket.AF_INET, packet[16:20])
    else:
        protocol, at = packet[6], 40
        to = socket.inet_ntop(socket.AF_INET6, packet[24:40])
    if protocol == _TCP and packet[at + 13] & (_SYN | _ACK) == _SYN:
        name = "tcp"
    elif protocol == _UDP:
        name = "udp"
    else:
        return None
    (port,) = struct.unpack_from("!H", packet, at + 2)
    return f"{name} {to}:{port}"
