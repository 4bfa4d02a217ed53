"""When a changed input needs a new object: the real provider's table, and delete-before-replace.

Source: pulumi-kubernetes 94977969 (2026-07-01) `provider/pkg/provider/diff.go` and the
`deleteBeforeReplace` rule in `provider.go`. The API server refuses more changes than the table
knows; those fail in the update, here as there.
"""

from dataclasses import dataclass

from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.manifest import AUTONAMED, Manifest, annotation, lookup
from rehearsal.providers.kubernetes.projection import without_server_metadata
from rehearsal.providers.protocol import Diff, changed_paths, covered_by, reveal, with_replacements

_IDENTITY = ("kind", "metadata.name", "metadata.namespace")

_CONTAINER_FIELDS = (
    "args", "command", "env", "image", "imagePullPolicy", "lifecycle", "livenessProbe", "ports",
    "readinessProbe", "resources", "securityContext", "stdin", "stdinOnce",
    "terminationMessagePath", "terminationMessagePolicy", "tty", "volumeDevices", "volumeMounts",
    "workingDir",
)  # fmt: skip

_POD_FIELDS = (
    "affinity", "automountServiceAccountToken", "dnsConfig", "dnsPolicy", "enableServiceLinks",
    "hostAliases", "hostIPC", "hostNetwork", "hostPID", "hostname", "imagePullSecrets", "nodeName",
    "nodeSelector", "overhead", "preemptionPolicy", "priority", "priorityClassName",
    "readinessGates", "restartPolicy", "runtimeClassName", "schedulerName", "securityContext",
    "serviceAccount", "serviceAccountName", "shareProcessNamespace", "subdomain",
    "terminationGracePeriodSeconds", "volumes",
)  # fmt: skip

_VOLUME_SOURCES = (
    "awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "csi", "fc",
    "flexVolume", "flocker", "gcePersistentDisk", "glusterfs", "hostPath", "iscsi", "local", "nfs",
    "photonPersistentDisk", "portworxVolume", "quobyte", "rbd", "scaleIO", "storageos",
    "vsphereVolume",
)  # fmt: skip

_IMMUTABLE: dict[Kind, tuple[str, ...]] = {
    Kind("apps", "v1", "DaemonSet"): ("spec.selector",),
    Kind("apps", "v1", "Deployment"): ("spec.selector",),
    Kind("apps", "v1", "StatefulSet"): (
        "spec.podManagementPolicy", "spec.revisionHistoryLimit", "spec.selector",
        "spec.serviceName", "spec.volumeClaimTemplates",
    ),
    Kind("batch", "v1", "Job"): (
        "spec.completions", "spec.parallelism", "spec.selector", "spec.template",
    ),
    Kind("", "v1", "PersistentVolume"): tuple(f"spec.{name}" for name in _VOLUME_SOURCES),
    Kind("", "v1", "PersistentVolumeClaim"): (
        "spec.accessModes", "spec.selector", "spec.storageClassName", "spec.volumeName",
    ),
    Kind("", "v1", "Pod"): (
        *(f"spec.{name}" for name in _POD_FIELDS),
        *(f"spec.containers.{name}" for name in _CONTAINER_FIELDS),
        *(f"spec.initContainers.{name}" for name in _CONTAINER_FIELDS),
    ),
    Kind("", "v1", "ResourceQuota"): ("spec.scopes",),
    Kind("", "v1", "Service"): ("spec.clusterIP",),
    Kind("rbac.authorization.k8s.io", "v1", "ClusterRoleBinding"): ("roleRef",),
    Kind("rbac.authorization.k8s.io", "v1", "RoleBinding"): ("roleRef",),
    Kind("storage.k8s.io", "v1", "StorageClass"): ("parameters", "provisioner"),
}  # fmt: skip

_CONFIG_MAP = Kind("", "v1", "ConfigMap")
_SECRET = Kind("", "v1", "Secret")


@dataclass(frozen=True, kw_only=True)
class Mutability:
    """Provider arguments that make ConfigMaps and Secrets changeable in place."""

    config_maps: bool = False
    secrets: bool = False


def immutable_fields(kind: Kind, new: Manifest, mutability: Mutability) -> tuple[str, ...]:
    """Dotted paths whose change replaces an object of this kind."""
    sealed = new.get("immutable") is True
    fixed: tuple[str, ...]
    if kind == _CONFIG_MAP:
        fixed = () if mutability.config_maps and not sealed else ("binaryData", "data")
    elif kind == _SECRET:
        fixed = ("type",)
        if sealed or not mutability.secrets:
            fixed = ("type", "stringData", "data")
    else:
        fixed = _IMMUTABLE.get(kind, ())
    return (*_IDENTITY, *fixed)


def diff_objects(kind: Kind, *, old: Manifest, new: Manifest, mutability: Mutability) -> Diff:
    """What changes between old and new inputs, and how the object gets there."""
    old, new = _comparable(old), _comparable(new)
    replacing = covered_by(immutable_fields(kind, new, mutability))
    diff = Diff(changes=with_replacements(changed_paths(old, new), replacing=replacing))
    return Diff(
        changes=diff.changes,
        delete_before_replace=diff.replaces and _takes_the_same_name(old, new),
    )


def _takes_the_same_name(old: Manifest, new: Manifest) -> bool:
    same = all(
        lookup(old, "metadata", key) == lookup(new, "metadata", key)
        for key in ("name", "namespace")
    )
    return same and annotation(new, AUTONAMED) != "true"


def _comparable(inputs: Manifest) -> Manifest:
    """Inputs without what must not differ: bookkeeping fields, and `default` as the namespace."""
    plain: Manifest = reveal(inputs)
    metadata = plain.get("metadata")
    if not isinstance(metadata, dict):
        return plain
    kept = without_server_metadata(metadata)
    if kept.get("namespace") == "default":
        del kept["namespace"]
    return {**plain, "metadata": kept}
