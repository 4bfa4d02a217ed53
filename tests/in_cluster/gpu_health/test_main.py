"""Unit: how the controller starts in its pod, and how it ends."""

import logging
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import certifi
import pytest

from in_cluster.gpu_health import __main__ as program
from in_cluster.gpu_health.loop import Loop
from in_cluster.gpu_health.rules import Rules, written


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    handler, level = signal.getsignal(signal.SIGTERM), logging.getLogger("httpx").level
    yield
    signal.signal(signal.SIGTERM, handler)
    logging.getLogger("httpx").setLevel(level)


def test_a_pod_that_is_told_to_end_ends_with_success(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text(written(Rules(namespaces=(), most_drained_nodes=1)))
    monkeypatch.setattr(sys, "argv", ["gpu_health", str(rules)])
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.8.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    monkeypatch.setenv("DASKFLEET_TOKEN_FILE", str(tmp_path / "token"))
    monkeypatch.setenv("DASKFLEET_CA_FILE", certifi.where())
    monkeypatch.setattr(Loop, "run", lambda _: signal.raise_signal(signal.SIGTERM))

    with pytest.raises(SystemExit) as ended:
        program.main()

    assert ended.value.code == 0
