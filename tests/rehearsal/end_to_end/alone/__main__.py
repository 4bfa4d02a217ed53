"""Bring the rehearsal's fleet up in namespaces of one's own, and print what tried to leave.

To be run by ``unshare --map-root-user --net --mount``. Prints a JSON object on the last line.
"""

import json
import socket
import subprocess
import sys
from pathlib import Path

from rehearsal.stage.teardown import end_rehearsal
from tests.rehearsal.end_to_end.alone.attempts import write_down
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import typed

PROBE_NAME = "probe.daskfleet.invalid"
PROBE_ADDRESS = ("192.0.2.7", 443)
"""Dialled on purpose, so that a list without them says that nobody was listening."""


def cut_off(directory: Path) -> None:
    """Leave nothing but loopback, with this process as the only resolver."""
    resolver = directory / "resolv.conf"
    resolver.write_text("nameserver 127.0.0.1\noptions attempts:1 timeout:2\n", encoding="utf-8")
    for command in (
        "ip link set lo up",
        "ip route add local default dev lo",
        "ip -6 route add local default dev lo",
        f"mount --bind {directory}/resolv.conf /etc/resolv.conf",
    ):
        subprocess.run(command.split(), check=True)


def probe() -> None:
    """Try to leave, by a name and by an address."""
    for address in ((PROBE_NAME, 443), PROBE_ADDRESS):
        try:
            socket.create_connection(address, timeout=5).close()
        except OSError:
            continue
        sys.exit(f"{address} answered: the machine is not cut off")


def main(directory: Path) -> None:
    """Bring the fleet up, a second time, ask the doctor, and take it down."""
    cut_off(directory)
    attempts: list[str] = []
    write_down(attempts.append)
    probe()
    stage = directory / "rehearsal"
    stage.mkdir()
    running = RunningRehearsal(stage)
    try:
        running.up()
        again = running.up()
        doctor = typed(running, sys.executable, "-m", "daskfleet", "doctor", "--json")
        running.run("destroy", "--yes", "--skip-preview")
    finally:
        end_rehearsal(running.workspace, report=print)
    findings = json.loads(doctor.stdout)["findings"] if doctor.stdout else doctor.stderr
    told = {"attempts": attempts, "changed_again": again.changed, "doctor": findings}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
