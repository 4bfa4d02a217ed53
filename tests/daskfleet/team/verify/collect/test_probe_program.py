"""The probe as a pod runs it: it brings all of itself along, and says it all on one stream."""

import json
import subprocess
from pathlib import Path

import pytest

from daskfleet.team.verify.collect.probe_answer import PROGRESS, read_answer
from daskfleet.team.verify.collect.probe_program import in_a_pod, request_text
from tests.warm_python.fixtures import REAL_PYTHON

LONGEST_WORD = 128 * 1024
"""Bytes; MAX_ARG_STRLEN of Linux."""


def run(directory: Path, *modules: str) -> subprocess.CompletedProcess[bytes]:
    """Run it where nothing of this project is to be found."""
    request = request_text(
        address="tcp://127.0.0.1:1", modules=modules, resources=[], security=None
    )
    environment = {"HOME": str(directory), "TMPDIR": str(directory)}
    return subprocess.run(
        [REAL_PYTHON, *in_a_pod(request)],
        cwd=directory,
        env=environment,
        capture_output=True,
        check=True,
        timeout=120,
    )


@pytest.mark.soak(every=3)
def test_it_needs_nothing_of_this_project(tmp_path: Path) -> None:
    done = run(tmp_path)
    *before, last = done.stdout.splitlines()
    answer = read_answer(last)

    assert answer.facts
    assert "127.0.0.1:1" in answer.facts.connection_error
    assert [doing[1] for line in before if (doing := PROGRESS.fullmatch(line.decode()))] == [
        "connecting"
    ]
    assert done.stderr == b""


def test_a_module_that_cannot_be_imported_is_named(tmp_path: Path) -> None:
    (tmp_path / "fraud.py").write_text("raise ImportError('not in this image')\n")
    refused = read_answer(run(tmp_path, "fraud").stdout.splitlines()[-1]).refused

    assert refused == "this client cannot import fraud: not in this image"


def test_the_kubelet_finds_nothing_to_expand_and_no_word_is_too_long() -> None:
    request = request_text(address="a", modules=["$(HOME)"], resources=[], security=None)
    words = in_a_pod(request)

    assert not [word for word in words if "$" in word]
    assert json.loads(words[-1])["modules"] == ["$(HOME)"]
    assert max(map(len, words)) < LONGEST_WORD / 2
    assert in_a_pod(request) == words
