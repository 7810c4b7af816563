"""A tiny concurrent language, to check the engine against something much simpler than itself.

Programs are Python data. They can be printed as C, and their interleavings can be enumerated by
brute force from the definition of the language, without any part of imc.
"""
