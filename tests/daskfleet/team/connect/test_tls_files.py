"""Unit: a certificate on this machine is its owner's alone, and goes with the command."""

import json
import stat
from pathlib import Path

import pytest

from daskfleet.access.client_certificate import PARTS, CertificateFiles, certificate_files
from daskfleet.access.errors import AccessError
from daskfleet.team.connect.connection_file import connection_to
from tests.daskfleet.team.connect.test_connection_file import TEAM

CERTIFICATE = dict.fromkeys(PARTS, b"secret")


def test_files_and_directory_are_their_owners_and_go_at_the_end(tmp_path: Path) -> None:
    directory = tmp_path / "fraud.connection-8786.tls"
    with certificate_files(CERTIFICATE, directory) as files:
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700
        for file in (files.ca_file, files.cert_file, files.key_file):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            assert file.read_bytes() == b"secret"
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_command_left_is_written_anew(tmp_path: Path) -> None:
    directory = tmp_path / "left.tls"
    directory.mkdir()
    (directory / "tls.key").write_text("old")
    with certificate_files(CERTIFICATE, directory) as files:
        assert files.key_file.read_bytes() == b"secret"


def test_where_nothing_can_be_written_says_so(tmp_path: Path) -> None:
    with (
        pytest.raises(AccessError, match="cannot be written below"),
        certificate_files(CERTIFICATE, tmp_path / "missing" / "x.tls"),
    ):
        pass


def test_the_printed_line_and_the_file_name_the_paths_and_not_what_is_in_them() -> None:
    team = TEAM.model_copy(update={"address": "tls://dask.fraud.svc.cluster.local:8786"})
    connection = connection_to(
        team,
        name="fraud",
        stack="prod",
        scheduler_port=8786,
        dashboard_port=8787,
        certificate=CertificateFiles(Path("/here/fraud.tls")),
    )

    assert connection.python == (
        "from dask.distributed import Client, Security; "
        'client = Client("tls://127.0.0.1:8786", '
        "security=Security(tls_ca_file='/here/fraud.tls/ca.crt', "
        "tls_client_cert='/here/fraud.tls/tls.crt', "
        "tls_client_key='/here/fraud.tls/tls.key', require_encryption=True))"
    )
    assert json.loads(connection.model_dump_json())["tls"] == {
        "tls_ca_file": "/here/fraud.tls/ca.crt",
        "tls_client_cert": "/here/fraud.tls/tls.crt",
        "tls_client_key": "/here/fraud.tls/tls.key",
    }
