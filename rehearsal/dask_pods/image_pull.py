"""Pure: whether a registry would let a pod's node have its image. No image is pulled here.

A rehearsal asks for a private registry by the ConfigMap ``private-registries`` in ``kube-system``:
each key is a registry's host, and its value the ``user:password`` that it wants. A kubelet asks
with what the pod's pull secrets hold for that host; nodes here have no credential of their own.
"""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping

from rehearsal.dask_pods.model import Mounted

NAMESPACE = "kube-system"
PRIVATE_REGISTRIES = "private-registries"

KEY = ".dockerconfigjson"
"""Of a Secret of type ``kubernetes.io/dockerconfigjson``, which the API server requires."""


def why_not_pulled(image: str, mounted: Mounted) -> str:
    """Say what a kubelet says of an image that a registry refuses; '' where it would be pulled."""
    host = image.partition("/")[0]
    wanted = mounted.private_registries.get(host)
    if wanted is None:
        return ""
    logins = [login for each in mounted.pull_secrets.values() for login in _logins(each, host)]
    if wanted in logins:
        return ""
    anonymous = "" if logins else "failed to fetch anonymous token: "
    return (
        f'Back-off pulling image "{image}": ErrImagePull: failed to pull and unpack image '
        f'"{image}": failed to resolve reference "{image}": failed to authorize: {anonymous}'
        f"unexpected status from GET request to https://{host}/v2/: 401 Unauthorized"
    )


def _logins(secret: Mapping[str, bytes], host: str) -> Iterator[bytes]:
    """What a Secret has for a host; a kubelet passes over what it cannot read, too."""
    try:
        entries = json.loads(secret.get(KEY, b"{}"))["auths"]
        for address, entry in entries.items():
            if address.removeprefix("https://").partition("/")[0] == host:
                yield _login(entry)
    except (ValueError, KeyError, TypeError, AttributeError, binascii.Error):
        return


def _login(entry: Mapping[str, str]) -> bytes:
    if "auth" in entry:
        return base64.b64decode(entry["auth"])
    return f"{entry['username']}:{entry['password']}".encode()
