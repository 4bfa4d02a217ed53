"""Pure: what the operator's pod has beside its image, so that it unpickles nothing.

kopf loads a file that its arguments name before the modules that they name (``kopf run FILE -m
MODULE``, ``loaders.preload``), so the file comes before the operator's controller. Were it missing
or wrong, kopf would end and the operator never be ready.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import in_cluster
from manifests.program_files import PROGRAM_PATH, digest_of

HERE = Path(in_cluster.__file__).parent
FIRST = "guarded_operator.py"
"""What kopf loads first. It lies beside the package that it imports."""


def program() -> dict[str, str]:
    """Return the files by path."""
    package = (HERE / "__init__.py", *sorted(HERE.glob("operator_http/*.py")))
    return {
        FIRST: (HERE / FIRST).read_text(encoding="utf-8"),
        **{f"{file.relative_to(HERE.parent)}": file.read_text("utf-8") for file in package},
    }


def config_map_name(files: Mapping[str, str]) -> str:
    """Return another name for other files: the old ones stay until the last pod that has them."""
    return f"dask-operator-{digest_of(files)}"


def config_map_data(files: Mapping[str, str]) -> dict[str, str]:
    """Return the files by key, in which no slash may be."""
    return {_key(path): text for path, text in files.items()}


def chart_values(files: Mapping[str, str]) -> dict[str, Any]:
    """Return the values that give them to the operator's chart (dask-kubernetes-operator).

    It looks for no other operator beside it: it has no right to, and would end if somebody else
    brought kopf's definition for that (``clusterkopfpeerings``).
    """
    return {
        "kopfArgs": ["--all-namespaces", "--standalone", f"{PROGRAM_PATH}/{FIRST}"],
        "volumes": [
            {
                "name": "program",
                "configMap": {
                    "name": config_map_name(files),
                    "items": [{"key": _key(path), "path": path} for path in sorted(files)],
                },
            }
        ],
        "volumeMounts": [{"name": "program", "mountPath": PROGRAM_PATH, "readOnly": True}],
    }


def _key(path: str) -> str:
    return path.replace("/", ".")
