"""Unit: every rehearsal has a block of loopback addresses, and every pod one of its own."""

import socket

import pytest

from rehearsal.dask_pods import addresses
from rehearsal.dask_pods.addresses import (
    AddressBlock,
    NoLoopbackBlockError,
    claimed_block,
    has_loopback_blocks,
)


def test_two_rehearsals_never_hold_the_same_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "BLOCKS", (201, 202))
    with claimed_block() as first, claimed_block() as second:
        assert {first.nobody, second.nobody} == {"127.201.255.254", "127.202.255.254"}
        with pytest.raises(NoLoopbackBlockError), claimed_block():
            pass
    assert has_loopback_blocks()


def test_a_pod_keeps_its_address_and_no_other_has_it() -> None:
    block = AddressBlock(77)
    first = block.of("a")
    assert (first.pod_ip, first.loopback) == ("198.18.0.1", "127.77.0.1")
    assert block.of("b").loopback == "127.77.0.2"
    assert block.of("a") == first


def test_an_address_that_was_released_is_given_again_last() -> None:
    block = AddressBlock(77)
    block.of("a")
    block.release("a")
    assert block.of("b").loopback == "127.77.0.2"


def test_a_pod_of_an_earlier_block_has_its_address_in_this_one_and_no_new_pod_gets_it() -> None:
    earlier, block = AddressBlock(77), AddressBlock(78)
    far = 250
    had = [earlier.of(str(number)).pod_ip for number in range(far + 2)]
    block.keep("far", had[far])
    block.keep("near", had[1])
    block.keep("near", had[0])  # it is known by now
    block.keep("double", had[1])
    assert block.of("far").pod_ip == had[far] == "198.18.1.1"
    assert block.of("near").loopback == "127.78.0.2"
    assert block.of("double").loopback == "127.78.0.1"
    assert block.of("new").loopback == "127.78.0.3"


def test_connections_to_nobody_are_refused_at_once() -> None:
    with claimed_block() as block, socket.socket() as client, pytest.raises(ConnectionRefusedError):
        client.connect((block.nobody, 8786))


def test_a_system_with_one_loopback_address_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    class OneAddress(socket.socket):
        def bind(self, _: object) -> None:
            raise OSError("Can't assign requested address")

    monkeypatch.setattr(socket, "socket", OneAddress)
    assert not has_loopback_blocks()
