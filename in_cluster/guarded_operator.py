"""kopf loads this file before the operator's controller: ``kopf run THIS_FILE -m CONTROLLER``."""

import kopf

from in_cluster.operator_http.guard import guard

guard()

MAKING_PARTS = "daskcluster_create_components.status.phase"
"""What the controller's handler is called in kopf's notes of its failures."""


@kopf.on.startup()
def keep_notes_in_annotations(settings: kopf.OperatorSettings, **_: object) -> None:
    """Keep kopf's notes out of the status of pods and Services, which this operator may not write.

    Until 1.44 kopf notes there, too, that it will try again. Whoever may write the status of a
    Service can send the traffic of all namespaces elsewhere (CVE-2020-8554).
    """
    settings.persistence.progress_storage = kopf.AnnotationsProgressStorage()


@kopf.on.event("daskcluster.kubernetes.dask.org", field="status.phase", value="Created")
def let_go(meta: kopf.Meta, patch: kopf.Patch, **_: object) -> None:
    """Ask for nothing more of a cluster that is being deleted, or its finalizer would stay.

    The controller makes a cluster's parts as long as its phase is ``Created``. Where the API server
    refuses them, as in a namespace that goes with the operator's rights in it, kopf tries again for
    ever, and releases no finalizer meanwhile.
    """
    if meta.get("deletionTimestamp"):
        patch.status["phase"] = "Error"
        patch.meta.annotations[f"kopf.zalando.org/{MAKING_PARTS}"] = None
