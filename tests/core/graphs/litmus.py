"""Litmus tests: a program, an outcome that is asked about, and the models that allow it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Litmus:
    name: str
    text: str
    asks: str  # registers with their threads, and memory at the end
    allowed: str  # models
    counts: tuple[int, int, int] | None = None  # of executions: SC, TSO, RC11

    def asked(self) -> set[tuple[str, int]]:
        return {(k, int(v)) for k, v in (word.split("=") for word in self.asks.split())}


SB = "x=1 {w}; r=y {r} | y=1 {w}; r=x {r}"
MP = "x=1 {d}; y=1 {w} | r1=y {r}; r2=x {d}"
LB = "r=x {r}; y=1 {w} | r=y {r}; x=1 {w}"
IRIW = "x=1 {w} | y=1 {w} | r1=x {r}; r2=y {r} | r1=y {r}; r2=x {r}"
TWO = "x=1 {w}; y=2 {w} | y=1 {w}; x=2 {w}"
FENCED = "x=1 rlx; fence {f}; r=y rlx | y=1 rlx; fence {f}; r=x rlx"
PASSED = "x=1 rlx; fence {a}; y=1 rlx | r1=y rlx; fence {b}; r2=x rlx"
SAW_FLAG_ONLY = "1r1=1 1r2=0"
APART = "2r1=1 2r2=0 3r1=1 3r2=0"

LITMUS = (
    Litmus("sb+sc", SB.format(w="sc", r="sc"), "0r=0 1r=0", "", (3, 3, 3)),
    Litmus("sb+rlx", SB.format(w="rlx", r="rlx"), "0r=0 1r=0", "tso rc11", (3, 4, 4)),
    Litmus("sb+rel+acq", SB.format(w="rel", r="acq"), "0r=0 1r=0", "tso rc11", (3, 4, 4)),
    Litmus("sb+sc+rlx", "x=1 sc; r=y rlx | y=1 sc; r=x rlx", "0r=0 1r=0", "rc11"),
    Litmus("sb+fences", FENCED.format(f="sc"), "0r=0 1r=0", "", (3, 3, 3)),
    Litmus("sb+fences+ar", FENCED.format(f="ar"), "0r=0 1r=0", "tso rc11"),
    Litmus("sb+rmws", "r0=x+1 rlx; r=y rlx | r0=y+1 rlx; r=x rlx", "0r=0 1r=0", "rc11"),
    Litmus("mp+sc", MP.format(d="sc", w="sc", r="sc"), SAW_FLAG_ONLY, "", (3, 3, 3)),
    Litmus("mp+rlx", MP.format(d="rlx", w="rlx", r="rlx"), SAW_FLAG_ONLY, "rc11", (3, 3, 4)),
    Litmus("mp+rel+acq", MP.format(d="rlx", w="rel", r="acq"), SAW_FLAG_ONLY, "", (3, 3, 3)),
    Litmus("mp+rel+rlx", MP.format(d="rlx", w="rel", r="rlx"), SAW_FLAG_ONLY, "rc11"),
    Litmus("mp+rlx+acq", MP.format(d="rlx", w="rlx", r="acq"), SAW_FLAG_ONLY, "rc11"),
    Litmus("mp+fences", PASSED.format(a="rel", b="acq"), SAW_FLAG_ONLY, ""),
    Litmus("mp+fences+sc", PASSED.format(a="sc", b="sc"), SAW_FLAG_ONLY, ""),
    Litmus("mp+fence+rlx", "x=1 rlx; fence rel; y=1 rlx | r1=y rlx; r2=x rlx", SAW_FLAG_ONLY,
           "rc11"),
    Litmus(
        "mp+rmw sequence",
        "x=1 rlx; y=1 rel | r0=y+1 rlx | r1=y acq; r2=x rlx",
        "1r0=1 2r1=2 2r2=0",
        "",
    ),
    Litmus(
        "mp+write between",
        "x=1 rlx; y=1 rel | r0=y rlx; y=2 rlx | r1=y acq; r2=x rlx",
        "1r0=1 2r1=2 2r2=0",
        "rc11",
    ),
    Litmus("lb+rlx", LB.format(r="rlx", w="rlx"), "0r=1 1r=1", "", (3, 3, 3)),
    Litmus("lb+data", "r=x rlx; y=r rlx | r=y rlx; x=r rlx", "0r=1 1r=1", ""),
    Litmus("iriw+sc", IRIW.format(w="sc", r="sc"), APART, "", (15, 15, 15)),
    Litmus("iriw+rel+acq", IRIW.format(w="rel", r="acq"), APART, "rc11", (15, 15, 16)),
    Litmus("iriw+rlx", IRIW.format(w="rlx", r="rlx"), APART, "rc11", (15, 15, 16)),
    Litmus("2+2w+sc", TWO.format(w="sc"), "x=1 y=1", "", (3, 3, 3)),
    Litmus("2+2w+rlx", TWO.format(w="rlx"), "x=1 y=1", "rc11", (3, 3, 4)),
    Litmus("2+2w+rel", TWO.format(w="rel"), "x=1 y=1", "rc11"),
    Litmus("r+sc", "x=1; y=1 | y=2; r=x", "y=2 1r=0", ""),
    Litmus("r+rlx", "x=1 rlx; y=1 rlx | y=2 rlx; r=x rlx", "y=2 1r=0", "tso rc11"),
    Litmus("s+rlx", "x=2 rlx; y=1 rlx | r=y rlx; x=1 rlx", "1r=1 x=2", "rc11"),
    Litmus("s+rel+acq", "x=2 rlx; y=1 rel | r=y acq; x=1 rlx", "1r=1 x=2", ""),
    Litmus("corr", "x=1 rlx | r1=x rlx; r2=x rlx", SAW_FLAG_ONLY, "", (3, 3, 3)),
    Litmus("corr2", "x=1 rlx | x=2 rlx | r1=x rlx; r2=x rlx | r1=x rlx; r2=x rlx",
           "2r1=1 2r2=2 3r1=2 3r2=1", ""),
    Litmus("corw", "r=x rlx; x=1 rlx | x=2 rlx", "0r=2 x=2", "", (3, 3, 3)),
    Litmus("coww", "x=1 rlx; x=2 rlx", "x=1", "", (1, 1, 1)),
    Litmus("cowr", "x=1 rlx; r=x rlx | x=2 rlx", "0r=2 x=1", "", (3, 3, 3)),
    Litmus("three additions", "r=x+1 rlx | r=x+1 rlx | r=x+1 rlx", "0r=0 1r=0", "", (6, 6, 6)),
    Litmus("two exchanges", "r=x:0>1 rlx | r=x:0>2 rlx", "0r=0 1r=0", "", (2, 2, 2)),
    Litmus("addition and write", "r=x+1 rlx | x=5 rlx", "x=5 0r=5", ""),
    Litmus("z6+sc", "x=1; y=1 | y=2; z=1 | r1=z; r2=x", "y=2 2r1=1 2r2=0", ""),
    Litmus("z6+rel+acq", "x=1 rlx; y=1 rel | y=2 rlx; z=1 rel | r1=z acq; r2=x rlx",
           "y=2 2r1=1 2r2=0", "rc11"),
    Litmus("wrc+rel+acq", "x=1 rel | r=x acq; y=1 rel | r1=y acq; r2=x acq",
           "1r=1 2r1=1 2r2=0", ""),
    Litmus("wrc+rlx", "x=1 rlx | r=x rlx; y=1 rlx | r1=y rlx; r2=x rlx",
           "1r=1 2r1=1 2r2=0", "rc11"),
    Litmus("rwc+fences", "x=1 rlx | r1=x acq; fence sc; r2=y rlx | y=1 rlx; fence sc; r=x rlx",
           "1r1=1 1r2=0 2r=0", ""),
)  # fmt: skip
