"""The way from source: wrapper modules whose go.sum pins every line that is compiled."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rehearsal.toolchain.cache import disk_full
from rehearsal.toolchain.errors import ToolchainError
from rehearsal.toolchain.releases import GoBuild, Release

REPORT_EVERY_S = 15
LINES_OF_AN_ERROR = 15

# CGO off: no C compiler needed, and the result runs on any Linux. GOWORK off: a go.work above the
# checkout must not change what is built.
GO_ENVIRONMENT = {"CGO_ENABLED": "0", "GOWORK": "off"}
GO_FLAGS = ("-trimpath", "-buildvcs=false", "-mod=readonly")

_GO_VERSION = re.compile(r"go(\d+)\.(\d+)")
_GO_DIRECTIVE = re.compile(r"^go (\d+)\.(\d+)", re.MULTILINE)


def find_go(build: GoBuild) -> Path:
    """Give the Go command, new enough for a wrapper module.

    Raises:
        ToolchainError: there is none, or it is too old; says what to install.

    """
    needed = _minimum_version(build)
    remedy = (
        f"Install Go {needed[0]}.{needed[1]} or newer (https://go.dev/dl, `brew install go`) and "
        f"try again; Go 1.21 or newer fetches it by itself where GOTOOLCHAIN=auto is set."
    )
    found = shutil.which("go")
    if found is None:
        raise ToolchainError(
            f"{build.module} must be built from source, and there is no `go` on PATH. {remedy}"
        )
    # Asked inside the module, so that a Go which fetches newer toolchains by itself answers with
    # the version that it would build with.
    answer = subprocess.run(
        [found, "env", "GOVERSION"],
        cwd=build.directory,
        env={**os.environ, **GO_ENVIRONMENT},
        capture_output=True,
        text=True,
        check=False,
    )
    version = _GO_VERSION.search(answer.stdout)
    if answer.returncode or version is None or _pair(version) < needed:
        said = (answer.stdout + answer.stderr).strip()
        raise ToolchainError(f"{found} is too old to build {build.module} ({said}). {remedy}")
    return Path(found)


def build_release(release: Release, *, into: Path, progress: Callable[[str], None]) -> None:
    """Build all executables of a release into a folder.

    An interrupted build loses little: Go keeps every package that it has compiled.

    Raises:
        ToolchainError: Go is missing or too old, the disk is full, or a build fails.

    """
    for build in release.builds:
        go = find_go(build)
        flags = (*GO_FLAGS, "-ldflags", build.linker_flags(release_version=release.version))
        # One command for all packages of a module: Go then links them in parallel.
        with tempfile.TemporaryDirectory(dir=into) as outputs:
            _run_go(
                (str(go), "build", *flags, "-o", f"{outputs}/", *build.packages.values()),
                build=build,
                title=release.title,
                progress=progress,
            )
            for executable, package in build.packages.items():
                (Path(outputs) / _output_name(package)).rename(into / executable)
        for name, file in build.files.items():
            source = _module_directory(go, build=build, module=file.module) / file.path
            shutil.copyfile(source, into / name)
            (into / name).chmod(0o755)


def _run_go(
    command: tuple[str, ...], *, build: GoBuild, title: str, progress: Callable[[str], None]
) -> None:
    started = time.monotonic()
    progress(f"{title}: building {build.module} from source")
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            cwd=build.directory,
            env={**os.environ, **GO_ENVIRONMENT},
            stdout=output,
            stderr=subprocess.STDOUT,
            # Go's compilers are ended together with it.
            start_new_session=True,
        )
        try:
            while process.poll() is None:
                try:
                    process.wait(timeout=REPORT_EVERY_S)
                except subprocess.TimeoutExpired:
                    elapsed = _minutes(time.monotonic() - started)
                    progress(f"{title}: building {build.module}, {elapsed} so far")
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait()
        output.seek(0)
        said = output.read().decode(errors="replace")
    if process.returncode:
        raise ToolchainError(_explain(said, command=command, build=build))
    progress(f"{title}: built {build.module} in {_minutes(time.monotonic() - started)}")


def _explain(said: str, *, command: tuple[str, ...], build: GoBuild) -> str:
    lines = said.splitlines()
    if full := [line for line in lines if "no space left on device" in line]:
        return disk_full(f"Go said: {full[-1].strip()}")
    last_lines = "\n".join(lines[-LINES_OF_AN_ERROR:])
    return (
        f"Building {build.module} failed. `{' '.join(command[:2])}` in {build.directory} said:\n"
        f"{last_lines}\n"
        f"Where the module proxy is not reachable, set GOPROXY to one that is; what is compiled "
        f"so far is kept, so trying again continues."
    )


def _module_directory(go: Path, *, build: GoBuild, module: str) -> Path:
    answer = subprocess.run(
        [go, "list", "-m", "-f", "{{.Dir}}", module],
        cwd=build.directory,
        env={**os.environ, **GO_ENVIRONMENT},
        capture_output=True,
        text=True,
        check=True,
    )
    return Path(answer.stdout.strip())


def _output_name(package: str) -> str:
    """Name the file as `go build` does: the last element that is not a major version."""
    *_, before, last = package.split("/")
    return before if re.fullmatch(r"v\d+", last) else last


def _minimum_version(build: GoBuild) -> tuple[int, int]:
    directive = _GO_DIRECTIVE.search((build.directory / "go.mod").read_text(encoding="utf-8"))
    if directive is None:
        raise ToolchainError(f"{build.directory / 'go.mod'} has no `go` line; restore it from git.")
    return _pair(directive)


def _pair(version: re.Match[str]) -> tuple[int, int]:
    return int(version[1]), int(version[2])


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
