"""From C to the program model: clang makes LLVM IR, we read it, link it and give library calls a meaning."""

from imc.frontend.load import FrontendOptions, load_program

__all__ = ["FrontendOptions", "load_program"]
