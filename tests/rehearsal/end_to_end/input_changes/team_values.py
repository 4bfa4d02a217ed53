"""Other valid values for the inputs of what a team has."""

from collections.abc import Iterator

from tests.rehearsal.end_to_end.input_changes import resources as of
from tests.rehearsal.end_to_end.input_changes import types as t
from tests.rehearsal.end_to_end.input_changes.cases import InputChange
from tests.rehearsal.end_to_end.input_changes.reasons import ALL_ANEW, BY_NAME, NO_SUCH

POSTED = 'data["notice.json"]'


def team() -> Iterator[InputChange]:
    """A team's namespace and what is in it."""
    yield of.NAMESPACE("metadata.name", "other", only_preview=BY_NAME)
    yield of.NAMESPACE("metadata.labels.extra", "yes")
    for make in (of.IDENTITY, of.QUOTA, of.DEFAULTS, of.POLICY, of.ROLE, of.MEMBERS, of.ADDRESS):
        yield make("metadata.name", "other")
        yield make("metadata.namespace", "default")
    yield of.IDENTITY("automountServiceAccountToken", value=True)
    yield of.IDENTITY("imagePullSecrets", [{"name": "acme"}])
    yield of.NOTICE("metadata.name", "other")
    yield of.NOTICE("metadata.namespace", "default")
    yield of.NOTICE("metadata.labels.extra", "yes")
    yield of.NOTICE(POSTED, "{}")
    yield of.BUCKET("bucket", "other-data")
    yield of.BUCKET("role", "roles/storage.objectUser")
    yield of.BUCKET("member", "user:somebody@example.com")
    yield of.QUOTA('spec.hard["requests.nvidia.com/gpu"]', "7")
    yield of.DEFAULTS("spec.limits[0].default.memory", "2Gi")
    yield of.POLICY("spec.policyTypes[1]", "Ingress")
    yield of.ROLE("rules[0].verbs[2]", "list")
    yield of.MEMBERS("subjects[0].name", "bob@example.com")
    yield of.MEMBERS("roleRef.name", "other")
    # Not the port's number: the provider hands managed fields over in an update only, so that the
    # dry run of a preview sees two ports of one name (pulumi-kubernetes, fixCSAFieldManagers).
    yield of.ADDRESS("spec.ports[0].targetPort", 8790)
    yield of.ADDRESS('spec.selector["dask.org/component"]', "worker")
    yield of.ADDRESS("spec.type", "NodePort")


def dask() -> Iterator[InputChange]:
    """A Dask cluster, a further group of its workers, and its bounds."""
    yield of.DASK("metadata.name", "other", only_preview=BY_NAME)
    yield of.DASK("metadata.namespace", "default", only_preview=BY_NAME)
    yield of.DASK("metadata.labels.extra", "yes")
    yield of.DASK('metadata.annotations["example.com/note"]', "yes")
    yield of.GROUP("metadata.name", "other", only_preview=BY_NAME)
    yield of.GROUP("metadata.namespace", "default", only_preview=BY_NAME)
    yield of.GROUP("metadata.labels.extra", "yes")
    yield of.GROUP("spec.cluster", "elsewhere", only_preview=NO_SUCH)
    yield of.GROUP("spec.worker.spec.terminationGracePeriodSeconds", 61)
    counted = "The program writes the number once it is true."
    yield of.GROUP("spec.worker.replicas", 1, only_preview=counted)
    bounds = ((t.AUTOSCALER, "genomics-autoscaler"),)
    yield of.OTHER_DASK("spec.idleTimeout", 86400, replaced_with_it=bounds)
    yield of.DASK("spec.scheduler.spec.terminationGracePeriodSeconds", 31)
    grace = "spec.worker.spec.terminationGracePeriodSeconds"
    yield of.OTHER_DASK(grace, 61, replaced_with_it=bounds)
    yield of.OTHER_DASK("spec.worker.replicas", 2, operation="same")
    room = of.QUOTA('spec.hard["requests.nvidia.com/gpu"]', "4")
    told = of.ALERTS("spec.groups[0].interval", "2m")  # an alert has the number of workers
    posted = of.NOTICE(POSTED, "{}")  # so has what members are told
    yield of.DASK("spec.worker.replicas", 3, along=(room, told, posted), is_workers=True)
    yield of.AUTOSCALER("spec.minimum", 2)
    yield of.AUTOSCALER("spec.maximum", 3)
    yield of.AUTOSCALER("spec.cluster", "elsewhere", only_preview=NO_SUCH)
    yield of.AUTOSCALER("metadata.name", "other")
    yield of.AUTOSCALER("metadata.namespace", "default", only_preview=NO_SUCH)
    yield of.AUTOSCALER("metadata.labels.extra", "yes")


def sleep() -> Iterator[InputChange]:
    """The controller that lets workers go and brings them back."""
    for make in (of.SLEEP_IDENTITY, of.SLEEP_ROLE, of.SLEEP_BINDING, of.SLEEP_PROGRAM, of.SLEEP):
        yield make("metadata.name", "other", only_preview=ALL_ANEW)
        yield make("metadata.namespace", "default", only_preview=ALL_ANEW)
    for labelled in (of.SLEEP_IDENTITY, of.SLEEP_PROGRAM, of.SLEEP):
        yield labelled("metadata.labels.extra", "yes")
    for make in (of.RECYCLE_ADMISSION, of.RECYCLE_ADMITTED):
        yield make("metadata.name", "other", only_preview=ALL_ANEW)
    yield of.RECYCLE_ADMISSION("spec.failurePolicy", "Ignore")
    yield of.RECYCLE_ADMITTED("spec.validationActions[0]", "Audit")
    yield of.SLEEP_ROLE("rules[0].verbs[0]", "get")
    yield of.SLEEP_PROGRAM('data["rules.json"]', "{}", only_preview=ALL_ANEW)
    yield of.SLEEP("spec.replicas", 0)
    yield of.SLEEP("spec.strategy.type", "RollingUpdate", only_preview=ALL_ANEW)
    yield of.SLEEP("spec.template.spec.terminationGracePeriodSeconds", 6)
    component = '["app.kubernetes.io/component"]'
    same = of.SLEEP(f"spec.template.metadata.labels{component}", "other")
    selector = f"spec.selector.matchLabels{component}"
    yield of.SLEEP(selector, "other", along=(same,), only_preview=ALL_ANEW)


def ephemeral() -> Iterator[InputChange]:
    """Clusters of the members' own."""
    yield of.ADMISSION("metadata.name", "other", only_preview="The binding names it.")
    yield of.ADMISSION("spec.failurePolicy", "Ignore")
    yield of.ADMITTED("metadata.name", "other")
    # Not Warn: a preview keeps Deny beside it, as it keeps a Service's port, and both are invalid.
    yield of.ADMITTED("spec.validationActions[0]", "Audit")
    yield of.SPEC("metadata.name", "other")
    yield of.SPEC("metadata.namespace", "default")
    yield of.SPEC('data["cluster.yaml"]', "kind: DaskCluster")


def tls() -> Iterator[InputChange]:
    """A team's certificates."""
    yield of.KEY("ecdsaCurve", "P384")
    yield of.KEY("algorithm", "RSA", only_preview="The stand-in makes no other keys.")
    other = "The value is no such thing."
    yield of.REQUEST("subject.commonName", "somebody else")
    yield of.REQUEST("privateKeyPem", "other", only_preview=other)
    yield of.AUTHORITY("subject.commonName", "somebody else")
    yield of.AUTHORITY("validityPeriodHours", 24000, only_preview=ALL_ANEW)
    yield of.AUTHORITY("allowedUses[1]", "crl_signing", only_preview=ALL_ANEW)
    yield of.AUTHORITY("isCaCertificate", value=False, only_preview=ALL_ANEW)
    yield of.AUTHORITY("privateKeyPem", "other", only_preview=other)
    yield of.CERTIFICATE("validityPeriodHours", 24000)
    yield of.CERTIFICATE("allowedUses[0]", "key_agreement", only_preview=ALL_ANEW)
    for path in ("certRequestPem", "caPrivateKeyPem", "caCertPem"):
        yield of.CERTIFICATE(path, "other", only_preview=other)
    yield of.FILES("metadata.labels.extra", "yes")
    yield of.FILES("metadata.name", "other", only_preview=BY_NAME)
    yield of.FILES("metadata.namespace", "default", only_preview=BY_NAME)
    yield of.FILES("type", "Opaque", only_preview=ALL_ANEW)
    yield of.FILES('data["ca.crt"]', "b3RoZXI=", only_preview=ALL_ANEW)


def jupyter() -> Iterator[InputChange]:
    """A team's JupyterLab."""
    skip = 'metadata.annotations["pulumi.com/skipAwait"]'
    for make in (
        of.JUPYTER,
        of.JUPYTER_NAME,
        of.JUPYTER_HOME,
        of.JUPYTER_CONFIG,
        of.JUPYTER_SECRET,
    ):
        yield make("metadata.name", "other", only_preview=BY_NAME)
        yield make("metadata.namespace", "default", only_preview=BY_NAME)
    for make in (of.JUPYTER_NAME, of.JUPYTER_HOME):
        yield make(skip, "false", only_preview="It only says what `up` waits for.")
    yield of.JUPYTER("metadata.labels.extra", "yes")
    yield of.JUPYTER("spec.progressDeadlineSeconds", 900)
    yield of.JUPYTER("spec.template.spec.terminationGracePeriodSeconds", 31)
    yield of.JUPYTER("spec.replicas", 0)
    yield of.JUPYTER("spec.strategy.type", "RollingUpdate", only_preview=ALL_ANEW)
    component = '["app.kubernetes.io/component"]'
    same = of.JUPYTER(f"spec.template.metadata.labels{component}", "other")
    selector = f"spec.selector.matchLabels{component}"
    yield of.JUPYTER(selector, "other", along=(same,), only_preview=ALL_ANEW)
    yield of.JUPYTER_NAME("spec.ports[0].targetPort", 8890)
    yield of.JUPYTER_NAME(f"spec.selector{component}", "other")
    yield of.JUPYTER_HOME("spec.resources.requests.storage", "60Gi", only_preview="No way back.")
    yield of.JUPYTER_HOME("spec.accessModes[0]", "ReadWriteMany", only_preview=ALL_ANEW)
    yield of.JUPYTER_HOME("spec.storageClassName", "premium-rwo", only_preview=ALL_ANEW)
    yield of.JUPYTER_CONFIG("data.lab", "{}", only_preview=ALL_ANEW)
    yield of.JUPYTER_SECRET("data.token", "b3RoZXI=", only_preview=ALL_ANEW)
    yield of.JUPYTER_TOKEN("length", 50, only_preview=ALL_ANEW)
    other = {"member": "user:eve@example.com"}
    yield of.JUPYTER_TOKEN("keepers", other, only_preview=ALL_ANEW)


def monitoring() -> Iterator[InputChange]:
    """What is measured of a team, and its alerts."""
    for make in (of.READ, of.ALERTS):
        yield make("metadata.name", "other")
        yield make("metadata.namespace", "default")
        yield make("metadata.labels.extra", "yes")
    yield of.READ("spec.endpoints[0].interval", "60s")
    yield of.ALERTS("spec.groups[0].interval", "2m")
