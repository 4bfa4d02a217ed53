"""Secrets that no task of a team must be able to read, and variables that are the program's."""

from tests.daskfleet.planning.documents import Document, Refusal, minimal


def having(*names: str, **settings: object) -> Document:
    """A team that lists Secrets."""
    return minimal(
        teams=[{"name": "alpha", "secrets": [{"name": name} for name in names], **settings}]
    )


REFUSALS: dict[str, Refusal] = {
    "a token of somebody's JupyterLab": (
        having("warehouse", "jupyter-alice-token"),
        "teams[0].secrets[1].name",
        "jupyter-alice-token",
        "Secrets that somebody makes for the team's tasks",
        "name another Secret",
    ),
    "a key of the team's certificates": (
        having("dask-tls-client-1-365d"),
        "teams[0].secrets[0].name",
        "dask-tls-client-1-365d",
        "Secrets that somebody makes",
        "name another Secret",
    ),
    "the password of a registry": (
        having("acme", pull_secret="acme"),  # noqa: S106  (a name)
        "teams[0].secrets[0].name",
        "acme",
        "Secrets that somebody makes",
        "name another Secret",
    ),
    "the password of the stack's registry, for a team with one of its own": (
        {
            **having("acme", pull_secret="partner"),  # noqa: S106  (a name)
            "registry": {"pull_secret": "acme"},
        },
        "teams[0].secrets[0].name",
        "acme",
        "Secrets that somebody makes",
        "name another Secret",
    ),
    "a Secret twice": (
        having("warehouse", "warehouse"),
        "teams[0].secrets[1].name",
        "warehouse",
        "each once",
        "remove this entry",
    ),
    "a scheduler that does not answer the operator": (
        minimal(
            teams=[
                {
                    "name": "alpha",
                    "scheduler": {
                        "environment": {"DASK_DISTRIBUTED__SCHEDULER__HTTP__ROUTES": "[]"}
                    },
                }
            ]
        ),
        "teams[0].scheduler.environment",
        '{"DASK_DISTRIBUTED__SCHEDULER__HTTP__ROUTES": "[]"}',
        "other variables",
        "remove DASK_DISTRIBUTED__SCHEDULER__HTTP__ROUTES",
    ),
    "the same by a name that Dask reads alike": (
        minimal(
            teams=[
                {
                    "name": "alpha",
                    "scheduler": {
                        "environment": {"DASK_distributed__scheduler__http__routes": "[]"}
                    },
                }
            ]
        ),
        "teams[0].scheduler.environment",
        '{"DASK_distributed__scheduler__http__routes": "[]"}',
        "other variables",
        "remove DASK_distributed__scheduler__http__routes",
    ),
}
