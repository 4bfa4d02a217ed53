"""What the administrator of a project or a resource copies. Unit tier."""

import shlex

from daskfleet.platform.doctor.grants import ANYBODY, binding_command


def test_a_grant_says_what_where_whom_and_which_role() -> None:
    command = binding_command(
        "artifacts repositories",
        "mirror",
        where={"project": "acme-images", "location": "us"},
        member="serviceAccount:nodes@acme.iam.gserviceaccount.com",
        role="roles/artifactregistry.reader",
    )
    assert command == (
        "gcloud artifacts repositories add-iam-policy-binding mirror --project=acme-images "
        "--location=us --member=serviceAccount:nodes@acme.iam.gserviceaccount.com "
        "--role=roles/artifactregistry.reader"
    )


def test_where_nobody_knows_who_asks_the_reader_puts_it_in() -> None:
    command = binding_command("projects", "acme", member="", role="roles/compute.viewer")
    assert f"--member={ANYBODY} " in command


def test_no_name_ends_its_argument() -> None:
    name = "mirror; rm -rf ~ #"
    command = binding_command("projects", name, member="user:a b", role="roles/x")
    assert shlex.split(command)[3:] == [name, "--member=user:a b", "--role=roles/x"]
