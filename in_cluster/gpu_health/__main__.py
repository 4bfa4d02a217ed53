"""``python -m in_cluster.gpu_health RULES``: run until ended, as the pod's service account."""

import logging
import os
import signal
import sys
from pathlib import Path

from in_cluster.gpu_health.apis import KubernetesApi, Schedulers
from in_cluster.gpu_health.loop import Loop
from in_cluster.gpu_health.rules import read


def main() -> None:
    """Run the controller."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    # httpx tells every request at this level.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    # Process 1 of a container has no default reaction to SIGTERM. What was begun is noted on the
    # node, and the next pod goes on with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    host, port = os.environ["KUBERNETES_SERVICE_HOST"], os.environ["KUBERNETES_SERVICE_PORT"]
    api = KubernetesApi(
        server=f"https://{host}:{port}",
        token_file=Path(os.environ["DASKFLEET_TOKEN_FILE"]),
        ca_file=Path(os.environ["DASKFLEET_CA_FILE"]),
    )
    rules = read(Path(sys.argv[1]).read_text(encoding="utf-8"))
    Loop(api, Schedulers(), rules).run()


if __name__ == "__main__":
    main()
