"""The Google Cloud provider that every Google resource of the program uses."""

import pulumi_gcp as gcp

from daskfleet.settings.stack import Stack


def google_provider(stack: Stack) -> gcp.Provider:
    """Tie Google resources to the stack's project, whatever ``gcloud`` is set to.

    Credentials stay ambient (application default, or a workload identity federation in CI).
    Labels are the stack's own: the provider's attribution label is left out because it would
    be one more label on every bill that nobody asked for.
    """
    return gcp.Provider(
        "google",
        project=stack.project,
        add_pulumi_attribution_label=False,
    )
