"""``python -m tests.operators_own``: run them, and compare with docs/operator-tests.md."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rehearsal.control_plane import ControlPlane
from rehearsal.dask_pods.cluster_names import finds_services_by
from rehearsal.toolchain import Binaries, ensure_toolchain
from tests.attacks.team_of_members import define_kinds
from tests.operators_own.fixtures import IMAGE_VARIABLE
from tests.operators_own.source import BUILT_UPSTREAM, NoSourceError, fetch, installed, lay_out
from tests.operators_own.told import PAGE, differences, failed_of, seen, told
from tests.project import PROJECT_DIR
from tests.rehearsal.control_plane.conftest import POD_CIDR, SERVICE_CIDR, ApiClient
from tests.rehearsal.kubelets import kubelets

OLDER_IMAGE = "ghcr.io/dask/dask:2026.3.0"
"""Of the operator's own month: it has the commands that upstream's tests run."""

TRIES = 3
"""Upstream's own workflow runs a test that fails up to five times again."""

ALL_THAT_PODS_ASK = {"cpu": "64", "memory": "256Gi", "pods": "110"}


def main() -> int:
    """Return 0 if the page says what was seen, 1 if it does not, 2 if nothing could be run."""
    parser = argparse.ArgumentParser(prog="python -m tests.operators_own", description=__doc__)
    parser.add_argument(
        "--source", type=Path, help="an unpacked source of dask-kubernetes in place of PyPI's"
    )
    parser.add_argument(
        "--image",
        default=OLDER_IMAGE,
        help=f"what pods are said to run (default: {OLDER_IMAGE}; upstream: {BUILT_UPSTREAM})",
    )
    parser.add_argument("-k", dest="only", default="", help="as pytest's; nothing is compared then")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        try:
            source = asked.source or fetch(_made(directory / "source"))
            tests = lay_out(source, _made(directory / "tests"), image=asked.image)
        except NoSourceError as error:
            print(error, file=sys.stderr)  # noqa: T201
            return 2
        binaries = ensure_toolchain(progress=print)
        with _stage(binaries, directory) as environment:
            results: dict[str, str] = {}
            for number in range(TRIES):
                report = directory / f"report-{number}.xml"
                only = " or ".join(failed_of(results)) if number else asked.only
                _run(tests, only, report=report, environment=environment, image=asked.image)
                results |= seen(report)
                if not failed_of(results):
                    break
    passed = sum(result == "passes" for result in results.values())
    told_of = f"dask-kubernetes {installed()}, {asked.image}"
    print(f"{told_of}: {passed} of {len(results)} tests pass")  # noqa: T201
    if asked.only or asked.image != OLDER_IMAGE:
        return 0
    wrong = list(differences(told(PAGE.read_text("utf-8")), results))
    for sentence in wrong:
        print(f"{PAGE.relative_to(PROJECT_DIR)}: {sentence}", file=sys.stderr)  # noqa: T201
    return 1 if wrong else 0


def _run(
    tests: Sequence[Path],
    only: str,
    *,
    report: Path,
    environment: Mapping[str, str],
    image: str,
) -> None:
    subprocess.run(
        [
            *(sys.executable, "-m", "pytest", *map(str, tests), "-k", only),
            *("-p", "tests.operators_own.fixtures", "-p", "no:cacheprovider"),
            *(f"--junit-xml={report}", f"--rootdir={report.parent}", "--import-mode=importlib"),
            *("--tb=line", "--show-capture=no", "-v", "-c", os.devnull, "-W", "ignore"),
        ],
        cwd=report.parent,
        env={**os.environ, **environment, IMAGE_VARIABLE: image},
        check=False,
    )


def _made(directory: Path) -> Path:
    directory.mkdir()
    return directory


@contextmanager
def _stage(binaries: Binaries, directory: Path) -> Iterator[Mapping[str, str]]:
    """Give a control plane with one large node whose pods run, as variables for the tests."""
    control_plane = ControlPlane(
        binaries=binaries,
        directory=directory / "control-plane",
        service_cidr=SERVICE_CIDR,
        pod_cidr=POD_CIDR,
        dask="run",
    )
    control_plane.start()
    try:
        with ApiClient(control_plane, token=control_plane.client_token) as platform:
            define_kinds(platform)
            platform.create(
                "/api/v1/nodes",
                {
                    "metadata": {"name": "n1", "annotations": {"kwok.x-k8s.io/node": "fake"}},
                    "status": {"capacity": ALL_THAT_PODS_ASK, "allocatable": ALL_THAT_PODS_ASK},
                },
            )
        with kubelets(control_plane, directory) as hosts:
            found_by = finds_services_by(hosts)
            python_path = (found_by["PYTHONPATH"], str(PROJECT_DIR))
            path = (str(binaries.kubectl.parent), os.environ["PATH"])
            yield {
                **found_by,
                "KUBECONFIG": str(control_plane.admin_kubeconfig),
                "PATH": os.pathsep.join(path),
                "PYTHONPATH": os.pathsep.join(python_path),
            }
    finally:
        control_plane.stop()


if __name__ == "__main__":
    sys.exit(main())
