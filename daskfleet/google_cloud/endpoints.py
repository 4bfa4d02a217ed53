"""Where Google's REST APIs are, and where the Google provider looks for them instead."""

from collections.abc import Mapping
from typing import Literal

Api = Literal[
    "cloudbilling",
    "container",
    "compute",
    "iam",
    "cloudresourcemanager",
    "serviceusage",
    "storage",
]

ENDPOINTS: Mapping[Api, tuple[str, str]] = {
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
}
"""Variables of the provider and its defaults; a rehearsal points them at its emulator."""
