"""Which C function means what: by the registry, by verifiers' conventions, or refused."""

from __future__ import annotations

import re

from imc.program.library import BY_C_NAME, intrinsic

# Meant by name even where the program defines a body: SV-COMP's conventions.
_CONVENTIONS = {
    "error": "reach_error __VERIFIER_error",
    "assume": "__VERIFIER_assume assume_abort_if_not __CPROVER_assume __ESBMC_assume",
    "assert": "__VERIFIER_assert __CPROVER_assert __ESBMC_assert __goblint_check assert",
    "atomic_begin": "__VERIFIER_atomic_begin __CPROVER_atomic_begin __ESBMC_atomic_begin",
    "atomic_end": "__VERIFIER_atomic_end __CPROVER_atomic_end __ESBMC_atomic_end",
}
VERIFIER = {name: meaning for meaning, names in _CONVENTIONS.items() for name in names.split()}
# With a body of the program's own, the body is what counts.
OVERRIDABLE = frozenset(name for name, meaning in VERIFIER.items() if meaning == "assert")

NONDET = re.compile(r"^(__VERIFIER_nondet_|nondet_|__CPROVER_nondet)")
ATOMIC_FUNCTION = re.compile(r"^__VERIFIER_atomic_(?!begin$|end$)")

REFUSED: dict[str, str] = {
    "fork": "processes are not modelled; use threads",
    "vfork": "processes are not modelled; use threads",
    "execve": "processes are not modelled",
    "sem_open": "named semaphores are not modelled; use sem_init",
}


def meaning(name: str, defined: bool) -> str | None:
    """The library function behind a C name, or None when the program or nobody defines it."""
    if name in VERIFIER and not (defined and name in OVERRIDABLE):
        return VERIFIER[name]
    if defined:
        return None
    if NONDET.match(name):
        return "nondet"
    if name.startswith("llvm."):
        return intrinsic(name)
    return BY_C_NAME.get(name)
