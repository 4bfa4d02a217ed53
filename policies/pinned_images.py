"""Images do not change under their name; the rule is that of ``daskfleet.planning.images``."""

from collections.abc import Iterator, Sequence

from daskfleet.planning.images import MOVING_TAGS, is_pinned
from policies.declared import UNKNOWN, Declared
from policies.pods import containers_of
from policies.rule import NoParameters, Rule, Violation


def _check(fleet: Sequence[Declared], parameters: NoParameters) -> Iterator[Violation]:
    del parameters
    for resource in fleet:
        for container in containers_of(resource):
            if container.image is not None and not is_pinned(container.image):
                yield Violation(
                    resource=resource,
                    message=f"{container.described.capitalize()} has the image "
                    f"{container.image or '(none)'}, which may be another one tomorrow: name a "
                    f"tag that does not move, or a digest.",
                )
        if resource.kind == "Release" and resource.is_in_kubernetes:
            tag = resource.at("values", "image", "tag")
            if tag not in (None, UNKNOWN) and str(tag) in MOVING_TAGS:
                yield Violation(
                    resource=resource,
                    message=f"The chart's value image.tag is {tag or 'empty'}: name a version.",
                )


RULE = Rule(
    name="pinned-images",
    description="Every image has a tag that does not move, or a digest.",
    level="mandatory",
    scope="resource",
    parameters=NoParameters,
    check=_check,
)
