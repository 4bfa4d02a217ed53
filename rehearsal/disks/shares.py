"""Pure: where on this machine the files of a PersistentVolume are."""

import hashlib
import json
from pathlib import Path

from rehearsal.disks.disk import Document


def directory_of(volume: Document, *, shares: Path) -> Path | None:
    """Return the volume's directory; None for a kind that the rehearsal does not play.

    A share of NFS is a directory of its own below ``shares``: the same one for every volume that
    names the same server and path, whichever namespace claims it. There is no server.
    """
    spec = volume["spec"]
    if "hostPath" in spec:
        return Path(spec["hostPath"]["path"])
    if "nfs" in spec:
        address = json.dumps([spec["nfs"]["server"], spec["nfs"]["path"]])
        return shares / hashlib.sha256(address.encode()).hexdigest()[:16]
    return None
