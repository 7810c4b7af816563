"""imc: an iterative model checker for threaded programs.

    for result in imc.verify("prog.c"): ...

See `imc.api` for what else can be called.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from imc.api import load, verify

__version__ = "0.1.0"
__all__ = ["load", "verify"]


def __getattr__(name: str) -> Any:
    """The functions of `imc.api`, imported when they are asked for: that takes a moment."""
    if name in __all__:
        from imc import api

        return getattr(api, name)
    raise AttributeError(f"module 'imc' has no attribute '{name}'")
