"""The wheel, and environments with it."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.project import PROJECT_DIR

UV = (str(Path(sys.executable).with_name("uv")), "--quiet", "--no-config")
MEBIBYTE = 1024 * 1024


def build_wheel(directory: Path) -> Path:
    """Build the wheel as ``pip wheel`` does, with the backend that is installed here."""
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(directory))
    subprocess.run(build, cwd=PROJECT_DIR, check=True, capture_output=True)
    (wheel,) = directory.glob("*.whl")
    return wheel


@dataclass(frozen=True)
class Installed:
    """A virtual environment that has the wheel, what it asks for, and nothing of this checkout."""

    directory: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.directory / "bin" / "python"

    def run(self, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
        """Run its Python, in an empty folder and with an environment of nothing else."""
        return subprocess.run(
            [str(self.python), *arguments],
            cwd=home,
            env={"HOME": str(home), "PATH": str(self.directory / "bin")},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def daskfleet(self, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
        """Run the command."""
        return self.run(str(self.directory / "bin" / "daskfleet"), *arguments, home=home)

    @property
    def packages(self) -> list[str]:
        """All that is installed in it."""
        return sorted(each.name for each in self._site_packages.glob("*.dist-info"))

    def size_mib(self) -> float:
        """Return what it takes on the disk; before it is used, since what is used is compiled."""
        files = (each for each in self._site_packages.rglob("*") if each.is_file())
        return sum(each.stat().st_size for each in files) / MEBIBYTE

    @property
    def _site_packages(self) -> Path:
        (found,) = self.directory.glob("lib/python3.*/site-packages")
        return found


def installed(wheel: Path, directory: Path, *more: str, python: Path) -> Installed:
    """Install the wheel, and further packages, in an environment of their own."""
    made = Installed(directory)
    subprocess.run([*UV, "venv", "--python", str(python), str(directory)], check=True)
    install = (*UV, "pip", "install", "--python", str(made.python))
    # The environment of the tests is none of its business.
    ours = {name: each for name, each in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([*install, str(wheel), *more], check=True, env=ours)
    print(  # noqa: T201 - what docs/connect.md tells
        f"{python}: {len(made.packages)} packages, {made.size_mib():.0f} MiB {' '.join(more)}"
    )
    return made
