"""Pure: what the service account of a cluster's nodes is called."""

import hashlib

ACCOUNT_ID_MAX_LENGTH = 30
"""iam.v1 ``CreateServiceAccountRequest.accountId``: 6 to 30 characters."""


def account_id(cluster_name: str) -> str:
    """Account ID for a cluster; a cluster name that is too long keeps a hash of itself.

    Cluster names may have 40 characters, account IDs 30.
    """
    candidate = f"{cluster_name}-nodes"
    if len(candidate) <= ACCOUNT_ID_MAX_LENGTH:
        return candidate
    suffix = f"-{hashlib.sha256(cluster_name.encode()).hexdigest()[:8]}-nodes"
    return cluster_name[: ACCOUNT_ID_MAX_LENGTH - len(suffix)] + suffix
