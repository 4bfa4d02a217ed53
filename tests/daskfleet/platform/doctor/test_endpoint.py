"""The way from this machine to a control plane that answers at an address."""

import json
import socket
from collections.abc import Iterator

import pytest

from daskfleet.access.kubeconfig import WAY_IN
from daskfleet.platform.doctor import ask_endpoint
from daskfleet.platform.doctor.endpoints import SUBJECT, address_of
from daskfleet.platform.doctor.model import Area, Outcome
from manifests.kubeconfig import kubeconfig_for
from tests.daskfleet.platform.doctor.examined import Machine

OFFICE = {"name": "office", "cidr": "192.0.2.0/24"}


@pytest.fixture
def closed(well: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A stack whose control plane is for some addresses, and no proxy on the way."""
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    endpoint = {"kind": "ip", "authorized_networks": [OFFICE]}
    well.settings(cluster={"endpoint": endpoint})
    return well


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A port of this machine that takes connections."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found


def bring_up(machine: Machine, host: str) -> None:
    """Let the state have a cluster."""
    kubeconfig = kubeconfig_for(name="rapids-gpu", host=host, ca_certificate=None)
    provider = {"type": WAY_IN, "outputs": {"kubeconfig": json.dumps(kubeconfig)}}
    machine.says("stack export", {"deployment": {"resources": [provider]}})


def port_of(listener: socket.socket) -> int:
    port: int = listener.getsockname()[1]
    return port


@pytest.mark.parametrize(
    ("endpoint", "needed"),
    [
        ({"kind": "ip", "authorized_networks": [OFFICE]}, "an address of this machine's in "),
        ({"kind": "private"}, "a machine in the network, or one whose addresses "),
    ],
)
def test_before_the_first_up_it_is_said_what_the_machine_needs(
    closed: Machine, endpoint: dict[str, object], needed: str
) -> None:
    closed.settings(cluster={"endpoint": endpoint})
    finding = closed.only()
    assert (finding.area, finding.subject) == (Area.TOOLS, SUBJECT)
    assert finding.outcome is Outcome.NOT_LOOKED_AT
    assert finding.there.startswith(f"there is no cluster yet. `up` needs {needed}")


def test_an_endpoint_that_takes_connections_is_well(
    closed: Machine, listener: socket.socket
) -> None:
    bring_up(closed, f"127.0.0.1:{port_of(listener)}")
    assert closed.found() == []
    (finding,) = (each for each in closed.examined().findings if each.subject == SUBJECT)
    assert finding.there == f"127.0.0.1:{port_of(listener)} takes connections"


def test_an_endpoint_that_refuses_this_machine_is_wrong(
    closed: Machine, listener: socket.socket
) -> None:
    port = port_of(listener)
    listener.close()
    bring_up(closed, f"127.0.0.1:{port}")
    finding = closed.only()
    assert finding.outcome is Outcome.WRONG
    assert finding.there == f"127.0.0.1:{port}: Connection refused"
    assert "authorized_networks" in finding.fix


def test_an_endpoint_that_never_answers_is_not_waited_for_long(
    closed: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask_endpoint, "LONGEST_S", 0.3)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        with socket.create_connection(address), socket.socket() as second:
            second.setblocking(False)
            second.connect_ex(address)
            bring_up(closed, f"127.0.0.1:{address[1]}")
            finding = closed.only()
    assert (finding.outcome, finding.there) == (
        Outcome.WRONG,
        f"127.0.0.1:{address[1]}: no answer within 0.3 s",
    )


def test_what_a_proxy_lets_through_is_not_guessed(
    closed: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://ann:secret@proxy.acme.example:3128")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    bring_up(closed, "192.0.2.7")
    finding = next(each for each in closed.found() if each.subject == SUBJECT)
    assert finding.outcome is Outcome.NOT_LOOKED_AT
    assert "by the proxy http://proxy.acme.example:3128" in finding.there
    assert "secret" not in finding.model_dump_json()


def test_a_stack_that_is_reached_by_name_is_not_tried(well: Machine) -> None:
    bring_up(well, "127.0.0.1:1")
    assert SUBJECT not in {each.subject for each in well.examined().findings}


def test_an_address_without_a_port_is_that_of_https() -> None:
    assert address_of("https://192.0.2.7") == ("192.0.2.7", 443)
    with pytest.raises(ValueError, match="names no address"):
        address_of("nowhere")
