"""Other values for what takes workers off nodes whose GPU is sick."""

from collections.abc import Iterator

from tests.rehearsal.end_to_end.input_changes import resources as of
from tests.rehearsal.end_to_end.input_changes.cases import InputChange
from tests.rehearsal.end_to_end.input_changes.reasons import ALL_ANEW


def health() -> Iterator[InputChange]:
    """The controller, its rights, and what narrows them."""
    for make in (
        of.HEALTH_IDENTITY,
        of.HEALTH_ROLE,
        of.HEALTH_BINDING,
        of.HEALTH_PROGRAM,
        of.HEALTH,
    ):
        yield make("metadata.name", "other", only_preview=ALL_ANEW)
        yield make("metadata.namespace", "default", only_preview=ALL_ANEW)
    for make in (of.HEALTH_ADMISSION, of.HEALTH_ADMITTED, of.HEALTH_NODES_ROLE, of.HEALTH_NODES):
        yield make("metadata.name", "other", only_preview=ALL_ANEW)
    for labelled in (of.HEALTH_IDENTITY, of.HEALTH_PROGRAM, of.HEALTH):
        yield labelled("metadata.labels.extra", "yes")
    yield of.HEALTH_ADMISSION("spec.failurePolicy", "Ignore")
    yield of.HEALTH_ADMITTED("spec.validationActions[0]", "Audit")
    yield of.HEALTH_NODES_ROLE("rules[0].verbs[0]", "get")
    yield of.HEALTH_NODES("subjects[0].name", "other", only_preview=ALL_ANEW)
    yield of.HEALTH_NODES("roleRef.name", "other", only_preview=ALL_ANEW)
    yield of.HEALTH_ROLE("rules[0].verbs[0]", "get")
    yield of.HEALTH_PROGRAM('data["rules.json"]', "{}", only_preview=ALL_ANEW)
    yield of.HEALTH("spec.replicas", 0)
    yield of.HEALTH("spec.strategy.type", "RollingUpdate", only_preview=ALL_ANEW)
    yield of.HEALTH("spec.template.spec.terminationGracePeriodSeconds", 6)
    component = '["app.kubernetes.io/component"]'
    same = of.HEALTH(f"spec.template.metadata.labels{component}", "other")
    selector = f"spec.selector.matchLabels{component}"
    yield of.HEALTH(selector, "other", along=(same,), only_preview=ALL_ANEW)
