"""Reads the text form of LLVM IR into the program model."""
