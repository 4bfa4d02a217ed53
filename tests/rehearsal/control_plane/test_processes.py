"""Unit tests: processes are watched, recorded, and stopped only when they are the same."""

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

import psutil
import pytest

from rehearsal.control_plane.layout import Layout
from rehearsal.control_plane.processes import Processes, ProcessRecord, stop_left_over

SLEEPER = ("/bin/sleep", "60")


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    layout = Layout(directory=tmp_path / "cluster")
    layout.create()
    return layout


def recorded(layout: Layout) -> list[ProcessRecord]:
    return [ProcessRecord(**fields) for fields in json.loads(layout.processes.read_text("utf-8"))]


def test_a_process_that_ends_by_itself_is_reported_with_its_last_words(layout: Layout) -> None:
    processes = Processes(layout)
    processes.start("etcd", (sys.executable, "-c", "print('disk broken'); raise SystemExit(3)"))
    while not processes.dead():
        assert recorded(layout)
    (dead,) = processes.dead()
    assert (dead.name, dead.exit_code, dead.last_lines) == ("etcd", 3, ("disk broken",))
    assert "disk broken" in str(dead)
    assert str(layout.log("etcd")) in str(dead)


def test_the_reason_of_a_panic_is_told_and_not_the_stacks_behind_it(layout: Layout) -> None:
    words = ["no space left on device", "panic: failed to open WAL", "", "goroutine 1 [running]:"]
    script = f"for line in {words + ['main.main()'] * 20}: print(line)"
    processes = Processes(layout)
    processes.start("etcd", (sys.executable, "-c", script))
    while not processes.dead():
        assert recorded(layout)
    assert processes.dead()[0].last_lines == tuple(words[:3])


def test_stopping_leaves_no_process_and_no_record(layout: Layout) -> None:
    processes = Processes(layout)
    processes.start("etcd", SLEEPER)
    (record,) = recorded(layout)
    processes.stop()
    assert not psutil.pid_exists(record.process_id)
    assert not layout.processes.exists()
    assert processes.dead() == ()


def test_a_process_that_ignores_requests_is_ended_anyway(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rehearsal.control_plane.processes.STOP_TIMEOUT_S", 0.2)
    stubborn = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "print('deaf', flush=True); time.sleep(60)"
    )
    processes = Processes(layout)
    processes.start("etcd", (sys.executable, "-c", stubborn))
    while "deaf" not in layout.log("etcd").read_text(encoding="utf-8"):
        assert processes.dead() == ()
    (record,) = recorded(layout)
    processes.stop()
    assert not psutil.pid_exists(record.process_id)


@pytest.mark.skipif(sys.platform != "linux", reason="only there such a process is called a zombie")
def test_a_process_whose_first_thread_has_ended_is_not_taken_for_ended(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rehearsal.control_plane.processes.STOP_TIMEOUT_S", 0.2)
    headless = (
        "import ctypes, signal, threading, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "threading.Thread(target=time.sleep, args=(60,)).start();"
        "ctypes.PyDLL(None).pthread_exit(None)"
    )
    processes = Processes(layout)
    processes.start("kube-apiserver", (sys.executable, "-c", headless))
    (record,) = recorded(layout)
    process = psutil.Process(record.process_id)
    while process.status() != psutil.STATUS_ZOMBIE:
        assert processes.dead() == ()
    processes.stop()
    assert not psutil.pid_exists(record.process_id)


def test_what_a_crashed_run_left_is_found_and_stopped(layout: Layout) -> None:
    crashed = Processes(layout)
    crashed.start("etcd", SLEEPER)
    crashed.start("kube-apiserver", SLEEPER)
    ids = [record.process_id for record in recorded(layout)]
    assert stop_left_over(layout.directory) == ("kube-apiserver", "etcd")
    assert not any(psutil.pid_exists(each) for each in ids)
    assert stop_left_over(layout.directory) == ()


@pytest.mark.parametrize("difference", [{"started_at": 1.0}, {"executable": "/usr/bin/etcd"}])
def test_another_process_under_an_old_number_is_left_alone(
    layout: Layout, difference: dict[str, float | str]
) -> None:
    processes = Processes(layout)
    processes.start("etcd", SLEEPER)
    (record,) = recorded(layout)
    other = replace(record, **difference)  # type: ignore[arg-type]
    layout.processes.write_text(json.dumps([asdict(other)]), encoding="utf-8")
    assert stop_left_over(layout.directory) == ()
    assert record.find() is not None
    processes.stop()


def test_a_directory_without_a_record_has_nothing_to_stop(tmp_path: Path) -> None:
    assert stop_left_over(tmp_path / "never-started") == ()
