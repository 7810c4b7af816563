"""Variables that only count."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.program.analysis.accumulators import accumulators

HEAD = """#include <pthread.h>
#include <stdio.h>
int n, m, limit, a[4];
int *p;
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("n++;", {"n"}),
        ("n += 3; m -= n;", {"n", "m"}),
        ('n++; printf("%d", n);', {"n"}),
        ("n++; if (n > 3) return 1;", set()),
        ("n++; m += n; if (m) return 1;", set()),  # what goes into m matters
        ("n++; return n;", set()),
        ("n++; a[n] = 1;", set()),
        ("n++; p = &n;", set()),
        ("n = (n + 1) % 3;", set()),  # it comes back
        ("n++; limit = n; while (m < limit) m++;", set()),
    ],
)
def test_what_only_counts(tmp_path: Path, body: str, found: set[str]) -> None:
    source = tmp_path / "p.c"
    source.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n")
    counting = accumulators(imc.api.load(source)) & {"n", "m", "limit"}
    untouched = {name for name in ("n", "m", "limit") if name not in body}
    assert counting - untouched == found
