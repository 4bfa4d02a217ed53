"""Unit tests: ports, certificates and commands, before any process starts."""

import socket
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import NameOID

from rehearsal.control_plane import commands
from rehearsal.control_plane.certificates import CertificateAuthority
from rehearsal.control_plane.commands import ControlPlaneSpec
from rehearsal.control_plane.credentials import KWOK, Credentials
from rehearsal.control_plane.errors import PortTakenError
from rehearsal.control_plane.layout import Layout
from rehearsal.control_plane.ports import Ports
from rehearsal.toolchain import Binaries


@pytest.fixture
def spec(tmp_path: Path) -> ControlPlaneSpec:
    layout = Layout(directory=tmp_path / "cluster")
    layout.create()
    credentials = Credentials.prepare(layout, service_cidr="10.120.0.0/20")
    credentials.write_kubeconfigs(layout, endpoint="127.0.0.1:6443")
    executables = {name: Path("/bin") / name for name in Binaries.__dataclass_fields__}
    executables.pop("tools")
    return ControlPlaneSpec(
        binaries=Binaries(**executables),  # type: ignore[arg-type]
        layout=layout,
        ports=Ports(
            api_server=6443,
            etcd_client=2379,
            etcd_peer=2380,
            kubelets=10250,
            dask_schedulers=8787,
        ),
        credentials=credentials,
        service_cidr="10.120.0.0/20",
        pod_cidr="10.100.0.0/16",
        dask="place",
    )


def all_commands(spec: ControlPlaneSpec) -> list[str]:
    return [
        str(word)
        for command in (
            commands.etcd,
            commands.kube_apiserver,
            commands.kube_controller_manager,
            commands.kube_scheduler,
            commands.kwok,
        )
        for word in command(spec)
    ]


def test_no_secret_stands_in_a_command_line(spec: ControlPlaneSpec) -> None:
    words = " ".join(all_commands(spec))
    assert spec.credentials.engineer_token not in words
    assert spec.credentials.rehearsal_token not in words


def test_no_other_user_can_read_a_file_of_the_cluster(spec: ControlPlaneSpec) -> None:
    assert spec.layout.directory.stat().st_mode & 0o077 == 0
    secrets = [*spec.layout.pki.iterdir(), *spec.layout.kubeconfigs.iterdir()]
    assert spec.layout.tokens in secrets
    assert all(file.stat().st_mode & 0o077 == 0 for file in secrets)


def test_a_second_preparation_keeps_what_clients_know(spec: ControlPlaneSpec) -> None:
    again = Credentials.prepare(spec.layout, service_cidr="10.120.0.0/20")
    assert again.engineer_token == spec.credentials.engineer_token
    authority = spec.layout.pki / "ca.crt"
    before = authority.read_bytes()
    CertificateAuthority.load_or_create(spec.layout.pki, name="ca")
    assert authority.read_bytes() == before


def test_the_api_servers_certificate_serves_loopback_and_pods(spec: ControlPlaneSpec) -> None:
    pem = spec.credentials.api_server.certificate.read_bytes()
    names = (
        x509.load_pem_x509_certificate(pem)
        .extensions.get_extension_for_class(x509.SubjectAlternativeName)
        .value
    )
    assert {"localhost", "kubernetes.default.svc"} <= {*names.get_values_for_type(x509.DNSName)}
    assert {*names.get_values_for_type(x509.IPAddress)} == {
        ip_address("127.0.0.1"),
        ip_address("10.120.0.1"),
    }


def test_a_component_signs_in_under_its_own_name(spec: ControlPlaneSpec) -> None:
    pem = spec.credentials.components[KWOK].certificate.read_bytes()
    (name,) = x509.load_pem_x509_certificate(pem).subject.get_attributes_for_oid(
        NameOID.COMMON_NAME
    )
    assert name.value == "kwok"


def test_ports_of_the_last_start_are_taken_again(tmp_path: Path) -> None:
    remembered = tmp_path / "ports.json"
    first = Ports.choose(remembered)
    assert len({first.api_server, first.etcd_client, first.etcd_peer}) == 3
    assert Ports.choose(remembered) == first


def test_a_port_that_is_taken_meanwhile_is_replaced(tmp_path: Path) -> None:
    remembered = tmp_path / "ports.json"
    first = Ports.choose(remembered)
    with socket.create_server(("127.0.0.1", first.api_server)):
        second = Ports.choose(remembered)
    assert second.api_server != first.api_server
    assert second.etcd_client == first.etcd_client


def test_who_insists_on_the_known_ports_gets_them_or_is_told_which_is_taken(tmp_path: Path) -> None:
    remembered = tmp_path / "ports.json"
    first = Ports.choose(remembered)
    assert Ports.choose(remembered, only_known=True) == first
    with (
        socket.create_server(("127.0.0.1", first.kubelets)),
        pytest.raises(PortTakenError, match=f"Port {first.kubelets} of 127.0.0.1 is taken"),
    ):
        Ports.choose(remembered, only_known=True)
    assert Ports.choose(remembered) == first
