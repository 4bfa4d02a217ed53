"""Charts in local directories: their version and a checksum of their content."""

import hashlib
from pathlib import Path

import yaml

from rehearsal.providers.protocol import ProviderError


def is_local(chart: str) -> bool:
    """Whether the chart is a directory, seen from the program's own directory."""
    return (Path(chart) / "Chart.yaml").is_file()


def local_version(chart: str) -> str:
    """The version in `Chart.yaml`; raises ProviderError when there is none to read."""
    path = Path(chart) / "Chart.yaml"
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        return str(document["version"])
    except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
        raise ProviderError(f"{path} has no readable `version`: {error}") from error


def content_checksum(chart: str) -> str:
    """SHA-256 over names and contents of all files of a chart directory."""
    root = Path(chart)
    digest = hashlib.sha256()
    for path in sorted(item for item in root.rglob("*") if item.is_file()):
        name = path.relative_to(root).as_posix().encode()
        content = path.read_bytes()
        digest.update(b"%d %s %d " % (len(name), name, len(content)))
        digest.update(content)
    return digest.hexdigest()
