"""The native core: a machine and searches in C, built by the bundled clang, called by ctypes."""
