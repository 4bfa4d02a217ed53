"""Creating and updating objects on the server, for real or as a dry run."""

from rehearsal.providers.kubernetes.annotations import PATCH_FORCE
from rehearsal.providers.kubernetes.api import ApiError, KubernetesApi, UnknownKindError
from rehearsal.providers.kubernetes.field_ownership import CREATOR, handover
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.manifest import Manifest, annotation, lookup
from rehearsal.providers.kubernetes.settings import ProviderSettings
from rehearsal.providers.protocol import Call, OperationCancelledError, ProviderError

_RETRY_DELAYS_S = (1, 2, 4, 8)
"""The real provider retries a creation for what may still be on its way: a namespace, a CRD."""

_CRD = Kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition")

_ALREADY_EXISTS_ADVICE = (
    "Give it another name, take it over with `pulumi import`, or set `upsertExistingObjects` on "
    "the provider; after renaming the Pulumi resource add an alias instead."
)


def create(
    api: KubernetesApi,
    kind: Kind,
    desired: Manifest,
    *,
    manager: str,
    settings: ProviderSettings,
    call: Call,
) -> Manifest:
    """Create an object that must not exist yet; answer it as the server stored it.

    Raises:
        ProviderError: refused; says why.

    """
    for delay_s in (*_RETRY_DELAYS_S, None):
        try:
            if settings.upsert_existing:
                return api.apply(kind, desired, manager=manager, force=True, dry_run=False)
            return api.create(kind, desired, manager=CREATOR, dry_run=False)
        except (UnknownKindError, ApiError) as error:
            if delay_s is None or not _may_appear(error):
                raise _not_created(kind, desired, error) from error
            call.report(f"waiting {delay_s} s: {error}")
        if call.cancelled.wait(delay_s):
            raise OperationCancelledError("cancelled before it was created")
    raise AssertionError("the last attempt returns or raises")


def preview_of_create(api: KubernetesApi, kind: Kind, desired: Manifest) -> Manifest | None:
    """The object as the server would store it, without status; None where it cannot say.

    It cannot where this run creates what is missing (the namespace, a service account), frees the
    name (a replacement), or lifts what forbids it now.
    """
    try:
        live = api.create(kind, desired, manager=CREATOR, dry_run=True)
    except ApiError as error:
        if error.reason in ("AlreadyExists", "Forbidden", "NotFound"):
            return None
        raise _not_created(kind, desired, error) from error
    return {key: value for key, value in live.items() if key != "status"}


def update(
    api: KubernetesApi, kind: Kind, desired: Manifest, *, manager: str, force: bool, dry_run: bool
) -> Manifest:
    """Change an existing object to what is desired.

    A CustomResourceDefinition is replaced as a whole, as the real provider does.
    """
    metadata = desired["metadata"]
    live = api.get(kind, metadata.get("namespace"), metadata["name"])
    if live is None:
        raise ProviderError(
            f"{kind} {metadata['name']} does not exist any more; run `pulumi refresh`"
        )
    if kind == _CRD:
        version = live["metadata"]["resourceVersion"]
        versioned = {**desired, "metadata": {**metadata, "resourceVersion": version}}
        return api.replace(kind, versioned, manager=manager, dry_run=dry_run)
    operations = handover(live, manager)
    if operations and not dry_run:
        api.patch_json(kind, live, operations)
    forced = force or annotation(desired, PATCH_FORCE) == "true" or (dry_run and bool(operations))
    try:
        return api.apply(kind, desired, manager=manager, force=forced, dry_run=dry_run)
    except ApiError as error:
        if error.reason != "Conflict":
            raise
        raise ProviderError(
            f"{error}. Field manager {manager} may not change fields of another manager: leave "
            "them out, add them to `ignore_changes`, or annotate the object with "
            f"{PATCH_FORCE}: 'true' to take them over."
        ) from error


def _may_appear(error: UnknownKindError | ApiError) -> bool:
    return isinstance(error, UnknownKindError) or error.not_found


def _not_created(kind: Kind, desired: Manifest, error: ProviderError) -> ProviderError:
    name = lookup(desired, "metadata", "name")
    text = f"{kind} {name} was not created by the Kubernetes API server: {error}"
    if isinstance(error, ApiError) and error.reason == "AlreadyExists":
        text = f"{text}. {_ALREADY_EXISTS_ADVICE}"
    return ProviderError(text)
