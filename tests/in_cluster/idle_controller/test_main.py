"""Unit: how the controller starts in its pod, and how it ends."""

import logging
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import certifi
import pytest

from in_cluster.idle_controller import __main__ as program
from in_cluster.idle_controller.loop import Loop


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    handler, level = signal.getsignal(signal.SIGTERM), logging.getLogger("httpx").level
    yield
    signal.signal(signal.SIGTERM, handler)
    logging.getLogger("httpx").setLevel(level)


@pytest.fixture
def _pod(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text("[]")
    monkeypatch.setattr(sys, "argv", ["idle_controller", str(rules)])
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.8.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    monkeypatch.setenv("DASKFLEET_TOKEN_FILE", str(tmp_path / "token"))
    monkeypatch.setenv("DASKFLEET_CA_FILE", certifi.where())


@pytest.mark.usefixtures("_pod")
def test_a_pod_that_is_told_to_end_ends_with_success(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Loop, "run", lambda _: signal.raise_signal(signal.SIGTERM))

    with pytest.raises(SystemExit) as ended:
        program.main()

    assert ended.value.code == 0
