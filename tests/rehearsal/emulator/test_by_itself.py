"""What docs/emulator.md shows works: the command, the Python, the fault. Unit tier, no network."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from rehearsal.emulator.api_mounts import mount_of
from rehearsal.workspace import ENDPOINTS
from tests.project import PROJECT_DIR

PAGE = (PROJECT_DIR / "docs" / "emulator.md").read_text("utf-8")
SHOWN = "127.0.0.1:8080"


def block(language: str, having: str) -> str:
    """Return the one block of the page that has a text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    (found,) = (each for each in blocks if having in each)
    return str(found)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where an emulator listens that was started as the page says, on a free port."""
    command = "python -m rehearsal.emulator --port 8080"
    assert command in block("sh", "rehearsal.emulator")
    words = command.replace("8080", "0").split()[1:]
    log = tmp_path / "requests.jsonl"
    with subprocess.Popen(
        [sys.executable, *words, "--request-log", str(log)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=PROJECT_DIR,
    ) as process:
        assert process.stdout is not None
        try:
            yield urlsplit(process.stdout.readline().strip()).netloc
        finally:
            process.terminate()


def test_the_example_in_python_prints_what_the_page_says(address: str) -> None:
    example = block("python", "ClusterManagerClient").replace(SHOWN, address)
    ran = subprocess.run(
        [sys.executable, "-c", example], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == block("text", "CREATE_CLUSTER")


def test_the_stock_out_on_demand_is_googles(address: str) -> None:
    fault = re.search(r"-d '(.*)'", block("sh", "/rehearsal/faults"))
    assert fault is not None
    with httpx.Client(base_url=f"http://{address}", timeout=30) as http:
        assert http.post("/rehearsal/faults", content=fault[1]).is_success
        zone = "/container/v1/projects/acme-research/locations/us-central1-c"
        http.post(f"{zone}/clusters", json={"cluster": {"name": "one", "initialNodeCount": 1}})
        pool = {"nodePool": {"name": "spot", "initialNodeCount": 1, "config": {"spot": True}}}
        operation = http.post(f"{zone}/clusters/one/nodePools", json=pool).json()
    assert "GCE_STOCKOUT" in operation["statusMessage"]


def test_the_variables_of_the_page_are_those_of_a_rehearsal() -> None:
    exported = dict(re.findall(r"export (\w+_ENDPOINT)=(\S+)", block("sh", "terraform apply")))
    assert len(exported) == 5
    for variable, url in exported.items():
        assert url == f"http://{SHOWN}/{ENDPOINTS[variable]}"
        assert mount_of(urlsplit(url).path) is not None
