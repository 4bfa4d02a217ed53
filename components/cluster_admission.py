"""What a cluster does with Secrets that it stores, and with images before it runs them."""

import pulumi_gcp as gcp

from daskfleet.planning.keys import secrets_key
from daskfleet.settings.cluster import Cluster
from daskfleet.settings.stack import Stack


def secrets_encryption(stack: Stack) -> gcp.container.ClusterDatabaseEncryptionArgs | None:
    """With what GKE encrypts Secrets; None leaves it as it is.

    The provider keeps what it read where nothing is said, so that the end has to be said.
    """
    if stack.keys.secrets is None:
        return None
    key = secrets_key(stack)
    return gcp.container.ClusterDatabaseEncryptionArgs(
        state="ENCRYPTED" if key else "DECRYPTED", key_name=key
    )


def binary_authorization(
    cluster: Cluster,
) -> gcp.container.ClusterBinaryAuthorizationArgs | None:
    """Whether the project's policy admits pods; None leaves it as it is.

    The provider hides a difference where nothing is said, so that the end has to be said.
    """
    if cluster.binary_authorization is None:
        return None
    return gcp.container.ClusterBinaryAuthorizationArgs(
        evaluation_mode="PROJECT_SINGLETON_POLICY_ENFORCE"
        if cluster.binary_authorization
        else "DISABLED"
    )
