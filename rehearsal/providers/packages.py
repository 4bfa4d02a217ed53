"""The provider packages of the program, and where Pulumi keeps a package's plugin."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final


@dataclass(frozen=True)
class Package:
    """A provider package: its name, its Python SDK, the major version that the program needs."""

    name: str
    sdk: str
    major: int

    @property
    def sdk_version(self) -> str:
        """Version of the plugin that the installed Python SDK asks for."""
        text = files(self.sdk).joinpath("pulumi-plugin.json").read_text(encoding="utf-8")
        version: str = json.loads(text)["version"]
        return version

    @property
    def executable(self) -> str:
        """File name of the plugin's executable."""
        return f"pulumi-resource-{self.name}"

    def folders(self, plugins: Path) -> Iterator[Path]:
        """Find every folder of this package's plugins, whatever the version."""
        return plugins.glob(f"resource-{self.name}-v*")

    def newest(self, plugins: Path) -> tuple[str, Path] | None:
        """Find the newest plugin of the right major that has its executable."""
        found = {
            version: folder
            for folder in self.folders(plugins)
            if (version := _version_of(folder.name))
            and version[0] == self.major
            and (folder / self.executable).is_file()
        }
        if not found:
            return None
        newest = max(found)
        return ".".join(map(str, newest)), found[newest]


PACKAGES: Final = (
    Package(name="gcp", sdk="pulumi_gcp", major=10),
    Package(name="kubernetes", sdk="pulumi_kubernetes", major=4),
    Package(name="random", sdk="pulumi_random", major=4),
    Package(name="tls", sdk="pulumi_tls", major=5),
)


def _version_of(folder: str) -> tuple[int, ...] | None:
    """Read a release's version; previews and local builds do not count."""
    match = re.fullmatch(r"resource-[a-z-]+-v(\d+)\.(\d+)\.(\d+)", folder)
    return tuple(map(int, match.groups())) if match else None
