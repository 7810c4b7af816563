"""Gives calls their meaning: library functions, intrinsics, verifier primitives, the unknown."""

from __future__ import annotations

from dataclasses import replace

from imc.errors import NobodyKnows, SourceLoc, Unsupported, UserError
from imc.frontend.assembly import is_harmless, translated
from imc.frontend.fitting import demand_arguments, demand_fit
from imc.frontend.ir.module import Module
from imc.frontend.library import ATOMIC_FUNCTION, REFUSED, meaning
from imc.frontend.link import symbols
from imc.frontend.points import UNKNOWN, Points
from imc.frontend.weak import without_undefined
from imc.program.analysis.lifetimes import without_needless_ends
from imc.program.analysis.sharing import END_OF_THREAD
from imc.program.analysis.waits import WAITS, unguarded_waits
from imc.program.assumptions import Assumption
from imc.program.instructions import (
    Address,
    AggregateConst,
    BytesConst,
    Call,
    CompareExchange,
    Const,
    Fence,
    InlineAsm,
    Instruction,
    Library,
    Reg,
    Return,
    Store,
    Zero,
    is_null,
)
from imc.program.library import LIBRARY
from imc.program.library.external import STUBS
from imc.program.library.stdio import template_of, variant
from imc.program.program import (
    Block,
    Function,
    GlobalVariable,
    Parameter,
    Program,
    Register,
)
from imc.program.types import I8, PTR, VOID, ArrayType, FloatType, FunctionType, PtrType, Type


class Lowering:
    """Turns a linked module into a program."""

    def __init__(self, module: Module, strict: bool) -> None:
        self.module = module
        self.strict = strict
        self.assumptions: dict[tuple[str, str, SourceLoc | None], Assumption] = {}
        self.reachable: set[str] = set()
        self.points: Points

    def program(self, entry: str) -> Program:
        absent = without_undefined(self.module)
        main = self.module.functions.get(entry)
        if main is None or main.is_declaration:
            raise UserError(
                f"{self.module.name} has no function '{entry}'", None,
                "a program needs a main; name all its files on the command line",
            )  # fmt: skip
        self._reach(entry)
        self.points = Points(self.module, self.reachable, self._assume)
        for thing in absent:
            self._assume("undefined-weak", thing.name, thing.loc)
        functions = {
            name: self._function(function)
            for name, function in self.module.functions.items()
            if name in self.reachable
            and not function.is_declaration
            and meaning(name, True) is None
        }
        for name in sorted(self._address_taken(functions) - functions.keys()):
            if name in self.module.functions:
                functions[name] = self._thunk(self.module.functions[name])
        self._constructors(functions, entry)
        if self._uses_parameters(functions[entry]):
            self._assume("no-arguments")
        functions = {name: without_needless_ends(f) for name, f in functions.items()}
        marked = unguarded_waits(functions, self._address_taken(functions))
        functions = {name: self._with_waits(f, marked[name]) for name, f in functions.items()}
        variables = {n: v for n, v in self.module.globals.items() if n in self.reachable}
        return Program(
            name=self.module.name,
            layout=self.module.layout,
            functions=functions,
            globals=self._streams(variables),
            entry=entry,
            struct_types=self.module.struct_types,
            assumptions=tuple(self.assumptions.values()),
            texts=self.module.texts,
            origins=self.module.origins,
        )

    def _assume(self, code: str, subject: str = "", loc: SourceLoc | None = None) -> None:
        """Of several places where the same is assumed of the same thing, the first one is told."""
        where = None if subject else loc
        self.assumptions.setdefault((code, subject, where), Assumption(code, subject, loc))

    def _with_waits(self, function: Function, marked: set[int]) -> Function:
        """The function, with those of its waits marked that are in no loop that tests again."""
        for pc, i in enumerate(function.code):
            if pc in marked:
                self._assume("no-unguarded-wakeups", loc=i.loc or function.loc)
            elif isinstance(i, Library) and i.function in WAITS:
                self._assume("no-spurious-wakeups")
        if not marked:
            return function
        blocks = []
        for block in function.blocks:
            start = function.starts[block.label]
            body = [
                replace(i, unguarded=True) if isinstance(i, Library) and pc in marked else i
                for pc, i in enumerate(block.body, start)
            ]
            blocks.append(replace(block, body=tuple(body)))
        return replace(function, blocks=tuple(blocks))

    # --------------------------------------------------------------- reaching

    def _reach(self, entry: str) -> None:
        """Only what main can come to is part of the program."""
        work = [entry, "llvm.global_ctors", "llvm.global_dtors", END_OF_THREAD]
        while work:
            name = work.pop()
            if name in self.reachable:
                continue
            self.reachable.add(name)
            function = self.module.functions.get(name)
            if function is not None and meaning(name, not function.is_declaration) is None:
                for block in function.blocks:
                    work.extend(symbols((*block.phis, *block.body)))
            variable = self.module.globals.get(name)
            if variable is not None:
                work.extend(symbols(variable.initializer))

    def _address_taken(self, functions: dict[str, Function]) -> set[str]:
        """Names that are used other than by calling them."""
        taken: set[str] = set()
        for function in functions.values():
            for block in function.blocks:
                for i in (*block.phis, *block.body):
                    direct = isinstance(i, Call) and isinstance(i.callee, Address)
                    taken |= symbols(i.args) if direct else symbols(i)  # type: ignore[attr-defined]
        for name, variable in self.module.globals.items():
            if name in self.reachable:
                taken |= symbols(variable.initializer)
        return taken

    # ------------------------------------------------------------ instructions

    def _function(self, function: Function) -> Function:
        used = {
            operand.index
            for block in function.blocks
            for i in (*block.phis, *block.body)
            for operand in i.operands()
            if isinstance(operand, Reg)
        }
        blocks = []
        for block in function.blocks:
            body: list[Instruction] = []
            lines: list[int] = []
            for i, line in zip(block.body, block.lines, strict=True):
                body.extend(self._instruction(i, used, function))
                lines.extend([line] * (len(body) - len(lines)))
            blocks.append(Block(block.label, block.phis, tuple(body), tuple(lines)))
        return Function(
            function.name, function.type, function.params, function.registers, tuple(blocks),
            function.source_name or function.name, function.loc, function.linkage, function.module,
        )  # fmt: skip

    def _instruction(self, i: Instruction, used: set[int], function: Function) -> list[Instruction]:
        if isinstance(i, InlineAsm):
            return self._assembly(i, function)
        if isinstance(i, Fence):
            return []
        if isinstance(i, CompareExchange) and i.weak:
            self._assume("weak-exchange")
        if getattr(i, "ordering", ""):
            self._assume("sequential-consistency")
        if self._uses_long_double(i, function):
            self._assume("long-double")
        if not isinstance(i, Call) or not isinstance(i.callee, Address):
            return [i]
        name = self._aliased(i.callee.symbol)
        target = self.module.functions.get(name)
        defined = target is not None and not target.is_declaration
        known = meaning(name, defined)
        if known is not None:
            known = self._described(i, known)
            demand_arguments(i, known, name, function)
            return [*self.points.before(i, name, known), self._library(i, known, name, used)]
        if target is not None and defined:
            demand_fit(i, i.result in used, target, function, self.module.layout)
            i = replace(i, callee=Address(i.callee.type, name))
            if ATOMIC_FUNCTION.match(name):
                begin = Library(function="atomic_begin", args=(), type=VOID, name=name, loc=i.loc)
                return [begin, i, replace(begin, function="atomic_end")]
            return [*self.points.before_own(i, name), i]
        if name in self.module.globals:
            raise UserError(
                f"'{name}' is called, but it is a variable", i.loc or function.loc,
                f"it is defined at {self.module.globals[name].loc}",
            )  # fmt: skip
        if name in REFUSED:
            raise Unsupported(f"'{name}' is not supported", i.loc or function.loc, REFUSED[name])
        if name.startswith("llvm."):
            raise Unsupported(
                f"the compiler intrinsic '{name}' is not supported", i.loc or function.loc
            )
        if self.strict:
            place = i.loc or function.loc
            raise Unsupported(f"the function '{name}' is not defined", place, STUBS)
        self._refuse_callbacks(i, name, function)
        return [*self.points.before(i, name, UNKNOWN), self._library(i, UNKNOWN, name, used)]

    def _described(self, i: Call, known: str) -> str:
        """The entry that says all about a call: that of any function, where another says less."""
        known = variant(known, self._template(i, known))
        told = LIBRARY[known]
        for k, arg in enumerate(i.args):
            if isinstance(arg.type, PtrType) and not is_null(arg) and not told.describes(k):
                return UNKNOWN
        return known

    def _template(self, i: Call, known: str) -> bytes | None:
        """What a function prints by, if that is a literal."""
        nth = template_of(known)
        if nth is None or nth >= len(i.args):
            return b""
        template = i.args[nth]
        variable = self.module.globals.get(getattr(template, "symbol", ""))
        literal = variable.initializer if variable is not None and variable.constant else None
        return literal.data if isinstance(literal, BytesConst) else None

    def _refuse_callbacks(self, i: Call, name: str, function: Function) -> None:
        """Nobody knows when an unknown function would call one that it is given."""
        for symbol in symbols(i.args):
            if symbol in self.module.functions:
                raise NobodyKnows(
                    f"'{name}' is not defined, and is given the function '{symbol}', which it may "
                    "call", i.loc or function.loc, STUBS,
                )  # fmt: skip

    def _assembly(self, i: InlineAsm, function: Function) -> list[Instruction]:
        """What inline assembly does, or why it is refused."""
        if is_harmless(i):
            return [] if i.result is None else [i]

        def new(type: Type) -> int:
            function.registers.append(Register("", type))
            return len(function.registers) - 1

        result = VOID if i.result is None else function.registers[i.result].type
        made = translated(i, result, new)
        if made is None:
            raise Unsupported(
                f"inline assembly '{i.template.strip()[:40]}' is not modelled",
                i.loc or function.loc,
                "replace it by C, or by a call of an external function",
            )
        if any(getattr(one, "ordering", "") for one in made):
            self._assume("sequential-consistency")
        return made

    def _uses_parameters(self, function: Function) -> bool:
        """Whether anything is done with them but to keep them."""
        known = {p.register for p in function.params}
        kept = [
            i
            for i in function.code
            if isinstance(i, Store) and isinstance(i.value, Reg) and isinstance(i.pointer, Reg)
            if i.value.index in known
        ]
        known |= {i.pointer.index for i in kept if isinstance(i.pointer, Reg)}
        return any(
            isinstance(operand, Reg) and operand.index in known
            for block in function.blocks
            for i in (*block.phis, *block.body)
            if i not in kept
            for operand in i.operands()
        )

    def _aliased(self, name: str) -> str:
        """The function behind a name that may be an alias."""
        variable = self.module.globals.get(name)
        while variable is not None and variable.alias and isinstance(variable.initializer, Address):
            name = variable.initializer.symbol
            variable = self.module.globals.get(name)
        return name

    def _uses_long_double(self, i: Instruction, function: Function) -> bool:
        if i.result is None or function.is_declaration:
            return False
        type = function.registers[i.result].type
        return isinstance(type, FloatType) and type.kind in ("x86_fp80", "fp128")

    def _library(self, i: Call, function: str, name: str, used: set[int]) -> Library:
        known = LIBRARY[function]
        for code in (*known.assumes, *(known.assumes_with_arguments if len(i.args) > 1 else ())):
            self._assume(code)
        for code in known.assumes_by_name:
            self._assume(code, name, i.loc)
        return Library(
            result=i.result if i.result in used else None,
            loc=i.loc,
            function=function,
            args=i.args,
            type=i.type.result,
            arg_types=tuple(a.type for a in i.args),
            name=name,
            by_value=tuple(k for k, type in enumerate(i.byval) if type is not None),
            cancellable=self.points.cancels and known.cancellable,
        )

    def _thunk(self, function: Function) -> Function:
        """A body for a library function whose address is taken."""
        params = tuple(Parameter(n, t) for n, t in enumerate(function.type.params))
        registers = [Register(f"arg{n}", p.type) for n, p in enumerate(params)]
        args = tuple(Reg(p.register, p.type) for p in params)
        result = None
        if function.type.result != VOID:
            result = len(registers)
            registers.append(Register("result", function.type.result))
        call = Call(
            result=result,
            loc=function.loc,
            callee=Address(PTR, function.name),
            type=function.type,
            args=args,
        )
        value = None if result is None else Reg(result, function.type.result)
        body = (
            *self._instruction(call, {result} if result is not None else set(), function),
            Return(value=value),
        )
        block = Block("entry", (), body, (0,) * len(body))
        return Function(
            function.name, function.type, params, registers, (block,),
            function.source_name or function.name, function.loc,
        )  # fmt: skip

    # --------------------------------------------------------------- variables

    def _streams(self, variables: dict[str, GlobalVariable]) -> dict[str, GlobalVariable]:
        """stdin, stdout and stderr point to streams; other undefined variables start as zero."""
        result: dict[str, GlobalVariable] = {}
        for name, variable in variables.items():
            if variable.initializer is not None or variable.alias:
                result[name] = variable
                continue
            if name in ("stdin", "stdout", "stderr"):
                home = f"imc.{name}"
                result[home] = GlobalVariable(
                    home, ArrayType(8, I8), Zero(ArrayType(8, I8)), True, source_name=name
                )
                result[name] = replace(variable, initializer=Address(PTR, home), constant=False)
                continue
            self._assume("external-variable", name, variable.loc)
            result[name] = replace(variable, initializer=Zero(variable.type))
        return result

    def _constructors(self, functions: dict[str, Function], entry: str) -> None:
        """Constructors run at the start of main, where destructors are given to atexit."""
        made = [
            Call(callee=Address(PTR, n), type=FunctionType(VOID, ()), args=(), loc=functions[n].loc)
            for n in self._table("llvm.global_ctors", functions)
        ]
        ended = [
            Library(function="atexit", args=(Address(PTR, n),), type=VOID, name="atexit")
            for n in self._table("llvm.global_dtors", functions)
        ]
        main = functions[entry]
        first, *rest = main.blocks
        lines = (*[0] * len((*ended, *made)), *first.lines)
        body = (*ended, *made, *first.body)
        main.blocks = (Block(first.label, first.phis, body, lines), *rest)

    def _table(self, name: str, functions: dict[str, Function]) -> list[str]:
        """The functions of a table of (priority, function, data), lowest priority first."""
        table = self.module.globals.get(name)
        if table is None or not isinstance(table.initializer, AggregateConst):
            return []
        rows = [
            row.elements for row in table.initializer.elements if isinstance(row, AggregateConst)
        ]
        entries = [
            (row[0].value, row[1].symbol)
            for row in rows
            if isinstance(row[0], Const) and isinstance(row[1], Address)
        ]
        return [symbol for _, symbol in sorted(entries, key=lambda e: e[0]) if symbol in functions]
