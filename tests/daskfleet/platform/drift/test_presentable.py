"""What may be a secret is not shown."""

from daskfleet.access.redaction.shapes import HIDDEN
from daskfleet.platform.drift.presentable import presentable


def test_an_environment_is_hidden_wherever_it_is() -> None:
    pod = {"containers": [{"image": "a:1", "env": [{"name": "KEY", "value": "hunter2"}]}]}
    shown = presentable(pod, ("spec", "worker", "spec"))
    assert shown == {"containers": [{"image": "a:1", "env": HIDDEN}]}
    assert presentable("hunter2", ("spec", "containers", 0, "env", 0, "value")) == HIDDEN


def test_kubectls_copy_of_an_object_is_hidden() -> None:
    path = ("metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration")
    assert presentable("{}", path) == HIDDEN


def test_other_values_are_shown_as_they_are() -> None:
    assert presentable([{"port": 53}], ("spec", "ports")) == [{"port": 53}]
    assert presentable(None, ("spec", "containers", 0, "env")) is None


def test_a_credential_is_hidden_whatever_the_key_that_it_stands_under() -> None:
    note = presentable("see https://me:hunter2@example.org/", ("metadata", "annotations", "note"))
    assert note == f"see https://{HIDDEN}@example.org/"
