"""Unit: the stand-in for gke-gcloud-auth-plugin."""

import json
import subprocess
from pathlib import Path

from daskfleet.files import write_private_file
from rehearsal.stage.auth_plugin import install_auth_plugin


def test_it_prints_a_credential_with_the_token_of_the_moment(tmp_path: Path) -> None:
    token_file = tmp_path / "it's a token"
    plugin = install_auth_plugin(tmp_path / "bin", token_file)
    for token in ("first", "second"):
        write_private_file(token_file, token.encode())
        answer = subprocess.run([plugin], capture_output=True, check=True, text=True).stdout
        credential = json.loads(answer)
        assert credential["kind"] == "ExecCredential"
        assert credential["apiVersion"] == "client.authentication.k8s.io/v1beta1"
        assert credential["status"] == {"token": token}


def test_the_token_is_not_in_the_executable_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    write_private_file(token_file, b"secret-token")
    plugin = install_auth_plugin(tmp_path / "bin", token_file)
    assert "secret-token" not in plugin.read_text()
    assert token_file.stat().st_mode & 0o777 == 0o600
