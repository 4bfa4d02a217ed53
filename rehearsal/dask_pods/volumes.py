"""A pod's volumes as directories of its own, and where its mount paths are on this machine."""

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rehearsal.dask_pods.model import Document, Mounted, PodPlace
from rehearsal.dask_pods.pod_fields import container_resource, pod_field

DEFAULT_MODE = 0o600
"""Kubernetes' default is 0644, in a container; here other users may share the machine."""


class VolumeError(Exception):
    """A volume cannot be made; the message says which and why."""


@dataclass(frozen=True, kw_only=True)
class VolumeFile:
    """One file of a volume."""

    path: str
    content: bytes
    mode: int


class LocalPaths:
    """Turns paths of a container into paths of this machine."""

    def __init__(self, mounts: Mapping[str, Path]) -> None:
        """``mounts``: local directory or file by mount path."""
        # The longest first, so that a mount inside another one wins.
        self._mounts = dict(sorted(mounts.items(), key=lambda item: len(item[0]), reverse=True))
        alternatives = "|".join(re.escape(path) for path in self._mounts)
        # A path ends where another component begins or where no file name goes on: `/data` stands
        # in `/data/x` and in `A=/data:/b`, and neither in `/database` nor in `/my/data`.
        self._pattern = re.compile(rf"(?<![\w./-])(?:{alternatives})(?=/|$|[^\w.-])")

    def __call__(self, text: str) -> str:
        """Replace each mount path that is a whole prefix of a path in ``text``."""
        if not self._mounts:
            return text
        return self._pattern.sub(lambda match: str(self._mounts[match[0]]), text)

    def __iter__(self) -> Iterator[tuple[str, Path]]:
        """Give the mounts, by mount path."""
        return iter(sorted(self._mounts.items()))


def mounts_of(container: Document, *, place: PodPlace) -> LocalPaths:
    """Say where the container's mounts are; pure, whether they exist or not."""
    return LocalPaths(
        {
            mount["mountPath"].rstrip("/"): _directory(place, mount["name"]).joinpath(
                _inside(mount.get("subPath", ""))
            )
            for mount in container.get("volumeMounts", ())
        }
    )


def make_volumes(pod: Document, *, place: PodPlace, mounted: Mounted) -> None:
    """Make every volume of the pod. Raises VolumeError for one that cannot be made."""
    for volume in pod["spec"].get("volumes", ()):
        directory = _directory(place, volume["name"])
        if "emptyDir" in volume:
            # It lives as long as the pod: a container that restarts finds what it wrote.
            _private(directory)
            continue
        if "persistentVolumeClaim" in volume:
            _lead_to_disk(directory, volume["persistentVolumeClaim"]["claimName"], mounted)
            continue
        if directory.exists():
            shutil.rmtree(directory)
        _private(directory)
        for file in _files(volume, pod, place=place, mounted=mounted):
            _write(directory, file)
    for container in pod["spec"]["containers"]:
        for mount in container.get("volumeMounts", ()):
            _make_sub_path(mount, place)


def _lead_to_disk(directory: Path, claim: str, mounted: Mounted) -> None:
    """Make a link: what ends with the pod is the link, and not the disk."""
    if claim not in mounted.disks:
        raise VolumeError(
            f'persistentvolumeclaim "{claim}" has no disk, or a volume of another kind than '
            "hostPath and nfs, which the rehearsal does not play"
        )
    _private(mounted.disks[claim])
    directory.unlink(missing_ok=True)
    _private(directory.parent)
    directory.symlink_to(mounted.disks[claim], target_is_directory=True)


def _make_sub_path(mount: Document, place: PodPlace) -> None:
    if "subPathExpr" in mount:
        raise VolumeError(
            f"{mount['mountPath']} has a subPathExpr, which the rehearsal cannot read"
        )
    where = _directory(place, mount["name"]).joinpath(_inside(mount.get("subPath", "")))
    if not where.exists():
        _private(where)


def _directory(place: PodPlace, volume: str) -> Path:
    return place.directory / "volumes" / volume


def _files(
    volume: Document, pod: Document, *, place: PodPlace, mounted: Mounted
) -> Iterable[VolumeFile]:
    name = volume["name"]
    kind = next((key for key in volume if key != "name"), "emptyDir")
    source: Mapping[str, Any] = volume.get(kind) or {}
    mode = source.get("defaultMode")
    if kind == "configMap":
        return _of_object("configmap", source, mounted.config_maps, mode=mode)
    if kind == "secret":
        # The volume says secretName where every other reference says name.
        return _of_object(
            "secret", {**source, "name": source["secretName"]}, mounted.secrets, mode=mode
        )
    if kind == "downwardAPI":
        return _downward(source, pod, place=place, mode=mode)
    if kind == "projected":
        files: list[VolumeFile] = []
        for part in source.get("sources", ()):
            if "serviceAccountToken" in part:
                files.append(_token(part["serviceAccountToken"], mounted, mode=mode))
            elif "configMap" in part:
                files += _of_object("configmap", part["configMap"], mounted.config_maps, mode=mode)
            elif "secret" in part:
                files += _of_object("secret", part["secret"], mounted.secrets, mode=mode)
            elif "downwardAPI" in part:
                files += _downward(part["downwardAPI"], pod, place=place, mode=mode)
            else:
                raise VolumeError(_unsupported(name, f"projected {next(iter(part))}"))
        return files
    raise VolumeError(_unsupported(name, kind))


def _token(source: Mapping[str, Any], mounted: Mounted, *, mode: int | None) -> VolumeFile:
    content = mounted.tokens[source.get("audience", "")]
    return VolumeFile(path=source["path"], content=content, mode=mode or 0)


def _unsupported(name: str, kind: str) -> str:
    return (
        f"volume {name} is of kind {kind}, which the rehearsal does not make; it makes emptyDir, "
        "configMap, secret, projected, downwardAPI and persistentVolumeClaim. Place the pod only, "
        "with `rehearse up --dask place`"
    )


def _of_object(
    kind: str,
    source: Mapping[str, Any],
    objects: Mapping[str, Mapping[str, bytes]],
    *,
    mode: int | None,
) -> list[VolumeFile]:
    name = source["name"]
    optional = source.get("optional", False)
    if name not in objects and not optional:
        raise VolumeError(f'{kind} "{name}" not found')
    data = objects.get(name, {})
    items = source.get("items") or [{"key": key, "path": key} for key in sorted(data)]
    files = []
    for item in items:
        if item["key"] in data:
            files.append(
                VolumeFile(
                    path=item["path"], content=data[item["key"]], mode=item.get("mode") or mode or 0
                )
            )
        elif not optional:
            raise VolumeError(f'references non-existent {kind} key "{item["key"]}" of "{name}"')
    return files


def _downward(
    source: Mapping[str, Any], pod: Document, *, place: PodPlace, mode: int | None
) -> list[VolumeFile]:
    files = []
    for item in source.get("items", ()):
        if reference := item.get("fieldRef"):
            content = pod_field(reference["fieldPath"], pod, place)
            if content is None:
                raise VolumeError(f"unsupported fieldPath: {reference['fieldPath']}")
        else:
            reference = item["resourceFieldRef"]
            content = container_resource(reference, _container(pod, reference["containerName"]))
        files.append(
            VolumeFile(
                path=item["path"], content=content.encode(), mode=item.get("mode") or mode or 0
            )
        )
    return files


def _container(pod: Document, name: str) -> Document:
    containers: list[Document] = pod["spec"]["containers"]
    return next(container for container in containers if container["name"] == name)


def _write(directory: Path, file: VolumeFile) -> None:
    where = directory.joinpath(_inside(file.path))
    where.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    where.touch(mode=DEFAULT_MODE)
    where.write_bytes(file.content)
    # What the pod asks for, but nothing for others, and its owner can always delete it.
    where.chmod((file.mode & 0o700) | DEFAULT_MODE)


def _inside(path: str) -> str:
    """The API server refuses a path with ``..``; a second look costs nothing."""
    if Path(path).is_absolute() or ".." in Path(path).parts:
        raise VolumeError(f"path {path!r} leads out of its volume")
    return path


def _private(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
