"""Registries that nothing could pull from as they are declared."""

from tests.daskfleet.planning.documents import Refusal, minimal

REFUSALS: dict[str, Refusal] = {
    "a mirror that is an address of the web": (
        minimal(registry={"mirror": "https://europe-docker.pkg.dev/acme/mirror"}),
        "registry.mirror",
        "https://europe-docker.pkg.dev/acme/mirror",
        "europe-docker.pkg.dev/acme/mirror",
        "",
    ),
    "a mirror that ends with a slash": (
        minimal(registry={"mirror": "europe-docker.pkg.dev/acme/mirror/"}),
        "registry.mirror",
        "europe-docker.pkg.dev/acme/mirror/",
        "no slash at the end",
        "",
    ),
    "a grant in the stack's own project": (
        minimal(registry={"reader_in": ["acme-images", "example-project"]}),
        "registry.reader_in[1]",
        "example-project",
        "other projects",
        "remove it",
    ),
    "a grant twice": (
        minimal(registry={"reader_in": ["acme-images", "acme-images"]}),
        "registry.reader_in",
        '["acme-images", "acme-images"]',
        "each project once",
        "remove the repetition",
    ),
    "a secret that is pulled with where it is not": (
        minimal(image_prepull=True, teams=[{"name": "alpha", "pull_secret": "acme"}]),
        "teams[0].pull_secret",
        "acme",
        "one of image_prepull and pull_secret",
        "set image_prepull to false",
    ),
    "the content of a secret in place of its name": (
        minimal(registry={"pull_secret": '{"auths": {}}'}),
        "registry.pull_secret",
        '{"auths": {}}',
        "the name of a Kubernetes Secret",
        "",
    ),
}
