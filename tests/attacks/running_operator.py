"""The real operator with a token of its account, and a scheduler that answers what it asks."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from manifests.operator_program import FIRST, HERE, chart_values
from rehearsal.control_plane import ControlPlane
from rehearsal.dask_operator.cluster_dns import PORT_VARIABLE
from rehearsal.dask_operator.process import CONTROLLER
from tests.attacks.operators_reach import HOME, OperatorsReach
from tests.project import PROJECT_DIR

LONG_AGO = 1.0
WANTED = 2
"""How many workers a scheduler asks for."""


@contextmanager
def scheduler(workers: Callable[[], Sequence[str]]) -> Iterator[int]:
    """Serve what every scheduler says: all workers but one may go, and it has long been idle."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.say({name: {"name": name} for name in workers()[: asked["n"]]})

        def do_GET(self) -> None:
            self.say({"workers": WANTED, "idle_since": LONG_AGO})

        def say(self, answer: object) -> None:
            text = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def running_operator(
    control_plane: ControlPlane, reach: OperatorsReach, *, directory: Path, schedulers_port: int
) -> Iterator[Path]:
    """Run it with the arguments of its pod; give its log."""
    kubeconfig, log = directory / "kubeconfig", directory / "operator.log"
    admin = json.loads(control_plane.admin_kubeconfig.read_text("utf-8"))
    admin["users"][0]["user"] = {"token": reach.token}
    admin["contexts"][0]["context"]["namespace"] = HOME
    kubeconfig.write_text(json.dumps(admin), "utf-8")
    *flags, _ = chart_values({})["kopfArgs"]
    modules = ("rehearsal.dask_operator.cluster_dns", CONTROLLER)
    with log.open("wb") as out:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "kopf", "run", *flags, str(HERE / FIRST)),
                *(each for module in modules for each in ("--module", module)),
            ],
            cwd=PROJECT_DIR,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(directory),
                "KUBECONFIG": str(kubeconfig),
                "PYTHONPATH": str(PROJECT_DIR),
                PORT_VARIABLE: str(schedulers_port),
            },
            stdout=out,
            stderr=out,
        )
        try:
            yield log
            assert process.poll() is None, log.read_text("utf-8")[-4000:]
        finally:
            process.terminate()
            process.wait(timeout=60)
