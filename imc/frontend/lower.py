"""Gives calls their meaning: library functions, intrinsics, verifier primitives, the unknown."""

from __future__ import annotations

from dataclasses import replace

from imc.errors import SourceLoc, Unsupported, UserError
from imc.frontend.ir.module import Module
from imc.frontend.library import ATOMIC_FUNCTION, REFUSED, meaning
from imc.frontend.link import symbols
from imc.program.instructions import (
    Address,
    AggregateConst,
    Call,
    CompareExchange,
    Const,
    Fence,
    InlineAsm,
    Instruction,
    Library,
    Load,
    Reg,
    Return,
    Store,
    Zero,
)
from imc.program.program import (
    Assumption,
    Block,
    Function,
    GlobalVariable,
    Parameter,
    Program,
    Register,
)
from imc.program.types import I8, PTR, VOID, ArrayType, FloatType, FunctionType

# Compiler barriers, hints and fences: nothing, where memory is sequentially consistent.
HARMLESS_ASM = ("", "nop", "pause", "rep; nop", "mfence", "lfence", "sfence")

SEQUENTIAL = "atomics and plain accesses are sequentially consistent"
NO_SPURIOUS = "no spurious wake-ups (--spurious-wakeups allows them)"
ALLOCATION = "malloc and its like never fail"
WEAK_EXCHANGE = "weak compare-exchange fails only when the values differ"
STRING_ATOMIC = "printf and its like read their strings in one step"
NO_INPUT = "standard input is empty (--stdin gives one)"
NO_ARGUMENTS = "the program is run without arguments (--arg gives one)"
NO_REUSE = "memory that is freed is never handed out again"
EXIT_HANDLERS = "exit handlers run when main returns or exit is called"
LONG_DOUBLE = "long double has the precision of double"


class Lowering:
    """Turns a linked module into a program."""

    def __init__(self, module: Module, strict: bool) -> None:
        self.module = module
        self.strict = strict
        self.assumptions: dict[str, Assumption] = {}
        self.reachable: set[str] = set()

    def program(self, entry: str, digest: str) -> Program:
        main = self.module.functions.get(entry)
        if main is None or main.is_declaration:
            raise UserError(
                f"{self.module.name} has no function '{entry}'", None,
                "a program needs a main; name all its files on the command line",
            )  # fmt: skip
        self._reach(entry)
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
            self._assume(NO_ARGUMENTS)
        variables = {n: v for n, v in self.module.globals.items() if n in self.reachable}
        return Program(
            name=self.module.name,
            layout=self.module.layout,
            functions=functions,
            globals=self._streams(variables),
            entry=entry,
            digest=digest,
            struct_types=self.module.struct_types,
            assumptions=tuple(self.assumptions.values()),
            texts=self.module.texts,
        )

    def _assume(self, text: str, loc: SourceLoc | None = None) -> None:
        self.assumptions.setdefault(text, Assumption(text, loc))

    # --------------------------------------------------------------- reaching

    def _reach(self, entry: str) -> None:
        """Only what main can come to is part of the program."""
        work = [entry, "llvm.global_ctors", "llvm.global_dtors"]
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
            self._check_assembly(i, function)
        if isinstance(i, Fence) or (isinstance(i, InlineAsm) and i.result is None):
            return []
        if isinstance(i, CompareExchange) and i.weak:
            self._assume(WEAK_EXCHANGE)
        if getattr(i, "ordering", ""):
            self._assume(SEQUENTIAL)
        if self._uses_long_double(i, function):
            self._assume(LONG_DOUBLE)
        if not isinstance(i, Call) or not isinstance(i.callee, Address):
            return [i]
        name = self._aliased(i.callee.symbol)
        target = self.module.functions.get(name)
        defined = target is not None and not target.is_declaration
        known = meaning(name, defined)
        if known is not None:
            return [self._library(i, known, name, used)]
        if defined:
            i = replace(i, callee=Address(i.callee.type, name))
            if ATOMIC_FUNCTION.match(name):
                begin = Library(function="atomic_begin", args=(), type=VOID, name=name, loc=i.loc)
                return [begin, i, replace(begin, function="atomic_end")]
            return [i]
        if name in REFUSED:
            raise Unsupported(f"'{name}' is not supported", i.loc or function.loc, REFUSED[name])
        if name.startswith("llvm."):
            raise Unsupported(
                f"the compiler intrinsic '{name}' is not supported", i.loc or function.loc
            )
        if self.strict:
            raise Unsupported(
                f"the function '{name}' is not defined", i.loc or function.loc,
                "name the file that defines it, or leave out --strict",
            )  # fmt: skip
        self._assume(f"'{name}' is external: its result is arbitrary, it does nothing else", i.loc)
        return [self._library(i, "external", name, used)]

    def _check_assembly(self, i: InlineAsm, function: Function) -> None:
        """Refuses all but what does nothing, or hands a value through."""
        text = i.template.strip(" \t\n;")
        if text not in HARMLESS_ASM or (i.result is not None and len(i.args) != 1):
            raise Unsupported(
                f"inline assembly '{text[:40]}' is not modelled",
                i.loc or function.loc,
                "replace it by C, or by a call of an external function",
            )

    def _uses_parameters(self, function: Function) -> bool:
        params = {p.register for p in function.params}
        stored = {
            i.pointer.index
            for i in function.code
            if isinstance(i, Store) and isinstance(i.value, Reg) and isinstance(i.pointer, Reg)
            if i.value.index in params
        }
        return any(
            isinstance(i, Load) and isinstance(i.pointer, Reg) and i.pointer.index in stored
            for i in function.code
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
        if function == "cond_wait":
            self._assume(NO_SPURIOUS)
        if function == "free":
            self._assume(NO_REUSE)
        if function in ("scanf", "getchar", "fgets"):
            self._assume(NO_INPUT)
        if function == "atexit":
            self._assume(EXIT_HANDLERS)
        if function.endswith("printf") and len(i.args) > 1:
            self._assume(STRING_ATOMIC)
        if function in ("malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"):
            self._assume(ALLOCATION)
        return Library(
            result=i.result if i.result in used else None,
            loc=i.loc,
            function=function,
            args=i.args,
            type=i.type.result,
            arg_types=tuple(a.type for a in i.args),
            name=name,
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
                    home, ArrayType(8, I8), Zero(ArrayType(8, I8)), source_name=name
                )
                result[name] = replace(variable, initializer=Address(PTR, home), constant=True)
                continue
            self._assume(f"the external variable '{name}' is zero at the start", variable.loc)
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
