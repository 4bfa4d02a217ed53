"""``python -m idle_controller RULES``: run until ended, as the pod's service account."""

import logging
import os
import signal
import sys
from pathlib import Path

from .apis import DaskApi, Schedulers
from .loop import Loop
from .rules import read


def main() -> None:
    """Run the controller."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    # httpx tells every request at this level.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    # Process 1 of a container has no default reaction to SIGTERM. Nothing is left half done: each
    # team's number and note are one request.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    host, port = os.environ["KUBERNETES_SERVICE_HOST"], os.environ["KUBERNETES_SERVICE_PORT"]
    api = DaskApi(
        server=f"https://{host}:{port}",
        token_file=Path(os.environ["DASKFLEET_TOKEN_FILE"]),
        ca_file=Path(os.environ["DASKFLEET_CA_FILE"]),
    )
    rules = read(Path(sys.argv[1]).read_text(encoding="utf-8"))
    Loop(api, Schedulers(), rules).run()


if __name__ == "__main__":
    main()
