"""Integration: `pulumi new` with the template, and its program with the wheel and no checkout."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from rehearsal.toolchain import Binaries, ensure_toolchain
from tests.package.installing import build_wheel, installed
from tests.project import PROJECT_DIR

TEMPLATE = PROJECT_DIR / "template"
PROGRAM = """
import asyncio, json, runpy, sys
import components, pulumi
from pulumi import resource_hooks
from pulumi.runtime import mocks

COMPUTED = {
    "gcp:container/cluster:Cluster": {
        "endpoint": "192.0.2.1",
        "masterAuth": {"clusterCaCertificate": "Q0E="},
        "controlPlaneEndpointsConfig": {"dnsEndpointConfig": {"endpoint": "gke-1.example.goog"}},
    },
    "gcp:serviceaccount/account:Account": {
        "email": "nodes@example.test", "member": "serviceAccount:nodes@example.test"
    },
}
CLUSTER = "kubernetes:kubernetes.dask.org/v1:DaskCluster"
declared = {}

class Mocks(mocks.Mocks):
    def new_resource(self, asked):
        if not asked.typ.startswith("daskfleet:"):  # components have the names of teams
            declared[asked.name] = asked
        return f"{asked.name}-id", {**asked.inputs, **COMPUTED.get(asked.typ, {})}

    def call(self, asked):
        raise AssertionError(asked.token)

async def registered():
    pass

resource_hooks.register_resource_hook = lambda hook: asyncio.ensure_future(registered())
resource_hooks.register_error_hook = resource_hooks.register_resource_hook
asyncio.set_event_loop(asyncio.new_event_loop())
mocks.set_mocks(Mocks(), project="our-fleet", stack="dev", preview=True)
pulumi.runtime.set_all_config(json.loads(sys.argv[1]))
pulumi.runtime.test(lambda: runpy.run_path("__main__.py", run_name="__main__"))()
print(json.dumps({
    "code": components.__file__,
    "chart": declared["dask-crds"].inputs["chart"],
    "clusters": [each.name for each in declared.values() if each.typ == CLUSTER],
    "notice": declared["fraud-notice"].inputs["data"],
}))
"""


@pytest.fixture(scope="session")
def binaries() -> Binaries:
    """The toolchain, built with visible progress if it is not there."""
    return ensure_toolchain(progress=print)


def new_project(pulumi: Path, directory: Path) -> None:
    """Begin a project with the template, as somebody does who has a URL of it."""
    directory.mkdir()
    offline = {"PULUMI_HOME": str(directory.parent / "home"), "PULUMI_SKIP_UPDATE_CHECK": "true"}
    names = ("--name", "our-fleet", "--description", "Ours")
    subprocess.run(
        [str(pulumi), "new", str(TEMPLATE), "--generate-only", "--yes", *names],
        cwd=directory,
        env={**os.environ, **offline},
        check=True,
        capture_output=True,
        timeout=120,
    )


# Minutes where packages have to be downloaded.
@pytest.mark.rehearsal
@pytest.mark.soak(every=3)
def test_a_project_of_ones_own_declares_the_fleet_with_the_package_alone(
    binaries: Binaries, tmp_path: Path
) -> None:
    project = tmp_path / "ours"
    new_project(binaries.pulumi, project)
    begun = yaml.safe_load((project / "Pulumi.yaml").read_text("utf-8"))
    assert (begun["name"], begun["description"]) == ("our-fleet", "Ours")
    assert "template" not in begun

    wheel = build_wheel(tmp_path / "dist")
    (asked,) = (
        line.partition(" @ ")[0]
        for line in (project / "requirements.txt").read_text("utf-8").splitlines()
        if not line.startswith("#")
    )
    made = installed(
        wheel, tmp_path / "venv", f"{asked} @ {wheel.as_uri()}", python=Path(sys.executable)
    )
    shown = yaml.safe_load((project / "stacks/Pulumi.dev.yaml").read_text("utf-8"))["config"]
    settings = {"daskfleet:project": "example-project", **shown}
    given = {
        key: each if isinstance(each, str) else json.dumps(each) for key, each in settings.items()
    }
    done = made.run("-c", PROGRAM, json.dumps(given), home=project)
    assert done.returncode == 0, done.stderr
    told = yaml.safe_load(done.stdout.splitlines()[-1])

    assert told["code"].startswith(str(tmp_path / "venv"))
    assert told["chart"] == "./.daskfleet/dask-crds"
    assert told["clusters"] == ["fraud-dask-cluster"]
    assert f'"release": "{wheel.name.split("-")[1]}"' in str(told["notice"])
