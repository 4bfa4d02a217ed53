"""Who holds a lock, and whether that can still be; unit tier."""

import os
import socket

from daskfleet.access.state_lock import Holder, holders, is_lock_refusal

REFUSAL = (
    "error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to "
    "end or delete the lock file with `pulumi cancel`.\n  gs://bucket/.pulumi/locks/x.json: "
    "created by ana@laptop-7 (pid 4711) at 2026-11-21T14:12:28Z"
)


def holder(*, host: str, pid: int) -> Holder:
    return Holder(user="ana", host=host, pid=pid, since="2026-11-21T14:12:28Z")


def test_a_refusal_names_who_holds_the_lock() -> None:
    assert is_lock_refusal(REFUSAL)
    assert holders(REFUSAL) == (holder(host="laptop-7", pid=4711),)


def test_another_failure_is_no_refusal() -> None:
    assert not is_lock_refusal("error: no stack named 'prod' found")


def test_nobody_can_tell_whether_a_process_of_another_machine_is_gone() -> None:
    assert not holder(host="another-machine", pid=4711).is_gone


def test_a_process_that_is_no_pulumi_has_only_inherited_the_number() -> None:
    assert holder(host=socket.gethostname(), pid=os.getpid()).is_gone
