"""Options of the whole suite, and which tests are slow.

tests/slow.txt lists those that took long when it was written; `--refresh-slow` writes it anew, for
the tests that are run.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from imc.report import progress

LIST = Path(__file__).parent / "slow.txt"
SLOW_S = 0.3  # of processor time, so that it does not matter what else the machine does
COMPUTED = "computed_s"

# How long examples take depends on what else the machine is doing. They are the same each time:
# what is new is looked for by scripts/crosscheck*.py, not by whoever happens to run the tests.
settings.register_profile(
    "imc", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("imc")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--refresh-golden",
        action="store_true",
        help="rewrite the expected texts under tests/golden",
    )
    parser.addoption(
        "--refresh-slow",
        action="store_true",
        help="rewrite tests/slow.txt by how long the tests take that are run",
    )


def pytest_configure(config: pytest.Config) -> None:
    # A shell that starts the suite in the background makes it ignore interrupts, and with it all
    # programs that tests interrupt.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("--refresh-slow") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Refresh())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    known = set(LIST.read_text().splitlines())
    for item in items:
        if item.nodeid in known:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True, scope="session")
def no_lines_of_progress() -> Iterator[None]:
    """What is said does not depend on how long it takes to find out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "LINES_EVERY_S", float("inf"))
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """What a test and its processes have computed goes into its report."""
    before = os.times()
    try:
        return (yield)
    finally:
        after = os.times()
        item.user_properties.append((COMPUTED, sum(after[:4]) - sum(before[:4])))


class Refresh:
    """Collects what tests have computed, from all workers."""

    def __init__(self) -> None:
        self.computed: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, seconds in report.user_properties:
            if name == COMPUTED and report.when == "teardown":
                self.computed[report.nodeid] = float(str(seconds))

    def pytest_sessionfinish(self) -> None:
        others = {name for name in LIST.read_text().splitlines() if name not in self.computed}
        slow = {name for name, seconds in self.computed.items() if seconds >= SLOW_S}
        LIST.write_text("".join(f"{name}\n" for name in sorted(others | slow)))
