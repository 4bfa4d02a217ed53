"""Which package answers to which verb of the command line."""

from daskfleet.verbs import VERBS


def packages_of_verbs() -> dict[str, str]:
    """Give each verb of `daskfleet` the package that its function is of."""
    return {name: verb.module.rpartition(".")[0] for name, verb in VERBS.items()}
