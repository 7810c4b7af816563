"""`imc show`: a program's threads, events, shared variables, locks and loops as text or picture."""

from __future__ import annotations

from dataclasses import dataclass

from imc.program.analysis.loops import loops
from imc.program.analysis.pointsto import AbstractObject
from imc.program.analysis.sharing import Sharing, ThreadClass
from imc.program.instructions import (
    AtomicRmw,
    Call,
    CompareExchange,
    Instruction,
    Library,
    Load,
    Return,
    Store,
)
from imc.program.library import LIBRARY
from imc.program.program import Function, Program
from imc.report.describe import verb
from imc.report.expressions import Expressions
from imc.report.graph import Edge, Graph, Node
from imc.report.summary import assumption_lines

_SYNC = ("mutex", "rwlock", "spin", "cond", "barrier", "sem", "mtx", "once")


@dataclass(frozen=True, slots=True)
class EventSite:
    """A visible instruction of the code."""

    pc: int
    line: int
    text: str
    in_loop: bool


def event_sites(sharing: Sharing, function: Function) -> list[EventSite]:
    """The visible instructions of a function, and its calls of others that have some, in order."""
    expressions = Expressions(sharing.program, function)
    looping = {pc for loop in loops(function) for pc in loop}
    return [
        EventSite(
            pc, i.loc.line if i.loc else 0, _text(i, expressions, sharing, function), pc in looping
        )
        for pc, i in enumerate(function.code)
        if pc in sharing.visible_in(function.name) or _calls_events(sharing, function, pc)
    ]


def site_text(sharing: Sharing, function: str, pc: int) -> str:
    """An instruction in the program's own words."""
    found = sharing.program.functions[function]
    return _text(found.code[pc], Expressions(sharing.program, found), sharing, found)


def _calls_events(sharing: Sharing, function: Function, pc: int) -> bool:
    """Whether an instruction calls a function that has events of its own."""
    if not isinstance(function.code[pc], Call):
        return False
    callees = sharing.pointers.callees.get((function.name, pc), set())
    return any(sharing.visible_in(callee) for callee in callees)


def _text(i: Instruction, e: Expressions, sharing: Sharing, function: Function) -> str:
    match i:
        case Load():
            return f"read {e.place(i.pointer)}" + (" (atomic)" if i.ordering else "")
        case Store():
            return f"write {e.place(i.pointer)}" + (" (atomic)" if i.ordering else "")
        case AtomicRmw():
            return f"atomic {i.op} {e.place(i.pointer)}"
        case CompareExchange():
            return f"compare-exchange {e.place(i.pointer)}"
        case Return():
            return "exit the program" if function.name == sharing.program.entry else "return"
        case Call():
            return f"call {e.value(i.callee).removeprefix('&')}"
        case Library():
            spec = LIBRARY[i.function]
            if spec.spawns and spec.calls is not None:
                return f"create {e.value(i.args[spec.calls])}"
            what = (
                e.value(i.args[0]).removeprefix("&")
                if i.args and i.function.startswith(_SYNC)
                else ""
            )
            return f"{verb(i.name or i.function)} {what}".rstrip()
    return type(i).__name__.lower()


def show_text(sharing: Sharing) -> str:
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
    if program.assumptions:
        lines += ["", *assumption_lines(program.assumptions)]
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
            and i.function.startswith(_SYNC)
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


def control_flow(sharing: Sharing) -> Graph:
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
                Node(
                    f"{name}:{block.label}",
                    text,
                    "sync" if inside else "entry" if start == 0 else "",
                    name,
                )
            )
            targets = list(dict.fromkeys(block.terminator.targets()))
            edges += [Edge(f"{name}:{block.label}", f"{name}:{t}") for t in targets]
    return Graph(sharing.program.name, tuple(nodes), tuple(edges))


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
        "assumptions": [str(a) for a in program.assumptions],
    }
