"""A counter that two Python threads increment without a lock, and a schedule that makes it right.

What to see: left alone, increments are lost whenever one thread reads between the other's read and
write. Under the schedule each increment is done before the next one begins, in every run.

    python examples/python_threads.py
"""

from __future__ import annotations

import random
import threading
import time

import irs

ROUNDS = 100

# One increment of each thread after the other, over and over.
TURNS = irs.order(
    [("main.1", "read"), ("main.1", "write"), ("main.2", "read"), ("main.2", "write")],
    repeat=True,
)


class Counter:
    def __init__(self) -> None:
        self.value = 0

    def increment(self) -> None:
        with irs.event("read"):
            value = self.value
        time.sleep(random.random() / 10_000)
        with irs.event("write"):
            self.value = value + 1


def count() -> int:
    """What two threads make of the counter; it should be twice the number of rounds."""
    counter = Counter()

    def work() -> None:
        for _ in range(ROUNDS):
            counter.increment()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return counter.value


def main() -> None:
    print(f"left alone: {count()} of {2 * ROUNDS}")
    with irs.enforce(TURNS):
        print(f"under the schedule: {count()} of {2 * ROUNDS}")


if __name__ == "__main__":
    main()
