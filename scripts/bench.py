"""Measure the front end, the interpreter and the exhaustive engine: python scripts/bench.py.

Each figure is the median of several runs in this process; ratios compare within the run.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import imc.api
from imc.frontend.cache import NO_CACHE, Cache
from imc.frontend.clang import CompilerOptions, compile_to_ir
from imc.frontend.ir.reader import read_module
from imc.program.analysis.sharing import Sharing
from imc.program.interpreter import Interpreter
from imc.program.semantics import Op

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
REPEAT = 5

LOOPS = """
int main(void) {
    unsigned table[64] = {0}, sum = 0;
    for (unsigned i = 0; i < 4000; i++) {
        table[i % 64] += i;
        sum ^= table[(i * 7) % 64] << (i & 3);
    }
    return sum % 100;
}
"""


def median(run: Callable[[], object]) -> float:
    """Seconds that `run` takes."""
    times = []
    for _ in range(REPEAT):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def front_end() -> None:
    source = EXAMPLES / "prodcons.c"
    lines = len(source.read_text().splitlines())
    options = CompilerOptions()
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder))
        cold = median(lambda: imc.api.load(source, cache=NO_CACHE))
        imc.api.load(source, cache=cache)
        warm = median(lambda: imc.api.load(source, cache=cache))
        text = compile_to_ir(source, options, cache)
    reading = median(lambda: read_module(text, str(source)))
    program = imc.api.load(source)
    sharing = median(lambda: Sharing(program))
    print(f"front end, {source.name} ({lines} lines)")
    print(f"  compiled anew   {1e3 * cold:7.1f} ms")
    print(f"  from the cache  {1e3 * warm:7.1f} ms   ratio {cold / warm:.1f}")
    print(f"  reading the IR  {1e3 * reading:7.1f} ms   sharing {1e3 * sharing:.1f} ms")


def interpreter() -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "loops.c"
        source.write_text(LOOPS)
        program = imc.api.load(source)
    executed = count_instructions(Interpreter(program))
    machine = Interpreter(program)
    machine.initial()  # prepares the code
    seconds = median(machine.initial)
    print("interpreter, a loop over an array")
    print(f"  {executed} instructions, {executed / seconds / 1e6:.2f} million per second")


def count_instructions(interpreter: Interpreter) -> int:
    """How many instructions a single-threaded program runs before its first event."""
    code = interpreter.image.code(interpreter.program.entry)
    executed = [0]

    def counted(op: Op) -> Op:
        def run(machine, regs):  # type: ignore[no-untyped-def]
            executed[0] += 1
            return op(machine, regs)

        return run

    code.local = [counted(op) for op in code.local]
    interpreter.initial()
    return executed[0]


def engine() -> None:
    print("exhaustive engine, events per second")
    for name, stateful in [
        ("prodcons", True), ("peterson", True), ("peterson", False), ("bakery", True),
        ("treiber_stack", True), ("scanner", True), ("cond_queue", True), ("cond_queue", False),
    ]:  # fmt: skip
        program = imc.api.load(EXAMPLES / f"{name}.c")
        results = [
            imc.api.explore(program, algorithm="exhaustive", count=not stateful)
            for _ in range(REPEAT)
        ]
        seconds = statistics.median(result.time_s for result in results)
        events = results[0].events
        mode = "states" if stateful else "executions"
        print(f"  {name:<16}{mode:<12}{events:>7} events {events / seconds:>9.0f}/s")


if __name__ == "__main__":
    front_end()
    interpreter()
    engine()
