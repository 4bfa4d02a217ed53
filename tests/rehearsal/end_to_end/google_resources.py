"""All that the emulated Google Cloud tells of a project."""

from typing import Any

import httpx


def google_resources(base_url: str, project: str) -> dict[str, Any]:
    """Return what the project holds, by collection."""
    collections = (
        f"container/v1beta1/projects/{project}/locations/-/clusters",
        f"compute/beta/projects/{project}/global/networks",
        f"compute/beta/projects/{project}/regions/us-central1/subnetworks",
        f"compute/beta/projects/{project}/regions/us-central1/routers",
        f"iam/v1/projects/{project}/serviceAccounts",
    )
    held = {}
    for path in collections:
        document = httpx.get(f"{base_url}/{path}").raise_for_status().json()
        held[path] = document.get("items", document.get("clusters", document.get("accounts")))
    policy = httpx.post(f"{base_url}/crm/v1/projects/{project}:getIamPolicy", json={})
    held["policy"] = policy.raise_for_status().json().get("bindings", [])
    return held
