"""Contract: Google's own Python clients work unchanged on the emulator. Unit tier, no network."""

import subprocess
import sys
from pathlib import Path

SUITE = Path(__file__).with_name("google_clients.py")


def test_googles_own_clients_create_resize_list_and_delete() -> None:
    # In a process of its own: pulumi and google-api-core each register a google.rpc.Status, and
    # protobuf takes one per process.
    suite = subprocess.run(
        [sys.executable, "-m", "pytest", str(SUITE)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert suite.returncode == 0, suite.stdout + suite.stderr
    assert " passed" in suite.stdout
