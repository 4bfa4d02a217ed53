"""Unit test, property-based: a stack file that somebody broke is planned or refused.

``make soak`` does with thousands what each run does with hundreds. Those that once ended the
process, or took all of its memory, run in a child with bounds that end it instead of the machine.
"""

import resource
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daskfleet.planning.fleet import plan_draft
from daskfleet.settings.problems import MOST_PRINTED, StackRefusedError
from daskfleet.settings.stack_file import read_stack_file
from tests.daskfleet.planning.test_any_document import COMPLETE
from tests.project import PROJECT_DIR

OWN = yaml.safe_dump({"config": {f"daskfleet:{key}": each for key, each in COMPLETE.items()}})
FILES = (
    *(file.read_text("utf-8") for file in sorted((PROJECT_DIR / "stacks").glob("Pulumi.*.yaml"))),
    OWN,
)

LONGEST_ERROR = 1_000_000

NASTY = (
    *(
        "on",
        "~",
        "5",
        "0x1F",
        "017",
        "08",
        "1_000",
        "1:30",
        "-1",
        ".nan",
        "-.inf",
        "1e400",
        "=",
        "",
    ),
    *("9" * 5000, "9" * 310, "9007199254740993", "1.5", "true", "yes", "<<", "*a", "&a x", "- x"),
    *("!!int x", "!!float ''", "!!bool maybe", "!!timestamp x", "!!binary aGk=", "!mine y"),
    *("2026-02-30", "9999-12-31T23:00:00-10:00", "'9999-12-31T23:00:00-10:00'", "0001-01-01"),
    *("[", "{", "]", "{}", "[]", "[[]]", "{a: 1}", "[" * 900, "{a: " * 40, "? [a, b]\n: 1"),
    *("a: &a {x: *a}", "{<<: [1]}", "{5: 1}", "{secure: v1:abc}", "? x", "---", "...", "%YAML 9"),
    *('"\\e[31mred"', "\u202eabc", '"\\ud800"', "\x00", "\x85", "\ufeff", "é" * 300, "k" * 5000),
    *("blue-green", "ephemeral", "none", "nvidia-tesla-t4", "a2-highgpu-1g", "10.0.0.0/33"),
)

MUTATION = st.tuples(
    st.sampled_from(("value", "key", "line", "cut", "twice", "indent", "insert", "swap")),
    st.integers(0, 10_000),
    st.one_of(st.sampled_from(NASTY), st.text(max_size=12)),
)


def mutated(text: str, mutations: list[tuple[str, int, str]]) -> str:
    """A text after these changes; ``at`` is a line, or a character to insert at."""
    for what, at, new in mutations:
        lines = text.split("\n")
        index = at % len(lines)
        key, colon, value = lines[index].partition(": ")
        changed = {
            "value": [f"{key}{colon or ': '}{new}"],
            "key": [f"{key[: len(key) - len(key.lstrip())]}{new}: {value}"],
            "line": [lines[index], new],
            "cut": [],
            "twice": [lines[index], lines[index]],
            "indent": [" " * (at % 7) + lines[index].lstrip()],
        }
        if what in changed:
            lines[index : index + 1] = changed[what]
            text = "\n".join(lines)
        elif what == "insert":
            text = text[: at % len(text)] + new + text[at % len(text) :] if text else new
        else:
            other = (at * 7) % len(lines)
            lines[index], lines[other] = lines[other], lines[index]
            text = "\n".join(lines)
    return text


def judge(text: str, file: Path) -> None:
    """Plan a file; a refusal must be one that a person can read."""
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        plan_draft(read_stack_file(file))
    except StackRefusedError as refusal:
        said = str(refusal)
        assert len(said) < LONGEST_ERROR
        assert all(line.isprintable() for line in said.split("\n"))
        assert said.count("Next step: ") <= MOST_PRINTED


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.sampled_from(FILES), mutations=st.lists(MUTATION, min_size=1, max_size=5))
def test_a_broken_stack_file_is_planned_or_refused(
    text: str, mutations: list[tuple[str, int, str]], tmp_path: Path
) -> None:
    judge(mutated(text, mutations), tmp_path / "Pulumi.broken.yaml")


@pytest.mark.soak
@settings(max_examples=6000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.sampled_from(FILES), mutations=st.lists(MUTATION, min_size=1, max_size=8))
def test_thousands_of_broken_stack_files_are_planned_or_refused(
    text: str, mutations: list[tuple[str, int, str]], tmp_path: Path
) -> None:
    judge(mutated(text, mutations), tmp_path / "Pulumi.broken.yaml")


READ = """
import resource, sys
from pathlib import Path
from daskfleet.platform.cost.cli import *

def taken():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss
before = taken()
try:
    plan_draft(read_stack_file(Path(sys.argv[1])))
finally:
    print(*(after - begun for after, begun in zip(taken(), before)))
"""
"""Prints CPU seconds and KiB of memory that the file took, besides the imports."""

TEAMS = "config:\n  daskfleet:project: example-project\n  daskfleet:teams:\n"
RANGES = ", ".join(f"10.{at // 256}.{at % 256}.0/24" for at in range(40_000, 43_000))

ENORMOUS = {
    "brackets": "config: " + "[" * 30_000,
    "dashes": "- " * 100_000,
    "laughs": "a: &a [x, x]\n" + "".join(f"{c}: &{c} [{', '.join([f'*{b}'] * 9)}]\n" for b, c in
              zip("abcdefghijklm", "bcdefghijklmn", strict=True)),
    "merges": "a: &a {x: 1, y: 2}\n" + "".join(
        f"{c}: &{c} {{<<: [{', '.join([f'*{b}'] * 99)}]}}\n"
        for b, c in zip("abcdefghijklm", "bcdefghijklmn", strict=True)
    ),
    "a long key": "? " + "k" * 1_000_000 + "\n: 1",
    "digits": f"{TEAMS}    - {{name: a, workers: {'9' * 900_000}}}\n",
    "teams": TEAMS + "".join(f"    - {{name: t{at}, workers: 2, oops: 1}}\n" for at in range(2000)),
    "groups": TEAMS + "    - name: a\n      groups:\n" + "        - {name: b}\n" * 3000,
    "ranges": f"{TEAMS}    - name: a\n      access: {{internal_load_balancer: {{source_ranges: "
    f"[{RANGES}]}}}}\n",
}  # fmt: skip

MOST_CPU_S, KILLED_AFTER_CPU_S = 2, 30
MOST_KIB = 300 * 1024
MOST_BYTES_OF_MEMORY = 2 * 1024**3
"""Address space; what the imports alone map is more than half of it."""


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (KILLED_AFTER_CPU_S, KILLED_AFTER_CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES_OF_MEMORY, MOST_BYTES_OF_MEMORY))


@pytest.mark.parametrize("case", ENORMOUS)
def test_an_enormous_file_ends_neither_the_process_nor_its_memory(
    case: str, tmp_path: Path
) -> None:
    file = tmp_path / "Pulumi.enormous.yaml"
    file.write_text(ENORMOUS[case])
    ended = subprocess.run(
        [sys.executable, "-c", READ, str(file)],
        cwd=PROJECT_DIR,
        preexec_fn=_bound,
        capture_output=True,
        text=True,
        check=False,
    )
    is_refused = "StackRefusedError: " in ended.stderr
    assert is_refused or case == "ranges", ended.stderr[-2000:]
    assert ended.returncode == (1 if is_refused else 0)
    assert len(ended.stderr) < LONGEST_ERROR
    cpu_s, kib = map(float, ended.stdout.split())
    assert cpu_s < MOST_CPU_S
    assert kib < MOST_KIB
