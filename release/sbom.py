"""``python -m release.sbom FOLDER``: the list of a release's parts, in CycloneDX's JSON.

Parts are what the locks and tables of this repository pin: Python packages with the hashes of all
their files, Go modules of the rehearsal's binaries, and images. The same commit gives the same
bytes where ``SOURCE_DATE_EPOCH`` says when it was.
"""

import os
import sys
import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from cyclonedx.model import (
    ExternalReference,
    ExternalReferenceType,
    HashAlgorithm,
    HashType,
    Property,
    XsUri,
)
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from daskfleet.catalog.helper_images import HelperImage, helper_images
from release.locks import GoModule, PythonPackage, go_modules, python_names, python_packages
from release.project import ROOT, project

PROGRAM = "requirements.txt"
"""What ``pulumi up`` runs on."""

LOCKS = (PROGRAM, "requirements-rehearsal.txt", "policies/requirements.txt")
GO_MODULES = "rehearsal/toolchain/modules"


def sbom(root: Path = ROOT, *, at: datetime) -> str:
    """Return the list, which has passed CycloneDX's strict schema.

    Raises:
        RuntimeError: it does not pass.
    """
    this = project(root)
    purl = PackageURL("pypi", name=this.name, version=this.version)
    described = Component(
        name=this.name,
        version=this.version,
        type=ComponentType.APPLICATION,
        purl=purl,
        bom_ref=purl.to_string(),
    )
    packages = [*_packages(root, of_the_wheel=this.dependencies)]
    images = [_image(each) for each in helper_images().values()]
    bom = Bom(
        components=[*packages, *_modules(root), *images],
        metadata=BomMetaData(component=described, timestamp=at),
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"{purl.to_string()} {at.isoformat()}"),
    )
    asked = python_names((root / PROGRAM).with_suffix(".in")) | this.dependencies
    is_asked = [each for each in packages if each.name in asked and _is_required(each)]
    bom.register_dependency(described, [*is_asked, *images])
    text = JsonV1Dot6(bom).output_as_string(indent=2) + "\n"
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise RuntimeError(f"The list is no CycloneDX 1.6: {error}")
    return text


def _packages(root: Path, *, of_the_wheel: frozenset[str]) -> Iterator[Component]:
    named: dict[PythonPackage, list[str]] = {}
    for lock in LOCKS:
        for package in python_packages(root / lock):
            named.setdefault(package, []).append(lock)
    for package, locks in named.items():
        purl = PackageURL("pypi", name=package.name, version=package.version)
        files = ExternalReference(
            type=ExternalReferenceType.DISTRIBUTION,
            url=XsUri(f"https://pypi.org/project/{package.name}/{package.version}/#files"),
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=each) for each in package.sha256],
        )
        is_required = PROGRAM in locks or package.name in of_the_wheel
        yield Component(
            name=package.name,
            version=package.version,
            purl=purl,
            bom_ref=f"{purl.to_string()}#{'+'.join(locks)}",
            scope=ComponentScope.REQUIRED if is_required else ComponentScope.OPTIONAL,
            external_references=[files],
            properties=_properties(lock=locks, marker=[package.marker] if package.marker else ()),
        )


def _is_required(component: Component) -> bool:
    return component.scope is ComponentScope.REQUIRED


def _modules(root: Path) -> Iterator[Component]:
    named: dict[GoModule, list[str]] = {}
    for folder in sorted((root / GO_MODULES).iterdir()):
        for module in go_modules(folder):
            named.setdefault(module, []).append(folder.name)
    for module, binaries in sorted(named.items()):
        namespace, _, name = module.path.rpartition("/")
        purl = PackageURL("golang", namespace=namespace, name=name, version=module.version)
        yield Component(
            name=module.path,
            version=module.version,
            purl=purl,
            bom_ref=purl.to_string(),
            scope=ComponentScope.OPTIONAL,
            properties=_properties(binary=binaries, h1=[module.h1] if module.h1 else ()),
        )


def _image(image: HelperImage) -> Component:
    registry, _, path = image.repository.partition("/")
    namespace, _, name = path.rpartition("/")
    purl = (
        PackageURL(
            "oci",
            name=name,
            version=image.digest,
            qualifiers={"repository_url": image.repository, "tag": image.tag},
        )
        if image.digest
        # An `oci` URL needs a digest.
        else PackageURL(
            "docker",
            namespace=namespace,
            name=name,
            version=image.tag,
            qualifiers={"repository_url": registry},
        )
    )
    return Component(
        name=image.repository,
        version=image.pinned_tag,
        type=ComponentType.CONTAINER,
        purl=purl,
        bom_ref=purl.to_string(),
        scope=ComponentScope.REQUIRED,
    )


def _properties(**values: Iterable[str]) -> list[Property]:
    return [
        Property(name=f"daskfleet:{name}", value=value)
        for name, all_of_it in values.items()
        for value in all_of_it
    ]


def main(arguments: list[str]) -> int:
    """Write the list into a folder, under the name of the version."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m release.sbom FOLDER\n")
        return 2
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    at = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    this = project()
    file = Path(arguments[0]) / f"{this.name}-{this.version}.cdx.json"
    text = sbom(at=at)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    sys.stdout.write(f"{file}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
