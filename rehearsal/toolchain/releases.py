"""The pins of `rehearsal/toolchain/pins.yaml`, typed."""

from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field

from rehearsal.toolchain.host import Host

PINS = Path(__file__).with_name("pins.yaml")
MODULES = Path(__file__).with_name("modules")
REHEARSAL_RELEASES = ("etcd", "kubernetes", "kubectl", "kwok", "helm", "pulumi")


class _Pin(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Download(_Pin):
    """An official file of a release.

    Attributes:
        url: template of the file's address.
        checksums_url: template of the place where its publisher announces the SHA-256.
        members: glob patterns of the entries to take from an archive, installed by their last
            name. None: the file is the executable itself.
        systems: operating systems that the file is published for, in Go's spelling.

    """

    url: str
    checksums_url: str
    members: tuple[str, ...] = ()
    systems: tuple[str, ...] = ("linux", "darwin")


class ModuleFile(_Pin):
    """A file that a Go module carries beside its packages."""

    module: str
    path: str


class GoBuild(_Pin):
    """Executables built from one wrapper module.

    Attributes:
        module: folder in `rehearsal/toolchain/modules/` with go.mod and go.sum.
        version: where it differs from the release's.
        packages: executable to Go main package.
        variables: Go string variable to its value, set by the linker.
        files: executable to the module file that it is a copy of.
        usual_minutes: wall time of a first build on two cores; for the progress lines only.

    """

    module: str
    version: str | None = None
    packages: dict[str, str]
    variables: dict[str, str] = Field(default_factory=dict)
    files: dict[str, ModuleFile] = Field(default_factory=dict)
    usual_minutes: float

    @property
    def directory(self) -> Path:
        """Where go.mod and go.sum lie."""
        return MODULES / self.module

    def linker_flags(self, *, release_version: str) -> str:
        """No symbol tables (half the size), and the version that the program reports."""
        version = self.version or release_version
        settings = (
            f"-X {name}={value.format(**_version_words(version))}"
            for name, value in self.variables.items()
        )
        return " ".join(("-s -w", *settings))


class Release(_Pin):
    """Executables that belong together and are always taken from the same place.

    Attributes:
        name: how messages call it.
        version: upstream's tag.
        executables: what an installation must hold.
        asked: the executable that is asked for its version for all; None: each is asked.
        version_command: arguments that make an executable print its version.
        downloads: official files; together, those for a system hold all executables.
        builds: the way from source.

    """

    name: str
    version: str
    executables: tuple[str, ...]
    asked: str | None = None
    version_command: tuple[str, ...]
    downloads: tuple[Download, ...]
    builds: tuple[GoBuild, ...]

    @property
    def title(self) -> str:
        """Name and version, as progress lines begin."""
        return f"{self.name} {self.version}"

    @property
    def built_versions(self) -> dict[str, str]:
        """Each executable's version where it is built; the language host may have its own."""
        return {
            name: build.version or self.version
            for build in self.builds
            for name in (*build.packages, *build.files)
        }

    def downloads_for(self, host: Host) -> tuple[Download, ...]:
        """Give the official files for a machine, addresses filled in."""
        words = _version_words(self.version) | {
            "os": host.system,
            "arch": host.architecture,
            "x64": "x64" if host.architecture == "amd64" else host.architecture,
        }
        return tuple(
            download.model_copy(
                update={
                    "url": download.url.format(**words),
                    "checksums_url": download.checksums_url.format(**words),
                }
            )
            for download in self.downloads
            if host.system in download.systems
        )


def _version_words(version: str) -> dict[str, str]:
    number = version.removeprefix("v")
    major, minor, _ = number.split(".", maxsplit=2)
    return {"version": version, "number": number, "major": major, "minor": minor}


@cache
def releases() -> dict[str, Release]:
    """Read the pins, by name."""
    documents = yaml.safe_load(PINS.read_text(encoding="utf-8"))
    pinned = (Release.model_validate(document) for document in documents)
    return {release.name: release for release in pinned}
