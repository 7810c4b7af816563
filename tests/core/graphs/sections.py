"""Programs of sections of locks, as text: threads between bars, `L{…}` is a section of the lock L.

What is in between is C: `r=x` reads, `x=1` writes. Places are q, w, x, y and z; registers are a, b,
c and r, and what they hold at the end is part of the final state.
"""

from __future__ import annotations

import random
import re

PLACES, REGISTERS, LOCKS = "qwxyz", "abcr", "LMN"
HEAD = "#include <pthread.h>\nvoid __VERIFIER_assume(int);\n"


def to_c(text: str) -> str:
    """The program in C. Its main thread starts the others and waits for them."""
    threads = [t.strip() for t in text.split("|")]
    used = "".join(re.findall("[A-Z]", text))
    lines = [HEAD, f"int {', '.join(PLACES)};"]
    lines += [f"pthread_mutex_t {lock} = PTHREAD_MUTEX_INITIALIZER;" for lock in sorted({*used})]
    for n, body in enumerate(threads):
        outputs = " ".join(f"o{n}[{k}] = {r};" for k, r in enumerate(REGISTERS))
        registers = ", ".join(f"{r} = 0" for r in REGISTERS)
        lines.append(f"int o{n}[{len(REGISTERS)}];")
        code = f"int {registers}; {_body(body)}; {outputs} return 0;"
        lines.append(f"void *t{n}(void *u) {{ {code} }}")
    count = len(threads)
    lines.append(f"int main(void) {{ pthread_t t[{count}];")
    lines += [f"  pthread_create(&t[{n}], 0, t{n}, 0);" for n in range(count)]
    lines.append(f"  for (int n = 0; n < {count}; n++) pthread_join(t[n], 0);\n  return 0;\n}}")
    return "\n".join(lines)


def _body(text: str) -> str:
    """Sections as calls; other braces stay what they are."""
    out, closing = [], []
    for part in re.findall(r"[A-Z]?\{|\}|[^{}A-Z]+|[A-Z]", text):
        if part == "}":
            out.append(closing.pop())
        elif part.endswith("{"):
            lock = part[:-1]
            out.append(f"pthread_mutex_lock(&{lock});" if lock else "{")
            closing.append(f";pthread_mutex_unlock(&{lock});" if lock else ";}")
        else:
            out.append(part)
    return "".join(out)


def random_sections(rng: random.Random, nested: float = 0.25, fails: float = 0.0) -> str:
    """Two or three threads with short sections of one or two locks, and other accesses."""
    locks = LOCKS[: rng.choice((1, 1, 2))]
    places = PLACES[-rng.choice((2, 3)) :]
    value = 0

    def access(seen: list[str], depth: int = 0) -> str:
        nonlocal value
        x, dice = rng.choice(places), rng.random()
        if dice < 0.42:
            seen.append(rng.choice(REGISTERS))
            return f"{seen[-1]}={x}"
        if dice < 0.75 or depth or not seen:
            value += 1
            return f"{x}={rng.choice((1, 2, value))}"
        if dice < 0.9:
            test = f"{rng.choice(seen)}{rng.choice(('==', '!='))}{rng.choice((0, 0, 1))}"
            if rng.random() < fails:
                return f"if({test})" + rng.choice(("__builtin_trap()", "*(volatile int*)0=1"))
            if rng.random() < 0.1:
                return f"__VERIFIER_assume({test})"
            return f"if({test}){{{access(seen, 1)};}}"
        seen.append(rng.choice(REGISTERS))
        return f"{seen[-1]}=__atomic_fetch_add(&{x},1,5)"

    def section(seen: list[str]) -> str:
        lock, inside = rng.choice(locks), []
        for k in range(rng.randint(1, 3)):
            if k == 0 and len(locks) > 1 and rng.random() < nested:
                other = locks.replace(lock, "")
                inside.append(f"{other}{{{access(seen)};}}")
            else:
                inside.append(access(seen))
        return f"{lock}{{{';'.join(inside)};}}"

    threads = []
    for _ in range(rng.choice((2, 3, 3))):
        seen: list[str] = []
        body = [access(seen)] if rng.random() < 0.25 else []
        for _ in range(rng.randint(1, 2)):
            body.append(section(seen))
            if rng.random() < 0.15:
                body.append(access(seen))
        threads.append("; ".join(body))
    return " | ".join(threads)


# Executions that have been lost by other ways to treat locks, and how many there are; and the small
# programs of "Effective lock handling in stateless model checking", with the counts of its tool for
# writes in an order.
COUNTED = {
    "P1": ("L{r=x;} | r=x; x=1 | L{x=1; x=2;}", 16),
    "P2": ("L{y=1; x=1; r=z;} | L{a=y; b=x; if(b==0){z=1;}} | x=5", 6),
    "P2, all locked": ("L{y=1; x=1; r=z;} | L{a=y; b=x; if(b==0){z=1;}} | L{x=5;}", 6),
    "P4": ("r=x | L{x=2; r=x;} | L{r=x; x=2; x=2;}", 8),
    "P5": ("y=1; r=x | L{r=x; x=2;} | L{x=2; a=y; if(a==1){x=2;}}", 11),
    "P6": ("r=x | L{a=y; w=1; b=q; if(b==0){z=1;}} | L{y=1; r=z;} c=w; if(c==1){x=5;} | q=1", 10),
    "indirect": ("L{x=1; r=y;} | L{a=z; b=w;} | z=1; y=1 | r=x; if(r==1){w=1;}", 11),
    "sb+locks": ("y=1; L{} r=x | x=1; L{} r=y", 3),
    "three read": ("L{r=x;} | L{r=x;} | L{r=x;}", 1),
    "three write": ("L{x=1;} | L{x=2;} | L{x=3;}", 6),
    "read and write": ("L{r=x; x=r+1;} | L{r=x; x=r+1;} | L{r=x; x=r+1;}", 6),
    "ww+r-cons": ("L{x=1; x=2;} | L{r=x;}", 2),
    "ww+r-mixed": ("L{x=1; x=2;} | r=x", 3),
    "ww+rr-lock": ("L{x=1; y=1;} | L{r=x; a=y;}", 2),
    "2rw-lock": ("L{r=x; if(r==0){x=1;}} | L{r=x; x=2;}", 2),
    "lock-wx+wy+rxry": ("L{x=2;} | L{y=2;} | L{r=x; if(r==2){a=y;}}", 3),
    "lock-r+w+r": ("L{r=x;} | L{x=2;} | L{r=x;}", 4),
    "lock-w+w+r": ("L{x=2;} | L{x=1;} | L{r=x;}", 6),
    "binc-locks(2)": (" | ".join(["L{r=x; x=r+1;} M{r=y; y=r+1;}"] * 2), 4),
    "binc-locks(3)": (" | ".join(["L{r=x; x=r+1;} M{r=y; y=r+1;}"] * 3), 36),
    "casrot-locks(4)": (" | ".join(f"L{{r=x; if(r=={n}){{x={n + 1};}}}}" for n in range(4)), 14),
    "casrot-locks(5)": (" | ".join(f"L{{r=x; if(r=={n}){{x={n + 1};}}}}" for n in range(5)), 43),
    "casw-locks(3)": (" | ".join(["L{r=x; if(r==0){x=1;}} L{x=3;}"] * 3), 66),
    "wcas-locks(4)": ("L{x=2;}" + " | L{r=x; if(r==2){x=3;}}" * 4, 33),
    "complex-lock(2)": (" | ".join(["L{r=x; x=r+1;} M{} L{r=x; x=r+1;}"] * 2), 6),
    "complex-lock(3)": (" | ".join(["L{r=x; x=r+1;} M{} L{r=x; x=r+1;}"] * 3), 90),
    "stateful01": ("L{r=x; x=r+1;} L{r=y; y=r+1;} | L{r=x; x=r+5;} L{r=y; y=r-6;}", 4),
}
