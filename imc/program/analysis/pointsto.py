"""Points-to analysis in Andersen's manner: what every register and object may hold addresses of.

Flow- and field-insensitive, and sound for what C can do with addresses: integers and bytes carry
them too. Calls through pointers are resolved as their targets become known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set

from imc.program.analysis.addresses import (
    AbstractObject,
    Change,
    Held,
    casts,
    is_distance,
    pieces,
    wholes,
    without_pieces,
)
from imc.program.instructions import (
    Address,
    AggregateConst,
    Alloca,
    AtomicRmw,
    Binary,
    Call,
    Cast,
    CompareExchange,
    ConstExpr,
    GetElementPtr,
    Instruction,
    Library,
    Load,
    Operand,
    Phi,
    Reg,
    Return,
    Store,
)
from imc.program.library import LIBRARY
from imc.program.program import Program
from imc.program.types import I1, IntType
from imc.records import record

ARGUMENTS = -1_000_000  # the place where a program's arguments are made

PUBLISHED = ("published",)  # what threads hand over by the library: results, private data, secrets

# A register, what a function returns, its variable arguments, or the contents of an object.
Node = object


@record
class CallSite:
    """A call whose target is a pointer, or a library function that calls one."""

    function: str
    pc: int
    args: tuple[Operand, ...]
    result: int | None
    by_value: tuple[bool, ...] = ()  # whether what an argument points to is passed, not its address
    spawned: bool = False
    specific: bool = False  # it hands over thread-specific data


class PointsTo:
    """The least solution for a program; `of` answers what an operand may point to."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.sets: dict[Node, set[Held]] = defaultdict(set)
        self.callees: dict[tuple[str, int], set[str]] = defaultdict(set)
        self._copies: dict[Node, set[Node]] = defaultdict(set)
        self._changes: dict[Node, set[tuple[Node, Change]]] = defaultdict(set)
        self._loads: dict[Node, set[Node]] = defaultdict(set)  # pointer -> destinations
        self._stores: dict[Node, set[Node]] = defaultdict(set)  # pointer -> sources
        self._calls: dict[Node, list[CallSite]] = defaultdict(list)
        self._work: list[Node] = []
        self._pending: dict[Node, set[Held]] = defaultdict(set)
        self._constants = 0
        self.casts = casts(program.functions.values())
        for variable in program.globals.values():
            if variable.initializer is not None:
                self._flow(variable.initializer, "", AbstractObject("global", variable.name))
        for function in program.functions.values():
            for block in function.blocks:
                for phi in block.phis:
                    self._instruction(function.name, -1, phi)
            for pc, instruction in enumerate(function.code):
                self._instruction(function.name, pc, instruction)
        self._program_arguments()
        self._solve()

    def _program_arguments(self) -> None:
        """argv and the environment: one object that leads to itself."""
        entry = self.program.functions[self.program.entry]
        arguments = AbstractObject("stack", entry.name, ARGUMENTS)
        self._add(arguments, {arguments})
        for parameter in entry.params:
            self._add(("reg", entry.name, parameter.register), {arguments})

    def of(self, function: str, operand: Operand) -> set[AbstractObject]:
        if isinstance(operand, Reg):
            return wholes(self.sets.get(("reg", function, operand.index), set()))
        return self._addresses(operand)

    def contents(self, thing: AbstractObject) -> set[AbstractObject]:
        return wholes(self.sets.get(thing, set()))

    def published(self) -> set[AbstractObject]:
        return wholes(self.sets.get(PUBLISHED, set()))

    # ------------------------------------------------------------ constraints

    def _addresses(self, operand: Operand) -> set[AbstractObject]:
        match operand:
            case Address(_, symbol, _):
                variable = self.program.globals.get(symbol)
                if variable is not None and variable.alias and variable.initializer is not None:
                    return self._addresses(variable.initializer)
                return {
                    AbstractObject(
                        "function" if symbol in self.program.functions else "global",
                        symbol,
                    )
                }
            case AggregateConst(_, elements):
                return {o for e in elements for o in self._addresses(e)}
            case ConstExpr(_, _, operands):
                return {o for e in operands for o in self._addresses(e)}
        return set()

    def _node(self, operand: Operand, function: str) -> Node | None:
        """The node of an operand; constants with addresses get one of their own."""
        if isinstance(operand, Reg):
            return ("reg", function, operand.index)
        addresses = self._addresses(operand)
        if not addresses:
            return None
        self._constants += 1
        node = ("const", self._constants)
        self._add(node, addresses)
        return node

    def _flow(self, operand: Operand, function: str, to: Node) -> None:
        if isinstance(operand, Reg):
            self._copy(("reg", function, operand.index), to)
        else:
            self._add(to, self._addresses(operand))

    def _add(self, node: Node, objects: Set[Held]) -> None:
        new = objects - self.sets[node]
        if new:
            self.sets[node] |= new
            self._pending[node] |= new
            self._work.append(node)

    def _copy(self, source: Node, to: Node) -> None:
        if to not in self._copies[source] and source != to:
            self._copies[source].add(to)
            self._add(to, self.sets[source])

    def _change(self, source: Node, to: Node, change: Change) -> None:
        """As `_copy`, with what becomes of it on the way."""
        self._changes[source].add((to, change))
        self._add(to, change(self.sets[source]))

    def _is_narrow(self, i: Cast) -> bool:
        bits = 8 * self.program.layout.pointer_bytes
        return isinstance(i.source, IntType) and i.source.width < bits

    def _load(self, pointer: Operand, function: str, to: Node) -> None:
        node = self._node(pointer, function)
        if node is not None:
            self._loads[node].add(to)
            for thing in wholes(self.sets[node]):
                self._copy(thing, to)

    def _store(self, pointer: Operand, function: str, source: Operand) -> None:
        node, value = self._node(pointer, function), self._node(source, function)
        if node is not None and value is not None:
            self._store_node(node, value)

    def _store_node(self, pointer: Node, value: Node) -> None:
        self._stores[pointer].add(value)
        for thing in wholes(self.sets[pointer]):
            self._copy(value, thing)

    def _carries(self, name: str, i: Instruction) -> bool:
        """Whether the result may hold an address, a piece of one, or a number made of it."""
        return i.result is not None and self.program.functions[name].registers[i.result].type != I1

    def _instruction(self, name: str, pc: int, i: Instruction) -> None:
        result: Node | None = ("reg", name, i.result) if self._carries(name, i) else None
        match i:
            case Alloca():
                assert result is not None
                self._add(result, {AbstractObject("stack", name, pc)})
            case Load():
                if result is not None:
                    self._load(i.pointer, name, result)
            case Store():
                self._store(i.pointer, name, i.value)
            case AtomicRmw():
                self._store(i.pointer, name, i.value)
                if result is not None:
                    self._load(i.pointer, name, result)
            case CompareExchange():
                self._store(i.pointer, name, i.new)
                if result is not None:
                    self._load(i.pointer, name, result)
            case Call():
                target = self._node(i.callee, name)
                if target is not None:
                    by_value = tuple(type is not None for type in i.byval or ())
                    self._call(target, CallSite(name, pc, i.args, i.result, by_value))
            case Library():
                self._library(name, pc, i, result)
            case Return():
                if i.value is not None:
                    self._flow(i.value, name, ("ret", name))
            case Phi():
                for operand, _ in i.incoming if result is not None else ():
                    self._flow(operand, name, result)
            case GetElementPtr():
                assert result is not None
                self._flow(i.pointer, name, result)
                # To a pointer that is null at times an address may be added, but no piece of one.
                for operand in i.indices:
                    if isinstance(operand, Reg):
                        self._change(("reg", name, operand.index), result, without_pieces)
                    else:
                        self._flow(operand, name, result)
            case Cast(op="sext" | "zext", value=Reg(index=index)) if self._is_narrow(i):
                if result is not None:
                    self._change(("reg", name, index), result, pieces)
            case Binary() if is_distance(i, self.casts, name):
                pass
            case Binary(op=op) if op not in ("add", "sub"):  # which may put an address together
                for operand in i.operands() if result is not None else ():
                    if isinstance(operand, Reg):
                        self._change(("reg", name, operand.index), result, wholes)
                    else:
                        self._flow(operand, name, result)
            case _ if result is not None:  # casts, arithmetic, selects: addresses flow through
                for operand in i.operands():
                    self._flow(operand, name, result)

    def _library(self, name: str, pc: int, i: Library, result: Node | None) -> None:
        function = LIBRARY[i.function]
        pairs = [(a, b) for a, b in function.copies if max(a, b) < len(i.args)]
        for to, source in ((i.args[a], i.args[b]) for a, b in pairs):
            buffer: Node = ("buffer", name, pc, to)
            self._load(source, name, buffer)
            pointer = self._node(to, name)
            if pointer is not None:
                self._store_node(pointer, buffer)
        if function.prints_into is not None:  # an address may be printed and read back
            for arg in i.args[1:]:
                self._store(i.args[function.prints_into], name, arg)
        if function.calls is not None:
            target = self._node(i.args[function.calls], name)
            passed = () if function.passes is None else (i.args[function.passes],)
            if target is not None:
                specific = function.calls_with_specific
                site = CallSite(name, pc, passed, None, (), function.spawns, specific)
                self._call(target, site)
        if i.function == "va_start":
            pointer = self._node(i.args[0], name)
            if pointer is not None:
                self._store_node(pointer, ("varargs", name))
                self._add(("varargs", name), {AbstractObject("stack", name, pc)})
                self._copy(("varargs", name), AbstractObject("stack", name, pc))
        for k in function.delivers:
            if k < len(i.args):
                self._join(i.args[k], name)
        for k in function.publishes:
            if k < len(i.args):
                self._flow(i.args[k], name, PUBLISHED)
        heap = {AbstractObject("heap", name, pc)}
        if function.stores_heap is not None:
            pointer = self._node(i.args[function.stores_heap], name)
            self._add(("allocated", name, pc), heap)
            if pointer is not None:
                self._store_node(pointer, ("allocated", name, pc))
        if result is None:
            return
        if function.returns_heap:
            self._add(result, heap)
        for nth, arg in enumerate(() if function.returns_number else i.args):
            if function.returns in (None, nth):
                self._flow(arg, name, result)
        if function.returns_published:
            self._copy(PUBLISHED, result)

    def _join(self, destination: Operand, name: str) -> None:
        """A join may deliver what any thread has returned."""
        pointer = self._node(destination, name)
        if pointer is not None:
            self._store_node(pointer, PUBLISHED)

    def _call(self, target: Node, site: CallSite) -> None:
        self._calls[target].append(site)
        for thing in wholes(self.sets[target]):
            self._bind(thing, site)

    def _bind(self, thing: AbstractObject, site: CallSite) -> None:
        """Connects a call with a function that it may reach."""
        if thing.kind != "function":
            return
        function = self.program.functions[thing.function]
        known = self.callees[site.function, site.pc]
        if function.name in known or function.is_declaration:
            return
        known.add(function.name)
        for nth, arg in enumerate(site.args):
            if nth < len(function.params) and function.params[nth].byval is not None:
                register = function.params[nth].register
                copy = AbstractObject("stack", function.name, -1 - register)
                self._add(("reg", function.name, register), {copy})
                self._load(arg, site.function, copy)
            elif nth < len(function.params):
                self._flow(
                    arg,
                    site.function,
                    ("reg", function.name, function.params[nth].register),
                )
            elif nth < len(site.by_value) and site.by_value[nth]:
                self._load(arg, site.function, ("varargs", function.name))
            else:
                self._flow(arg, site.function, ("varargs", function.name))
        if site.result is not None:
            self._copy(("ret", function.name), ("reg", site.function, site.result))
        if site.specific and function.params:
            self._copy(PUBLISHED, ("reg", function.name, function.params[0].register))
        if site.spawned:
            self._copy(("ret", function.name), PUBLISHED)

    # ----------------------------------------------------------------- solving

    def _solve(self) -> None:
        while self._work:
            node = self._work.pop()
            new = self._pending.pop(node, None)
            if not new:
                continue
            for to in list(self._copies[node]):
                self._add(to, new)
            for to, change in list(self._changes.get(node, ())):
                self._add(to, change(new))
            for thing in wholes(new):
                for to in list(self._loads.get(node, ())):
                    self._copy(thing, to)
                for source in list(self._stores.get(node, ())):
                    self._copy(source, thing)
                for site in list(self._calls.get(node, ())):
                    self._bind(thing, site)
