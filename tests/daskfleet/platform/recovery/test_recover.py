"""The verb on a `pulumi` that answers from a script; unit tier."""

import json
import os
import socket
import stat
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from daskfleet.platform.recovery import cli

STACK = "urn:pulumi:prod::daskfleet"
PROVIDER = f"{STACK}::pulumi:providers:gcp::google"
NETWORK = f"{STACK}::gcp:compute/network:Network::vpc"
LOCKED = "error: the stack is currently locked by 1 lock(s)."

PULUMI = """#!{python}
import json, pathlib, sys
here = pathlib.Path({here!r})
words = sys.argv[1:]
with (here / "calls").open("a") as calls:
    calls.write(" ".join(words[:2]) + "\\n")
state, lock = here / "state.json", here / "lock"
if words[:2] == ["stack", "export"]:
    print(state.read_text())
elif words[0] == "cancel":
    lock.unlink()
elif words[0] == "preview":
    print((here / "preview.json").read_text())
elif lock.exists():
    sys.exit(lock.read_text())
elif words[:2] == ["stack", "import"]:
    state.write_text(sys.stdin.read())
elif words[0] == "refresh" and (here / "gone").exists():
    document = json.loads(state.read_text())
    found = document["deployment"]["resources"]
    document["deployment"]["resources"] = [r for r in found if r["urn"] not in words]
    state.write_text(json.dumps(document))
"""

app = typer.Typer()
app.command()(cli.command)


@pytest.fixture
def pulumi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `pulumi` on PATH whose stack has one creation of unknown end."""
    script = tmp_path / "pulumi"
    script.write_text(PULUMI.format(python=sys.executable, here=str(tmp_path)))
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    provider = {"urn": PROVIDER, "type": "pulumi:providers:gcp", "inputs": {"project": "acme"}}
    deployment = {
        "resources": [provider],
        "pending_operations": [{"type": "creating", "resource": network()}],
    }
    (tmp_path / "state.json").write_text(json.dumps({"version": 3, "deployment": deployment}))
    return tmp_path


def network() -> dict[str, object]:
    return {
        "urn": NETWORK,
        "custom": True,
        "type": "gcp:compute/network:Network",
        "inputs": {"name": "vpc"},
        "provider": f"{PROVIDER}::some-uuid",
    }


def recorded(pulumi: Path) -> list[str]:
    resources = json.loads((pulumi / "state.json").read_text())["deployment"]["resources"]
    return [resource["urn"] for resource in resources]


def lock(pulumi: Path, *, host: str) -> None:
    # No process has this number: Linux ends at 2^22.
    holder = f"created by ana@{host} (pid 4194999) at 2026-11-21T14:12:28Z"
    (pulumi / "lock").write_text(f"{LOCKED}\n  file:///lock.json: {holder}")


def run(*arguments: str, answer: str | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*arguments], input=answer)
    return result.exit_code, result.output


def test_what_exists_is_recorded(pulumi: Path) -> None:
    code, said = run()
    assert (code, recorded(pulumi)) == (0, [PROVIDER, NETWORK])
    assert "Recorded Network vpc: it exists." in said
    assert "Now run `pulumi up`" in said


def test_what_does_not_exist_is_forgotten(pulumi: Path) -> None:
    (pulumi / "gone").touch()
    code, said = run()
    assert (code, recorded(pulumi)) == (0, [PROVIDER])
    assert "Forgot the creation of Network vpc: it does not exist." in said


def test_the_lock_of_a_dead_engine_of_this_machine_is_released(pulumi: Path) -> None:
    lock(pulumi, host=socket.gethostname())
    code, said = run()
    assert code == 0
    assert "Released the lock of ana@" in said
    assert not (pulumi / "lock").exists()


def test_the_lock_of_another_machine_is_released_only_when_told_to(pulumi: Path) -> None:
    lock(pulumi, host="another-machine")
    code, said = run()
    assert (code, recorded(pulumi)) == (1, [PROVIDER])
    assert "ana@another-machine (process 4194999) since 2026-11-21T14:12:28Z" in said
    assert "--break-lock" in said
    assert run("--break-lock")[0] == 0
    assert recorded(pulumi) == [PROVIDER, NETWORK]


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1)])
def test_what_is_in_nobodys_state_is_recorded_after_a_question(
    pulumi: Path, answer: str, code: int
) -> None:
    subnet = network() | {
        "urn": NETWORK.replace("vpc", "other"),
        "inputs": {"name": "other"},
    }
    steps = [{"op": "create", "newState": subnet}]
    (pulumi / "preview.json").write_text(json.dumps({"steps": steps}))
    ended, said = run("--existing", answer=answer)
    assert ended == code
    assert "Network other" in said
    assert (subnet["urn"] in recorded(pulumi)) == (code == 0)


def test_without_pulumi_the_next_step_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    code, said = run()
    assert code == 1
    assert "There is no `pulumi` on PATH" in said
