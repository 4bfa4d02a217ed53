"""kopf loads this file before the operator's controller: ``kopf run THIS_FILE -m CONTROLLER``."""

import kopf

from in_cluster.operator_http.guard import guard

guard()


@kopf.on.startup()
def keep_notes_in_annotations(settings: kopf.OperatorSettings, **_: object) -> None:
    """Keep kopf's notes out of the status of pods and Services, which this operator may not write.

    Until 1.44 kopf notes there, too, that it will try again. Whoever may write the status of a
    Service can send the traffic of all namespaces elsewhere (CVE-2020-8554).
    """
    settings.persistence.progress_storage = kopf.AnnotationsProgressStorage()
