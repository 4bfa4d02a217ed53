"""Unit: logs of pods that asked Dask, honest and others."""

from typing import Any

import pytest

from daskfleet.team.verify.collect.job_log import facts_of
from daskfleet.team.verify.collect.probe_answer import MOST_BYTES, MOST_VALUES
from tests.daskfleet.team.verify.samples import IMAGE, dask

ANSWER = b'{"facts": ' + dask().model_dump_json().encode() + b"}"


def ended(
    phase: str = "Succeeded", *, status: int = 0, reason: str = "Completed"
) -> dict[str, Any]:
    terminated = {"exitCode": status, "reason": reason}
    return {
        "status": {"phase": phase, "containerStatuses": [{"state": {"terminated": terminated}}]}
    }


def why(log: bytes, pod: dict[str, Any] | None = None) -> str:
    said = facts_of(pod or ended(), log, IMAGE).connection_error
    assert said.isprintable()
    assert len(said) < 1000
    return said


def test_the_answer_is_found_among_what_libraries_say() -> None:
    log = b"a warning\nprogress: connecting\n{ of a library\n" + ANSWER + b"\nbye\n"

    assert facts_of(ended(), log, IMAGE) == dask()


def test_of_two_answers_the_last_counts() -> None:
    other = dask(client_python="/elsewhere").model_dump_json().encode()
    log = b'{"facts": ' + other + b"}\n" + ANSWER

    assert facts_of(ended(), log, IMAGE) == dask()


HOSTILE = {
    "no document": b"hello\n",
    "nothing": b"",
    "half a document": ANSWER[:-20],
    "two on a line": ANSWER + ANSWER,
    "brackets": b'{"facts": ' + b"[" * 1_000_000,
    "objects": b'{"facts": ' * 100_000,
    "another type": b'{"facts": {"client": 5}}',
    "an unknown key": b'{"facts": null, "refused": null, "run": "me"}',
    "a terminal's command": b'{"refused": "\\u001b[2J"}',
    "the other way of writing": b'{"refused": "\\u202egnihton"}',
    "no text at all": b'{"refused": "\xff\xfe"}',
    "nothing in it": b"{}",
    "a number without an end": b'{"facts": ' + b"9" * 1_000_000 + b"}",
    "an endless error": b'{"refused": "' + b"x" * 100_000 + b'"}',
}


@pytest.mark.parametrize("log", HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_answer_is_a_connection_that_failed(log: bytes) -> None:
    assert why(log).startswith("the scheduler's answer could not be read: ")


def test_an_answer_that_is_too_long_is_not_read_at_all() -> None:
    assert why(ANSWER + b"\n" + b" " * MOST_BYTES).endswith("it is longer than 4 MiB")


def test_an_answer_of_a_million_values_is_not_read_at_all() -> None:
    zeros = b'{"facts": {"workers": [' + b"0," * 1_000_000 + b"0]}}"

    assert why(zeros).endswith("it has more than 262,144 values")


def test_an_honest_answer_has_fewer_values_than_that_for_its_length() -> None:
    assert len(ANSWER) / ANSWER.count(b",") > MOST_BYTES / MOST_VALUES


def test_a_client_that_failed_has_the_last_word() -> None:
    log = b"progress: connecting\nTraceback\nNo module named 'distributed'\x1b[2J\n"
    said = why(log, ended("Failed", status=1, reason="Error"))

    assert "ended with status 1 (Error): No module named 'distributed'\\x1b[2J" in said


def test_an_answer_before_a_failure_does_not_count() -> None:
    said = why(ANSWER, ended("Failed", status=137, reason="OOMKilled"))

    assert "ended with status 137 (OOMKilled)" in said


def test_a_pod_that_is_said_to_have_failed_and_no_more_is_named() -> None:
    assert why(b"", {"status": {"phase": "Failed"}}).endswith("the pod that asks failed")


def test_a_module_that_the_image_lacks_is_the_images() -> None:
    said = why(b'{"refused": "this client cannot import fraud: No module named fraud"}')

    assert said.startswith(f"in the team's image ({IMAGE}) this client cannot import fraud")
