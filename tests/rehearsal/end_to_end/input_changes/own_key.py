"""A key in the emulated Cloud KMS that Google's agents may use."""

from typing import Any

import httpx

from daskfleet.planning.keys import ROLE

_LOCATION = "projects/acme-keys/locations/us-central1"

OWN_KEY = f"{_LOCATION}/keyRings/fleet/cryptoKeys/own"


def make_own_key(base_url: str, *, project: str) -> None:
    """Make the key, and let the agents of ``project`` encrypt boot disks and Secrets with it."""
    ring, _, name = OWN_KEY.partition("/cryptoKeys/")
    _post(f"{base_url}/cloudkms/v1/{_LOCATION}/keyRings?keyRingId={ring.rpartition('/')[2]}", {})
    wished = {"purpose": "ENCRYPT_DECRYPT"}
    _post(f"{base_url}/cloudkms/v1/{ring}/cryptoKeys?cryptoKeyId={name}", wished)
    told = httpx.get(f"{base_url}/crm/v1/projects/{project}").raise_for_status().json()
    members = [
        f"serviceAccount:service-{told['projectNumber']}@{agent}.iam.gserviceaccount.com"
        for agent in ("compute-system", "container-engine-robot")
    ]
    policy = {"bindings": [{"role": ROLE, "members": members}]}
    _post(f"{base_url}/cloudkms/v1/{OWN_KEY}:setIamPolicy", {"policy": policy})


def _post(url: str, body: dict[str, Any]) -> None:
    httpx.post(url, json=body).raise_for_status()
