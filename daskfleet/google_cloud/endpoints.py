"""Where Google's REST APIs are, and where the Google provider looks for them instead."""

from collections.abc import Mapping
from typing import Literal

Api = Literal[
    "bigquery",
    "cloudbilling",
    "container",
    "compute",
    "iam",
    "cloudresourcemanager",
    "serviceusage",
    "storage",
    "artifactregistry",
    "cloudkms",
]

ENDPOINTS: Mapping[Api, tuple[str, str]] = {
    "bigquery": (
        "GOOGLE_BIG_QUERY_CUSTOM_ENDPOINT",
        "https://bigquery.googleapis.com/bigquery/v2/",
    ),
    "cloudbilling": (
        "GOOGLE_CLOUD_BILLING_CUSTOM_ENDPOINT",
        "https://cloudbilling.googleapis.com/v1/",
    ),
    "container": (
        "GOOGLE_CONTAINER_CUSTOM_ENDPOINT",
        "https://container.googleapis.com/v1beta1/",
    ),
    "compute": (
        "GOOGLE_COMPUTE_CUSTOM_ENDPOINT",
        "https://compute.googleapis.com/compute/beta/",
    ),
    "iam": ("GOOGLE_IAM_BETA_CUSTOM_ENDPOINT", "https://iam.googleapis.com/v1/"),
    "cloudresourcemanager": (
        "GOOGLE_RESOURCE_MANAGER_CUSTOM_ENDPOINT",
        "https://cloudresourcemanager.googleapis.com/v1/",
    ),
    "serviceusage": (
        "GOOGLE_SERVICE_USAGE_CUSTOM_ENDPOINT",
        "https://serviceusage.googleapis.com/v1/",
    ),
    "storage": ("GOOGLE_STORAGE_CUSTOM_ENDPOINT", "https://storage.googleapis.com/storage/v1/"),
    "artifactregistry": (
        "GOOGLE_ARTIFACT_REGISTRY_CUSTOM_ENDPOINT",
        "https://artifactregistry.googleapis.com/v1/",
    ),
    "cloudkms": ("GOOGLE_KMS_CUSTOM_ENDPOINT", "https://cloudkms.googleapis.com/v1/"),
}
"""Variables of the provider and its defaults; a rehearsal points them at its emulator."""


def base_url(api: Api, environment: Mapping[str, str]) -> str:
    """Where an API is, without a slash at the end."""
    variable, default = ENDPOINTS[api]
    return (environment.get(variable) or default).rstrip("/")
