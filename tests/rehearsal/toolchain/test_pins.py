"""Unit tests: the pins and the Go modules that they name agree."""

import re

import pytest

from rehearsal.toolchain.host import Host
from rehearsal.toolchain.releases import REHEARSAL_RELEASES, GoBuild, Release, releases

ALL = tuple(releases().values())
BUILDS = tuple((release, build) for release in ALL for build in release.builds)
HOSTS = tuple(
    Host(system=system, architecture=architecture)
    for system in ("linux", "darwin")
    for architecture in ("amd64", "arm64")
)


def required_by(build: GoBuild) -> dict[str, str]:
    text = (build.directory / "go.mod").read_text(encoding="utf-8")
    return dict(re.findall(r"^\t(\S+) (v\S+)", text, re.MULTILINE))


@pytest.mark.parametrize(("release", "build"), BUILDS, ids=[build.module for _, build in BUILDS])
def test_a_go_module_requires_exactly_the_pinned_version(release: Release, build: GoBuild) -> None:
    versions = required_by(build)
    for package in build.packages.values():
        module = max((name for name in versions if package.startswith(name)), key=len)
        assert versions[module] == (build.version or release.version)


@pytest.mark.parametrize("build", [build for _, build in BUILDS], ids=lambda build: build.module)
def test_a_go_module_names_the_built_packages_as_its_tools(build: GoBuild) -> None:
    text = (build.directory / "go.mod").read_text(encoding="utf-8")
    single = re.findall(r"^tool (\w\S+)$", text, re.MULTILINE)
    block = re.search(r"^tool \(\n(.*?)^\)", text, re.MULTILINE | re.DOTALL)
    assert sorted([*single, *(block[1].split() if block else [])]) == sorted(
        build.packages.values()
    )
    assert text.startswith(f"module daskfleet/toolchain/{build.module}\n")
    assert (build.directory / "go.sum").stat().st_size


def test_all_kubernetes_libraries_are_of_the_same_release_as_the_servers() -> None:
    build = releases()["kubernetes"].builds[0]
    text = (build.directory / "go.mod").read_text(encoding="utf-8")
    replaced = set(re.findall(r"=> k8s.io/\S+ (v\S+)", text))
    assert replaced == {releases()["kubernetes"].version.replace("v1.", "v0.", 1)}


@pytest.mark.parametrize("release", ALL, ids=lambda release: release.name)
def test_every_executable_can_be_built(release: Release) -> None:
    assert set(release.executables) <= release.built_versions.keys()


@pytest.mark.parametrize("release", ALL, ids=lambda release: release.name)
@pytest.mark.parametrize("host", HOSTS, ids=lambda host: f"{host.system}-{host.architecture}")
def test_every_download_has_an_address_without_gaps_and_a_published_checksum(
    release: Release, host: Host
) -> None:
    for download in release.downloads_for(host):
        assert download.url.startswith("https://")
        assert download.checksums_url.startswith("https://")
        assert release.version in download.url
        assert not {"{", "}"} & {*download.url, *download.checksums_url}


def test_macos_gets_no_kubernetes_download_because_none_is_published() -> None:
    mac = Host(system="darwin", architecture="arm64")
    assert releases()["kubernetes"].downloads_for(mac) == ()


def test_the_rehearsal_does_not_wait_for_tools_that_only_checks_need() -> None:
    assert set(REHEARSAL_RELEASES) == releases().keys() - {"actionlint", "fake-gcs-server"}


def test_the_api_server_is_built_to_report_its_version() -> None:
    kubernetes = releases()["kubernetes"]
    flags = kubernetes.builds[0].linker_flags(release_version="v1.36.3")
    assert "-X k8s.io/component-base/version.gitVersion=v1.36.3" in flags
    assert "-X k8s.io/component-base/version.gitMinor=36" in flags
