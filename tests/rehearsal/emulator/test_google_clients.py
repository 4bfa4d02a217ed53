"""Contract: Google's own Python clients work unchanged on the emulator. Unit tier, no network."""

import subprocess
import sys
from pathlib import Path

SUITES = [
    str(Path(__file__).with_name(name))
    for name in ("google_clients.py", "google_project_clients.py")
]


def test_googles_own_clients_create_resize_list_and_delete() -> None:
    # In a process of its own: pulumi and google-api-core each register a google.rpc.Status, and
    # protobuf takes one per process.
    suite = subprocess.run(
        [sys.executable, "-m", "pytest", *SUITES],
        capture_output=True,
        text=True,
        check=False,
    )
    assert suite.returncode == 0, suite.stdout + suite.stderr
    assert " passed" in suite.stdout
