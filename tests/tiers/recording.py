"""Names what fails at once, and notes how long each file takes: the slowest are told at the end."""

import time
from collections import defaultdict
from collections.abc import Generator

import pytest
from _pytest.terminal import TerminalReporter

from bench.record import Conditions, Record
from tests.tiers.durations import NAME, TABLE, Durations, FileDuration, slowest, table, with_table
from tests.tiers.engine_runs import EngineRuns

SHOWN = 10
ENGINE_RUNS = "engine runs"
ENGINE = EngineRuns()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.getgroup("tiers").addoption(
        "--record-durations",
        metavar="COMMAND",
        help="if all tests pass, keep what each file took, as a run of COMMAND",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Count engine runs where tests run, and listen where reports arrive."""
    if config.option.record_durations:
        ENGINE.watch()
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(config))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let the last report of a test carry its engine runs, also out of a worker of `-n`."""
    if call.when == "teardown":
        item.user_properties.append((ENGINE_RUNS, ENGINE.take()))
    return (yield)


class Recorder:
    """Hears the reports of all workers."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._command: str | None = config.option.record_durations
        self._workers: int = config.getoption("numprocesses", None) or 1
        # Before the first test: afterwards the load would be the tests' own.
        self._conditions = Conditions.current()
        self._began_at = time.monotonic()
        self._tests: dict[str, set[str]] = defaultdict(set)
        self._seconds: dict[str, float] = defaultdict(float)
        self._engine_runs: dict[str, int] = defaultdict(int)

    @property
    def files(self) -> dict[str, FileDuration]:
        """What each file took."""
        return {
            file: FileDuration(
                tests=len(tests),
                seconds=round(self._seconds[file], 2),
                engine_runs=self._engine_runs[file],
            )
            for file, tests in sorted(self._tests.items())
        }

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase of a test to its file; with -q a failure would be a letter for an hour."""
        if report.failed:
            self._tell(report)
        file = report.nodeid.partition("::")[0]
        self._tests[file].add(report.nodeid)
        self._seconds[file] += report.duration
        if report.when == "teardown":
            properties = dict(report.user_properties)
            self._engine_runs[file] += int(str(properties.get(ENGINE_RUNS, 0)))

    def _tell(self, report: pytest.TestReport) -> None:
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        assert isinstance(reporter, TerminalReporter)
        crash = getattr(report.longrepr, "reprcrash", None)
        at_min = (time.monotonic() - self._began_at) / 60
        reporter.ensure_newline()
        reporter.write_line(f"{at_min:.0f} min: {report.when} of {report.nodeid} failed: {crash}")

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter, exitstatus: int) -> None:
        """Tell the slowest files, and keep the run where that is asked for."""
        files = self.files
        if len(files) > 1:
            terminalreporter.section(f"slowest of {len(files)} files")
            for file, each in slowest(files, count=SHOWN):
                terminalreporter.write_line(f"{each.seconds:7.1f} s  {each.tests:4} tests  {file}")
        if self._command and exitstatus == pytest.ExitCode.OK:
            kept = self._keep(self._command)
            terminalreporter.write_line(f"kept as {kept}, and drawn in {TABLE.name}")

    def _keep(self, command: str) -> str:
        run = Durations(
            command=command,
            workers=self._workers,
            wall_s=round(time.monotonic() - self._began_at, 1),
            files=self.files,
        )
        record = Record(conditions=self._conditions, result=run)
        record.write(NAME)
        TABLE.write_text(with_table(TABLE.read_text("utf-8"), table(record)), "utf-8")
        return f"bench/results/{NAME}.json"
