"""Library functions that the model itself gives a meaning, one file per kind of object."""

# Importing a module registers its functions.
from imc.program.library import (  # noqa: F401
    atomics,
    barriers,
    conditions,
    environment,
    heap,
    intrinsics,
    locking,
    mathematics,
    mutexes,
    once,
    rwlocks,
    semaphores,
    stdio,
    strings,
    threads,
    varargs,
    verifier,
)
from imc.program.library.registry import LIBRARY, LibraryFunction, Visibility

__all__ = ["LIBRARY", "LibraryFunction", "Visibility"]
