"""Unit: running `pulumi`, with a script in its place."""

import os
import signal
import time
from pathlib import Path

import pytest

from daskfleet.access.errors import AccessError
from daskfleet.access.pulumi_cli import QUOTED_LINES, Pulumi, PulumiFailedError


@pytest.fixture
def pulumi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pulumi:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return Pulumi(project_dir=tmp_path, stack="prod")


def does(pulumi: Pulumi, body: str) -> None:
    script = pulumi.project_dir / "pulumi"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)


def test_what_pulumi_writes_on_the_way_is_for_the_user_alone(pulumi: Pulumi) -> None:
    does(pulumi, "umask")
    assert int(pulumi.run("stack", "export"), 8) == 0o077


def test_a_command_is_of_its_stack_and_asks_nobody(pulumi: Pulumi) -> None:
    does(pulumi, 'echo "$@"; cat')
    words = "stack export --stack prod --non-interactive --color=never"
    assert pulumi.run("stack", "export").split() == words.split()


def test_a_command_reads_what_it_is_given(pulumi: Pulumi) -> None:
    does(pulumi, "cat")
    assert pulumi.run("stack", "import", given="{}") == "{}"


def test_an_error_has_the_last_words_of_both_streams_and_no_secret(pulumi: Pulumi) -> None:
    does(pulumi, "seq 1 100; echo 'error: no login; token=abc123def456' >&2; exit 255")
    with pytest.raises(PulumiFailedError, match=r"`pulumi stack ls` failed:\n") as failed:
        pulumi.run("stack", "ls")
    assert "error: no login" in str(failed.value)
    assert "abc123def456" not in str(failed.value)
    assert len(str(failed.value).splitlines()) == 1 + QUOTED_LINES
    assert failed.value.said.startswith("1\n2\n")


def test_without_pulumi_the_error_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AccessError, match=r"There is no `pulumi` on PATH. Install"):
        Pulumi(project_dir=tmp_path).run("version")


@pytest.mark.parametrize("impatience", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_ends_by_itself_and_so_does_what_it_started(
    pulumi: Pulumi, impatience: signal.Signals
) -> None:
    """A shim may be the `pulumi` on PATH, and the engine its child."""
    folder = pulumi.project_dir

    def press() -> None:
        while not (folder / "ready").exists():
            time.sleep(0.01)
        signal.raise_signal(impatience)

    waits = "trap 'touch ended; exit 1' INT; touch ready; while :; do sleep 0.05; done"
    does(pulumi, f'sh -c "{waits}"; exit $?')

    with pytest.raises(KeyboardInterrupt), pulumi.started("refresh"):
        press()
    assert (folder / "ended").exists()


def test_an_interrupted_reader_is_not_kept_waiting_by_a_full_pipe(pulumi: Pulumi) -> None:
    does(pulumi, f"trap '' INT; kill -INT {os.getpid()}; cat /dev/zero")
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        pulumi.run("stack", "export")
    assert time.monotonic() - begun < 10
