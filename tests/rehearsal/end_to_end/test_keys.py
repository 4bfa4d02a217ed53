"""End to end: a fleet with keys of its own and Binary Authorization, by docs/keys.md."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import yaml
from markdown_it import MarkdownIt

from rehearsal.engine.engine import EngineFailedError
from rehearsal.report.requests import Mark, google_writes, kubernetes_writes, lines_since
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from rehearsal.up import PROGRAM_USER
from tests.guides.typed import commands_of
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, work
from tests.rehearsal.end_to_end.shell import typed

pytestmark = pytest.mark.rehearsal

PAGE = "docs/keys.md"
KEYS = "projects/acme-keys/locations/us-central1/keyRings/fleet/cryptoKeys"
WHERE = "--project=acme-keys --location=us-central1 --keyring=fleet"
MAKES, GRANTS = "Id=", ":setIamPolicy"
"""What requests of the page have in them."""

DENIED = "Permission 'cloudkms.cryptoKeyVersions.useToEncrypt' denied on resource"


@pytest.fixture(scope="module")
def fleet(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningRehearsal]:
    """An empty stage for a stack with the settings of the page; no key is there."""
    del binaries
    running = RunningRehearsal(tmp_path_factory.mktemp("keys"))
    running.base = with_settings_of_the_page(running.base)
    running.configure(running.base)
    yield running
    end_rehearsal(running.workspace, report=print)


def with_settings_of_the_page(base: Settings) -> Settings:
    """The settings with the page's keys, and with Binary Authorization as its text has it."""
    (keys,) = (
        yaml.safe_load(token.content)
        for token in MarkdownIt().parse((PROJECT_DIR / PAGE).read_text("utf-8"))
        if token.type == "fence" and token.info == "yaml"
    )
    cluster = {**base["daskfleet:cluster"], "binary_authorization": True}
    return {**base, **keys, "daskfleet:cluster": cluster}


def test_a_fleet_comes_up_once_googles_agents_may_use_its_keys(fleet: RunningRehearsal) -> None:
    assert commands_that_mend(fleet) == [
        f"gcloud kms keys create {name} {WHERE} --purpose=encryption" for name in ("disks", "etcd")
    ]
    type_the_page(fleet, without=(GRANTS,))
    mends = commands_that_mend(fleet)
    for name, agent, command in zip(
        ("disks", "etcd"), ("compute-system", "container-engine-robot"), mends, strict=True
    ):
        assert command.startswith(f"gcloud kms keys add-iam-policy-binding {name} {WHERE} ")
        assert f"@{agent}.iam.gserviceaccount.com" in command
    assert f"{DENIED} '{KEYS}/etcd'" in refusal(fleet)

    type_the_page(fleet, without=(MAKES, f"disks{GRANTS}"))
    assert commands_that_mend(fleet) == mends[:1]
    assert f"Cloud KMS error when using key {KEYS}/disks: {DENIED} '{KEYS}/disks'" in refusal(fleet)

    type_the_page(fleet, without=(MAKES, f"etcd{GRANTS}"))
    assert commands_that_mend(fleet) == []
    fleet.up()
    cluster = told_of(fleet)
    assert cluster["databaseEncryption"] == {
        "state": "ENCRYPTED",
        "keyName": f"{KEYS}/etcd",
        "currentState": "CURRENT_STATE_ENCRYPTED",
    }
    assert cluster["binaryAuthorization"] == {"evaluationMode": "PROJECT_SINGLETON_POLICY_ENFORCE"}
    disks = {each["name"]: each["config"].get("bootDiskKmsKey") for each in cluster["nodePools"]}
    assert disks == dict.fromkeys(
        ("system", "scheduler-pool", "a100-fixed", "a100-auto"), f"{KEYS}/disks"
    )
    assert {pod.team for pod in fleet.see().pods if pod.is_ready} >= {"climate", "genomics"}

    google, kubernetes = Mark.now(fleet.workspace.request_log), Mark.now(fleet.cluster.audit_log)
    assert work(fleet.up()) == {}
    assert google_writes(lines_since(google)) == ()
    assert kubernetes_writes(lines_since(kubernetes), user=PROGRAM_USER) == ()


def commands_that_mend(fleet: RunningRehearsal) -> list[str]:
    """What the doctor gives to type for all that it finds wrong."""
    done = typed(fleet, sys.executable, "-m", "daskfleet", "doctor", "--json")
    wrong = [each for each in json.loads(done.stdout)["findings"] if each["outcome"] == "wrong"]
    assert bool(done.returncode) == bool(wrong), done.stderr
    return [each["command"] for each in wrong]


def type_the_page(fleet: RunningRehearsal, *, without: tuple[str, ...]) -> None:
    """Type the page's commands as its reader does in a shell, but for some."""
    lines = [each.text for each in commands_of(PAGE) if "daskfleet rehearse " not in each.text]
    left = [line for line in lines if not any(part in line for part in without)]
    assert len(left) < len(lines)
    done = typed(fleet, "bash", "-euc", "\n".join(left))
    assert done.returncode == 0, done.stderr


def refusal(fleet: RunningRehearsal) -> str:
    """What an `up` that ends with an error says, in one line."""
    with pytest.raises(EngineFailedError):
        fleet.up()
    return " ".join(fleet.said.split())


def told_of(fleet: RunningRehearsal) -> dict[str, Any]:
    """What the emulated Google tells of the cluster."""
    project = fleet.base["daskfleet:project"]
    url = f"{fleet.base_url}/container/v1beta1/projects/{project}/locations/-/clusters"
    (cluster,) = httpx.get(url).raise_for_status().json()["clusters"]
    told: dict[str, Any] = cluster
    return told
