"""Pure: what to do about a difference, in commands that were tried in the rehearsal."""

FORCED_UP = "PULUMI_K8S_ENABLE_PATCH_FORCE=true pulumi up --refresh"
"""Without the variable the API server refuses: the field belongs to another manager."""

CREATE_AGAIN = "`pulumi up --refresh` creates it again"
SEEN_ONLY_BY_REFRESH = "`pulumi up` alone does not see it"


def delete_cluster_audit_query(name: str, namespace: str) -> str:
    """Ask Google's audit log who deleted a DaskCluster."""
    return (
        'gcloud logging read \'resource.type="k8s_cluster" '
        'protoPayload.methodName:"daskclusters.delete" '
        f'protoPayload.resourceName:"namespaces/{namespace}/daskclusters/{name}"\' '
        "--format='value(timestamp,protoPayload.authenticationInfo.principalEmail)'"
    )


def google_audit_query(resource_name: str) -> str:
    """Ask Google's audit log who changed a resource."""
    return (
        f"gcloud logging read 'protoPayload.resourceName:\"{resource_name}\"' "
        "--format='value(timestamp,protoPayload.methodName,"
        "protoPayload.authenticationInfo.principalEmail)'"
    )


def scale(kind: str, name: str, namespace: str, replicas: int) -> str:
    """Set a number of workers through the API, as a user's scaling does."""
    return f"kubectl scale {kind.lower()} {name} --namespace {namespace} --replicas {replicas}"


def put_back(title: str, namespace: str) -> str:
    """Edit an object by hand."""
    kind, _, place = title.partition(" ")
    name = place.rpartition("/")[2]
    inside = f" --namespace {namespace}" if namespace else ""
    return f"kubectl edit {kind.lower()} {name}{inside}"
