"""Pure: the probe as words for a Python's command line, and what it is asked."""

import base64
import io
import json
import zipfile
from collections.abc import Mapping, Sequence

from daskfleet.checkout import SOURCE_DIR

OLDEST_PYTHON = (3, 11)
MOST_MEMORY_BYTES = 8 * 1024**3
"""Of a client that a scheduler sends more than any honest one would."""

PROBE = "in_cluster/dask_probe"

_WITHIN_BOUNDS = f"""
import sys
if sys.version_info < {OLDEST_PYTHON}:
    sys.exit("it is Python %d.%d, and Dask's current releases need {OLDEST_PYTHON[0]}.\
{OLDEST_PYTHON[1]}" % sys.version_info[:2])
import resource
hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
most = {MOST_MEMORY_BYTES} if hard == resource.RLIM_INFINITY else min({MOST_MEMORY_BYTES}, hard)
resource.setrlimit(resource.RLIMIT_DATA, (most, most))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
"""


_HERE = f"""{_WITHIN_BOUNDS}
if sys.path[0] == "":
    sys.path[0] = sys.argv[2]
import types
sys.modules["in_cluster"] = types.ModuleType("in_cluster")
sys.modules["in_cluster"].__path__ = [sys.argv[1]]
from in_cluster.dask_probe.main import main
main(sys.stdin.read())
"""
"""Lets the probe be imported, and nothing else that lies beside it: modules of a team may have the
same names, and an installed package lies among others of its own Python, while this may be another.
What is in the caller's directory can be imported, as in a notebook."""

_IN_A_POD = f"""{_WITHIN_BOUNDS}
import base64, io, os, tempfile, zipfile
os.dup2(1, 2)
own = tempfile.mkdtemp()
zipfile.ZipFile(io.BytesIO(base64.b64decode(sys.argv[1]))).extractall(own)
sys.path.insert(0, own)
from in_cluster.dask_probe.main import main
del sys.path[0]
main(sys.argv[2])
"""
"""Brings the probe along. Both streams are one, so that the log has their lines in order."""


def here(caller_directory: str) -> tuple[str, ...]:
    """Return a Python's arguments for a probe of this machine, which reads the request."""
    return ("-c", _HERE, str(SOURCE_DIR / "in_cluster"), caller_directory)


def in_a_pod(request: str) -> tuple[str, ...]:
    """Return a Python's arguments that carry probe and request."""
    # The kubelet expands `$(NAME)` in arguments; JSON may spell a dollar otherwise.
    return ("-c", _IN_A_POD, _packed(), request.replace("$", r"\u0024"))


def request_text(
    *,
    address: str,
    modules: Sequence[str],
    resources: Sequence[Mapping[str, float]],
    security: Mapping[str, str] | None,
) -> str:
    """Return what the probe is asked; ``security`` names files as ``distributed.Security`` does."""
    return json.dumps(
        {
            "address": address,
            "modules": list(modules),
            "resources": list(resources),
            "security": security,
        }
    )


def _packed() -> str:
    """The probe's files in a ZIP archive, as text: about 20 KB, where a word may have 128 KiB."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in ("in_cluster/__init__.py", *_files()):
            # By name alone: the archive's bytes follow from the files' content, not their times.
            content = (SOURCE_DIR / file).read_bytes()
            packed.writestr(zipfile.ZipInfo(file), content, compress_type=zipfile.ZIP_DEFLATED)
    return base64.b64encode(archive.getvalue()).decode()


def _files() -> list[str]:
    return sorted(f"{PROBE}/{file.name}" for file in (SOURCE_DIR / PROBE).glob("*.py"))
