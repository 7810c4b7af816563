"""Long counterexamples are cut to what leads to the error; --full shows all."""

from __future__ import annotations

from pathlib import Path

import imc.api
from imc.report.slice import LONG, sliced
from imc.report.trace import counterexample_text

NOISY = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x, noise, unrelated;
static void *aside(void *arg) {
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&n);
        unrelated = i;
        pthread_mutex_unlock(&n);
    }
    return arg;
}
static void *sets(void *arg) {
    for (int i = 0; i < 12; i++) noise += i;
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, aside, 0);
    pthread_create(&b, 0, sets, 0);
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&n);
        unrelated = noise;
        pthread_mutex_unlock(&n);
    }
    pthread_join(a, 0);
    pthread_mutex_lock(&m);
    assert(x == 0);
    pthread_mutex_unlock(&m);
    pthread_join(b, 0);
    return 0;
}
"""


def found(folder: Path, text: str) -> imc.api.Exploration:
    source = folder / "prog.c"
    source.write_text(text)
    return imc.explore(source, algorithm="exhaustive")


def test_what_leads_to_the_error_is_kept(tmp_path: Path) -> None:
    result = found(tmp_path, NOISY)
    assert result.fault is not None and result.image is not None
    events = [event for event in result.trace if event.operation != "start"]
    part = sliced(events, result.fault)
    assert len(events) > LONG > len(part.shown)
    text = counterexample_text(result.image, result.trace, result.fault, full=False)
    rows = text.splitlines()
    assert any(">" in row[:7] and "x := 1" in row for row in rows)
    assert any(row.endswith("x is 1") for row in rows)
    assert any(row.startswith("  ...  ") and row.endswith(" more") for row in rows)
    assert f"{len(part.shown)} of {len(events)} events" in text and "--full" in text
    table = text.partition("\n\n")[0]
    assert max(map(len, table.splitlines())) <= 80


def test_all_events_are_there_in_full(tmp_path: Path) -> None:
    result = found(tmp_path, NOISY)
    assert result.fault is not None and result.image is not None
    text = counterexample_text(result.image, result.trace, result.fault)
    events = [event for event in result.trace if event.operation != "start"]
    head = text.partition("\n\n")[0].splitlines()
    assert len(head) == len(events) + 1 and " more" not in text


def test_short_ones_are_shown_as_they_are(tmp_path: Path) -> None:
    few = NOISY.replace("i < 20", "i < 1").replace("i < 12", "i < 1").replace("i < 5", "i < 1")
    result = found(tmp_path, few)
    assert result.fault is not None and result.image is not None
    image, trace, fault = result.image, result.trace, result.fault
    assert counterexample_text(image, trace, fault, full=False) == counterexample_text(
        image, trace, fault
    )


def test_a_round_is_shown_in_full(tmp_path: Path) -> None:
    """What comes again and again is what is wrong."""
    text = NOISY.replace("assert(x == 0);", "while (x != 2) noise = x;")
    result = found(tmp_path, text)
    assert result.fault is not None and result.fault.loop
    events = [event for event in result.trace if event.operation != "start"]
    part = sliced(events, result.fault)
    assert set(range(len(events) - result.fault.loop, len(events))) <= part.shown
