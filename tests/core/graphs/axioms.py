"""What memory models allow, as the literature writes it: each model is one function.

SC: Lamport's, as in Alglave, Maranget and Tautschnig, "Herding cats" (2014). TSO: x86's, from the
same, where accesses are compiled as usual: an `sc` store is followed by a fence, an `sc` fence is
one, all other orders are those of the machine. RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer,
"Repairing sequential consistency in C/C++11" (2017).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graphs.candidates import INIT, Candidate, Event, Pairs, candidates

ACQUIRES, RELEASES = ("acq", "ar", "sc"), ("rel", "ar", "sc")


def sc(c: Candidate) -> bool:
    return _is_atomic(c) and _is_acyclic(c.po | _rf(c) | c.co | _rb(c))


def tso(c: Candidate) -> bool:
    e = c.events
    com = _rf(c) | c.co | _rb(c)
    flushes = [f for f in e if (f.kind == "F" and f.order == "sc") or f.half]
    ordered = {
        (a, b)
        for a, b in c.po
        if "F" not in (e[a].kind, e[b].kind)
        and (
            not (e[a].kind == "W" and e[b].kind == "R")  # a store waits in its thread's buffer
            or (e[a].order == "sc" and e[a].thread != INIT)
            or e[a].half
            or e[b].half
            or any((a, f.number) in c.po and (f.number, b) in c.po for f in flushes)
        )
    }
    external = {(a, b) for a, b in _rf(c) if e[a].thread != e[b].thread}
    return (
        _is_atomic(c)
        and _is_acyclic(_same_place(c, c.po) | com)
        and _is_acyclic(ordered | external | c.co | _rb(c))
    )


def rc11(c: Candidate) -> bool:
    e, po, rf, rb = c.events, c.po, _rf(c), _rb(c)
    hb = happens_before(c)
    eco = _closure(rf | c.co | rb)
    fences = {f.number for f in e if f.kind == "F" and f.order == "sc"}
    in_sc = {a.number for a in e if a.order == "sc"}
    apart = po - _same_place(c, po)
    scb = po | _seq(apart, hb, apart) | _same_place(c, hb) | c.co | rb
    starts = {(a, a) for a in in_sc} | {(f, b) for f, b in hb if f in fences}
    ends = {(a, a) for a in in_sc} | {(a, f) for a, f in hb if f in fences}
    psc = _seq(starts, scb, ends) | {
        (a, b) for a, b in hb | _seq(hb, eco, hb) if a in fences and b in fences
    }
    return (
        _is_irreflexive(hb)  # coherence, and below
        and _is_irreflexive(_seq(hb, eco))
        and _is_atomic(c)
        and _is_acyclic(psc)
        and _is_acyclic(po | rf)  # no thin air
    )


def happens_before(c: Candidate) -> Pairs:
    """RC11's: program order and synchronisation, through release sequences and fences."""
    e, po, rf = c.events, c.po, _rf(c)
    steps = {(a, a + 1) for a in range(len(e) - 1) if e[a].half and e[a].kind == "R"}
    sequence = _closure(_seq(rf, steps)) | {(w.number, w.number) for w in e if w.kind == "W"}
    sequence = _seq(_same_place(c, {(a, b) for a, b in po if e[a].kind == e[b].kind == "W"})
                    | {(w.number, w.number) for w in e if w.kind == "W"}, sequence)  # fmt: skip
    atomic = {(a, b) for a, b in rf if e[b].order != "na"}
    seen = _seq(sequence, atomic)
    before = {(f, w) for f, w in po if e[f].kind == "F"} | {(a.number, a.number) for a in e}
    behind = {(r, f) for r, f in po if e[f].kind == "F"} | {(a.number, a.number) for a in e}
    sw = {
        (a, b)
        for a, b in _seq(before, seen, behind)
        if e[a].order in RELEASES and e[b].order in ACQUIRES
    }
    return _closure(po | sw)


def has_race(c: Candidate) -> bool:
    """Whether plain accesses to one location meet, of which one writes: undefined under RC11."""
    hb = happens_before(c)
    return any(
        a.place == b.place != "" and "W" in (a.kind, b.kind) and "na" in (a.order, b.order)
        and a.thread != b.thread and not {(a.number, b.number), (b.number, a.number)} & hb
        for a in c.events for b in c.events
    )  # fmt: skip


MODELS: dict[str, Callable[[Candidate], bool]] = {"sc": sc, "tso": tso, "rc11": rc11}


def outcomes(text: str, model: str) -> set[tuple[tuple[str, int], ...]]:
    return {c.outcome() for c in candidates(text) if MODELS[model](c)}


def executions(text: str, model: str) -> int:
    return sum(MODELS[model](c) for c in candidates(text))


# ------------------------------------------------------------------------------------- relations


def _rf(c: Candidate) -> Pairs:
    return frozenset((w, r) for r, w in c.rf.items())


def _rb(c: Candidate) -> Pairs:
    """Reads before the writes that they have not seen."""
    return frozenset((r, b) for r, w in c.rf.items() for a, b in c.co if a == w)


def _is_atomic(c: Candidate) -> bool:
    """Nobody writes between the halves of one step."""
    for e in c.events:
        if e.kind == "W" and e.half:
            source = c.rf[e.number - 1]
            if (source, e.number) not in c.co:
                return False
            if any(a == source and (b, e.number) in c.co for a, b in c.co):
                return False
    return True


def _same_place(c: Candidate, pairs: Iterable[tuple[int, int]]) -> Pairs:
    places: list[Event] = c.events
    return frozenset((a, b) for a, b in pairs if places[a].place == places[b].place != "")


def _seq(*relations: Iterable[tuple[int, int]]) -> Pairs:
    first, *rest = relations
    found = frozenset(first)
    for other in rest:
        behind: dict[int, list[int]] = {}
        for a, b in other:
            behind.setdefault(a, []).append(b)
        found = frozenset((a, d) for a, b in found for d in behind.get(b, ()))
    return found


def _closure(pairs: Iterable[tuple[int, int]]) -> Pairs:
    found = frozenset(pairs)
    while True:
        more = found | _seq(found, found)
        if more == found:
            return found
        found = more


def _is_irreflexive(pairs: Iterable[tuple[int, int]]) -> bool:
    return all(a != b for a, b in pairs)


def _is_acyclic(pairs: Iterable[tuple[int, int]]) -> bool:
    return _is_irreflexive(_closure(pairs))
