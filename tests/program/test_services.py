"""Loops without an exit."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.program.analysis.services import services

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x;
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("for (;;) x++;", 1),
        ("for (;;) { assert(x < 9); x = 1; }", 1),
        ("for (;;) { if (x) exit(1); x = 0; }", 1),
        ("for (;;) { while (x) ; x = 1; }", 1),  # the inner one is left
        ("while (x) ; for (;;) x = 1;", 1),
        ("for (;;) { if (x) continue; x = 1; }", 1),
        ("while (x) x++;", 0),
        ("for (;;) { if (x) break; }", 0),
        ("for (;;) { if (x) return 0; }", 0),
        ("for (;;) { if (x) pthread_exit(0); }", 0),
        ("for (;;) { for (;;) { if (x) goto out; } } out: ;", 0),
        ("x = 1;", 0),
    ],
)
def test_loops_that_nothing_leads_out_of(tmp_path: Path, body: str, found: int) -> None:
    source = tmp_path / "p.c"
    source.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n")
    main = imc.api.load(source).functions["main"]
    assert len(services(main)) == found
