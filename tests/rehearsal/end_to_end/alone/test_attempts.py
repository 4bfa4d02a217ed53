"""Unit: what packets and questions say of where somebody wanted to go."""

import socket
import struct

import pytest

from tests.rehearsal.end_to_end.alone.attempts import dialled, name_of

SYN, SYN_ACK = 0x02, 0x12
TCP, UDP, ICMP = 6, 17, 1


def packet(to: str, protocol: int, *, port: int = 443, flags: int = SYN) -> bytes:
    ports = struct.pack("!HH", 50_000, port)
    rest = ports + bytes(8) + bytes([0x50, flags])
    if ":" in to:
        ends = bytes(16) + socket.inet_pton(socket.AF_INET6, to)
        return bytes([0x60, 0, 0, 0, 0, 0, protocol, 64]) + ends + rest
    ends = bytes(4) + socket.inet_aton(to)
    return bytes([0x45, *bytes(8), protocol, 0, 0]) + ends + rest


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (packet("169.254.169.254", TCP, port=80), "tcp 169.254.169.254:80"),
        (packet("2001:db8::1", TCP), "tcp 2001:db8::1:443"),
        (packet("192.0.2.1", UDP, port=53), "udp 192.0.2.1:53"),
        (packet("192.0.2.1", TCP, flags=SYN_ACK), None),
        (packet("192.0.2.1", ICMP), None),
    ],
)
def test_what_opens_something_is_an_attempt(seen: bytes, said: str | None) -> None:
    assert dialled(seen) == said


def test_a_question_tells_its_name() -> None:
    question = bytes(12) + b"\x09container\x0agoogleapis\x03com\x00" + struct.pack("!HH", 1, 1)
    assert name_of(question) == "container.googleapis.com"
