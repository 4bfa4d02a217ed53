"""The state's backend: unreachable, without the stack, locked, its secrets out of reach."""

import pytest

from daskfleet.platform.doctor.model import Area, Outcome
from daskfleet.platform.doctor.pulumi_cli import Backend
from daskfleet.platform.doctor.state import backend_finding, secrets_finding
from daskfleet.platform.doctor.state_key import state_key
from tests.daskfleet.platform.doctor.examined import PROJECT, STACK, Machine, this_host

KEY = "gcpkms://projects/p/locations/us-central1/keyRings/pulumi/cryptoKeys/stacks"


def test_a_backend_that_is_not_reached_is_told_in_pulumis_words(well: Machine) -> None:
    well.fails("whoami", "unable to open bucket gs://nobodys: permission denied")
    wrong, *unknown = well.found()
    assert (wrong.area, wrong.subject) == (Area.STATE, "backend")
    assert wrong.there == "unable to open bucket gs://nobodys: permission denied"
    assert wrong.command == "pulumi login gs://YOUR-BUCKET"
    assert {finding.area for finding in unknown} == {Area.STATE}


def test_a_stack_that_does_not_exist_is_told_with_the_command(well: Machine) -> None:
    well.says("stack ls", [{"name": "prod", "current": True}])
    wrong, unknown = well.found()
    assert (wrong.subject, wrong.there) == (f"stack {STACK}", "the backend has prod")
    assert wrong.command == f"pulumi stack init {STACK}"
    assert (unknown.subject, unknown.there) == (f"lock of {STACK}", "there is no such stack yet")


def test_a_stack_of_pulumi_cloud_carries_its_organisation(well: Machine) -> None:
    well.says("whoami", {"user": "ann", "url": "https://app.pulumi.com/ann"})
    well.says("stack ls", [{"name": f"acme/daskfleet/{STACK}", "updateInProgress": True}])
    finding = well.only()
    assert (finding.subject, finding.there) == (f"lock of {STACK}", "an update is in progress")
    assert finding.command == f"pulumi cancel --stack {STACK}"


def test_a_lock_of_a_process_that_is_gone_is_to_be_recovered(well: Machine) -> None:
    well.leave_lock(this_host())
    finding = well.only()
    assert finding.outcome is Outcome.WRONG
    assert finding.there.startswith(f"held by ann@{this_host()} (process ")
    assert finding.there.endswith("which no longer runs")
    assert finding.command == f"daskfleet recover --stack {STACK}"


def test_a_lock_of_another_machine_may_be_held_by_somebody_at_work(well: Machine) -> None:
    well.leave_lock("a-runner")
    finding = well.only()
    assert finding.fix.startswith("Wait for it.")
    assert "no longer runs" not in finding.there


def test_locks_in_an_unknown_kind_of_bucket_are_not_looked_at(well: Machine) -> None:
    well.says("whoami", {"user": "ann", "url": "s3://states?region=eu-west-1"})
    finding = well.only()
    assert finding.outcome is Outcome.NOT_LOOKED_AT
    assert finding.there.startswith("locks in s3:// are not read here")


def test_a_passphrase_that_is_not_set_is_wrong(well: Machine) -> None:
    del well.environment["PULUMI_CONFIG_PASSPHRASE"]
    finding = well.only()
    assert (finding.subject, finding.outcome) == ("secrets provider", Outcome.WRONG)
    assert finding.command.startswith("export PULUMI_CONFIG_PASSPHRASE_FILE=")


def test_a_passphrase_is_never_shown(well: Machine) -> None:
    assert "correct horse" not in well.examined().model_dump_json()


def test_an_empty_passphrase_is_one(well: Machine) -> None:
    well.environment["PULUMI_CONFIG_PASSPHRASE"] = ""
    assert well.found() == []


def test_a_file_with_the_passphrase_has_to_be_readable(well: Machine) -> None:
    del well.environment["PULUMI_CONFIG_PASSPHRASE"]
    file = well.directory / "passphrase"
    well.environment["PULUMI_CONFIG_PASSPHRASE_FILE"] = str(file)
    assert well.only().there == "the file that PULUMI_CONFIG_PASSPHRASE_FILE names cannot be read"
    file.write_text("correct horse\n", encoding="utf-8")
    assert well.found() == []


def test_pulumi_cloud_needs_no_passphrase_of_ours() -> None:
    finding = secrets_finding("", own_backend=False, environment={}, readable_file=False)
    assert finding.outcome is Outcome.OK


@pytest.mark.parametrize(
    ("provider", "outcome"),
    [
        (KEY, Outcome.OK),
        ("awskms://alias/pulumi?region=us-east-1", Outcome.OK),
        ("gcpkms://projects/p/keyRings/pulumi", Outcome.WRONG),
        ("gcpkm://projects/p/locations/l/keyRings/r/cryptoKeys/k", Outcome.WRONG),
    ],
)
def test_the_name_of_a_key_has_the_form_of_its_kind(provider: str, outcome: Outcome) -> None:
    finding = secrets_finding(provider, own_backend=True, environment={}, readable_file=False)
    assert finding.outcome is outcome
    assert provider in finding.there


def test_a_backend_is_shown_without_what_may_be_secret() -> None:
    backend = Backend(user="ann", url="s3://key:secret@states/x?profile=secret")
    assert backend_finding(backend).there == "s3://states/x, as ann"


def test_the_name_of_the_key_goes_into_the_command_that_makes_the_stack(well: Machine) -> None:
    teams = [{"name": "fraud", "workers": 2}]
    config = {"daskfleet:project": PROJECT, "daskfleet:teams": teams}
    well.stack_file(config=config, secretsprovider=KEY)
    well.says("stack ls", [])
    wrong = well.found(Outcome.WRONG)[0]
    assert wrong.command == f"pulumi stack init {STACK} --secrets-provider '{KEY}'"
    assert wrong.there == "the backend has no stack of this project"


RING = "cloudkms/v1/projects/p/locations/us-central1/keyRings"
OF_STATE = "key of the secrets provider"


@pytest.fixture
def keyed(well: Machine) -> Machine:
    """A stack whose secrets a key of Cloud KMS encrypts; only the key's ring is there."""
    teams = [{"name": "fraud", "workers": 2}]
    config = {"daskfleet:project": PROJECT, "daskfleet:teams": teams}
    well.stack_file(config=config, secretsprovider=KEY)
    well.google("POST", f"{RING}?keyRingId=pulumi", {})
    return well


def test_a_key_of_the_state_that_is_not_there_is_wrong(keyed: Machine) -> None:
    finding = keyed.only()
    assert (finding.area, finding.subject) == (Area.STATE, OF_STATE)
    assert finding.outcome is Outcome.WRONG
    assert finding.fix.startswith("Correct secretsprovider, or let the owner of p make the key")
    assert finding.command == (
        "gcloud kms keys create stacks --project=p --location=us-central1 --keyring=pulumi "
        "--purpose=encryption"
    )


def test_a_key_of_the_state_is_well_while_its_primary_version_is_enabled(keyed: Machine) -> None:
    made = f"{RING}/pulumi/cryptoKeys?cryptoKeyId=stacks"
    keyed.google("POST", made, {"purpose": "ENCRYPT_DECRYPT"})
    assert keyed.found() == []

    (key,) = (
        document
        for path, document in keyed.emulator.world.project("p").keys.items()
        if path.endswith("/cryptoKeys/stacks")
    )
    key["primary"]["state"] = "DISABLED"
    finding = keyed.only()
    assert (finding.subject, finding.there) == (OF_STATE, "ENCRYPT_DECRYPT, DISABLED")
    assert finding.command.startswith("gcloud kms keys versions list --key=stacks ")


def test_a_key_of_the_state_that_nobody_here_may_read_is_not_taken_for_well(
    keyed: Machine,
) -> None:
    fault = {"kind": "error", "path": "/cryptoKeys/stacks$", "code": 403, "times": 10}
    keyed.fail({**fault, "message": "Permission 'cloudkms.cryptoKeys.get' denied"})
    finding = keyed.only()
    assert (finding.subject, finding.outcome) == (OF_STATE, Outcome.NOT_LOOKED_AT)


@pytest.mark.parametrize("provider", ["awskms://alias/pulumi?region=us-east-1", "passphrase", ""])
def test_only_keys_of_cloud_kms_are_asked_for(provider: str) -> None:
    assert state_key(provider) is None


def test_parameters_of_a_provider_are_no_part_of_the_keys_name() -> None:
    key = state_key(f"{KEY}?awssdk=v2")
    assert key is not None
    assert (key.path, key.name) == (KEY.removeprefix("gcpkms://"), "stacks")
