"""`imc show`: a program's threads, events, shared variables, locks and loops as text or picture."""

from __future__ import annotations

from imc.program.analysis.addresses import AbstractObject
from imc.program.analysis.loops import loops
from imc.program.analysis.sharing import Sharing, ThreadClass
from imc.program.assumptions import assumed
from imc.program.instructions import Library
from imc.program.program import Function, Program
from imc.program.settings import Settings
from imc.program.words.expressions import Expressions
from imc.program.words.sites import SYNCHRONISATION, EventSite, event_sites
from imc.report.assumptions import (
    assumption_documents,
    assumption_lines,
    note_documents,
    note_lines,
)
from imc.report.drawing import Drawing, DrawnEdge, DrawnNode

USUAL = Settings()


def show_text(sharing: Sharing, every: bool = False) -> str:
    program = sharing.program
    shared = sorted({_object_name(program, o) for o in sharing.shared if not _is_sync(program, o)})
    lines = [program.name, ""]
    lines += _wrapped("shared", shared or ["nothing"])
    lines += _wrapped("locks", _locks(sharing) or ["none"])
    lines += _wrapped("threads", [_class_name(program, c) for c in sharing.classes])
    for function in _in_order(sharing):
        sites = event_sites(sharing, function)
        callers = ", ".join(sorted(_runs_in(sharing, function)))
        place = f"  ({function.loc})" if function.loc else ""
        lines += ["", f"{function.source_name or function.name}{place}, run by {callers}"]
        lines += _site_lines(function, sites)
    rests = assumption_lines(assumed(program.assumptions, USUAL), every=every)
    told = note_lines(program, USUAL) + rests
    if told:
        lines += ["", *told]
    return "\n".join(lines)


def _site_lines(function: Function, sites: list[EventSite]) -> list[str]:
    if not sites:
        return ["       no events"]
    lines = []
    for site in sites:
        mark = "|" if site.in_loop else " "
        lines.append(f"{site.line or '':>5}  {mark} {site.text}")
    for loop in loops(function):
        where = sorted(i.loc.line for pc in loop if (i := function.code[pc]).loc)
        if where and any(site.pc in loop for site in sites):
            lines.append(f"       | loop, lines {where[0]} to {where[-1]}")
    return lines


def _in_order(sharing: Sharing) -> list[Function]:
    """Functions with events, or where threads start, main first."""
    entries = [c.entry for c in sharing.classes]
    rest = [n for n in sharing.program.functions if n in sharing.runs and n not in entries]
    names = entries + [n for n in rest if sharing.visible_in(n)]
    return [sharing.program.functions[n] for n in dict.fromkeys(names)]


def _runs_in(sharing: Sharing, function: Function) -> set[str]:
    return {_class_name(sharing.program, sharing.classes[c]) for c in sharing.runs[function.name]}


def _class_name(program: Program, thread: ThreadClass) -> str:
    name = program.functions[thread.entry].source_name or thread.entry
    return f"{name} (several)" if thread.many else name


def _object_name(program: Program, thing: AbstractObject) -> str:
    if thing.kind == "global":
        variable = program.globals[thing.function]
        return variable.source_name or thing.function
    if thing.pc < 0:
        return f"arguments of {thing.function}"
    i = program.functions[thing.function].code[thing.pc]
    line = f" (line {i.loc.line})" if i.loc else ""
    if thing.kind == "heap":
        return f"heap objects{line}"
    return (getattr(i, "name", "") or "a local") + f" of {thing.function}"


def _is_sync(program: Program, thing: AbstractObject) -> bool:
    variable = program.globals.get(thing.function) if thing.kind == "global" else None
    source = variable.source_type if variable else None
    return source is not None and source.name.startswith(("pthread_", "sem_t", "mtx_t", "cnd_t"))


def _locks(sharing: Sharing) -> list[str]:
    """Synchronisation objects, as the code names them."""
    names: set[str] = set()
    for function, _, i in sharing.program.instructions():
        if (
            isinstance(i, Library)
            and i.function.startswith(SYNCHRONISATION)
            and i.args
            and function.name in sharing.runs
        ):
            names.add(Expressions(sharing.program, function).value(i.args[0]).removeprefix("&"))
    return sorted(names)


def _wrapped(title: str, items: list[str], width: int = 80) -> list[str]:
    lines, line = [], f"{title:<8} "
    for n, item in enumerate(items):
        piece = item + (", " if n < len(items) - 1 else "")
        if len(line) + len(piece.rstrip()) > width and line.strip():
            lines.append(line.rstrip())
            line = " " * 9
        line += piece
    return [*lines, line.rstrip()]


def control_flow(sharing: Sharing) -> Drawing:
    """The basic blocks of all functions that threads run, with their events."""
    nodes, edges = [], []
    for function in _in_order(sharing):
        name = function.source_name or function.name
        sites = event_sites(sharing, function)
        for block in function.blocks:
            start = function.starts[block.label]
            inside = [s for s in sites if start <= s.pc < start + len(block.body)]
            text = tuple(f"{s.line:>4}  {s.text}" for s in inside) or (block.label,)
            nodes.append(
                DrawnNode(
                    f"{name}:{block.label}",
                    text,
                    "sync" if inside else "entry" if start == 0 else "",
                    name,
                )
            )
            targets = list(dict.fromkeys(block.terminator.targets()))
            edges += [DrawnEdge(f"{name}:{block.label}", f"{name}:{t}") for t in targets]
    return Drawing(sharing.program.name, tuple(nodes), tuple(edges))


def show_document(sharing: Sharing) -> dict[str, object]:
    program = sharing.program
    return {
        "program": program.name,
        "digest": program.digest,
        "shared": sorted({_object_name(program, o) for o in sharing.shared}),
        "locks": _locks(sharing),
        "threads": [{"entry": c.entry, "several": c.many} for c in sharing.classes],
        "functions": [
            {
                "name": f.source_name or f.name,
                "events": [
                    {"pc": s.pc, "line": s.line, "text": s.text, "in_loop": s.in_loop}
                    for s in event_sites(sharing, f)
                ],
            }
            for f in _in_order(sharing)
        ],
        "assumptions": assumption_documents(assumed(program.assumptions, USUAL)),
        "notes": note_documents(program, USUAL),
    }
