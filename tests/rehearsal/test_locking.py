"""Unit: two processes that want the same."""

import os
import threading
from pathlib import Path
from queue import Queue

from rehearsal.locking import exclusive

TIMEOUT_S = 10


def test_the_second_waits_for_the_first_and_says_for_whom(tmp_path: Path) -> None:
    lock_file = tmp_path / "etcd.lock"
    said: Queue[str] = Queue()
    entered = threading.Event()

    def second() -> None:
        with exclusive(lock_file, subject="etcd v3.6.8", progress=said.put):
            entered.set()

    with exclusive(lock_file, subject="etcd v3.6.8", progress=said.put):
        waiter = threading.Thread(target=second)
        waiter.start()
        line = said.get(timeout=TIMEOUT_S)
        assert f"waiting for process {os.getpid()}" in line
        assert not entered.is_set()
    assert entered.wait(TIMEOUT_S)
    waiter.join()
    assert said.empty()


def test_a_lock_left_by_a_dead_process_blocks_nobody(tmp_path: Path) -> None:
    lock_file = tmp_path / "etcd.lock"
    lock_file.write_text("process 4194304 (python -m rehearsal.toolchain)\n", encoding="utf-8")
    said: list[str] = []
    with exclusive(lock_file, subject="etcd v3.6.8", progress=said.append):
        assert f"process {os.getpid()} " in lock_file.read_text(encoding="utf-8")
    assert said == []
