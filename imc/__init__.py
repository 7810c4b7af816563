"""imc: an iterative model checker for threaded programs.

    for result in imc.verify("prog.c"): ...

`imc.api` says what can be called, and how.
"""

from typing import TYPE_CHECKING, Any

from imc.version import VERSION

if TYPE_CHECKING:
    from imc.api import build, check, counterexample, explore, load, run, trace_prefixes, verify

__version__ = VERSION
__all__ = [
    "build",
    "check",
    "counterexample",
    "explore",
    "load",
    "run",
    "trace_prefixes",
    "verify",
]


def __getattr__(name: str) -> Any:
    """The functions of `imc.api`, imported when they are asked for: that takes a moment."""
    if name in __all__:
        from imc import api

        return getattr(api, name)
    raise AttributeError(f"module 'imc' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
