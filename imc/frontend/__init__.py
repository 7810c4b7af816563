"""From C to the program model: clang makes LLVM IR, we read, link and interpret its calls."""

from imc.frontend.load import FrontendOptions, load_program

__all__ = ["FrontendOptions", "load_program"]
