"""axe-core as npm publishes it: fetched once, compared with its digest, and kept.

What PyPI has of it is releases older. The digest is the one that ``npm view axe-core dist``
tells; https://github.com/dequelabs/axe-core is under MPL-2.0.
"""

import hashlib
import io
import tarfile
from base64 import b64encode

import httpx

from daskfleet.files import write_file
from rehearsal.toolchain.cache import default_cache_directory

VERSION = "4.14.1"
INTEGRITY = (
    "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NP"
    "jCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
)
PUBLISHED_AT = f"https://registry.npmjs.org/axe-core/-/axe-core-{VERSION}.tgz"
SCRIPT = "package/axe.min.js"
ANSWER_S = 30


class AxeError(Exception):
    """It cannot be had, or is not what was published; the message says which."""


def axe() -> str:
    """Return the script.

    Raises:
        AxeError: it is not kept yet and npm's registry does not give it.

    """
    kept = default_cache_directory().with_name(f"axe-core-{VERSION}.js")
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_file(kept, script_of(_fetched()))
    return kept.read_text("utf-8")


def script_of(package: bytes) -> bytes:
    """Unpack the script.

    Raises:
        AxeError: the package is not the published one.

    """
    found = f"sha512-{b64encode(hashlib.sha512(package).digest()).decode()}"
    if found != INTEGRITY:
        raise AxeError(f"{PUBLISHED_AT} has {found}, and tests/axe.py knows {INTEGRITY}.")
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        script = archive.extractfile(SCRIPT)
        if script is None:
            raise AxeError(f"{PUBLISHED_AT} has no file {SCRIPT}.")
        return script.read()


def _fetched() -> bytes:
    try:
        answer = httpx.get(PUBLISHED_AT, timeout=ANSWER_S).raise_for_status()
    except httpx.HTTPError as error:
        raise AxeError(f"axe-core cannot be fetched from {PUBLISHED_AT}: {error}") from error
    return answer.content
