"""The headers of this system, behind those of the C library that come with our clang.

Headers of libraries (zlib.h, lzma.h, openssl/…) are the system's; those of the C library, of the
compiler and of the kernel are found before them, so that they all fit together.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from imc.errors import UserError

VARIABLE = "IMC_SYSTEM_INCLUDE"  # folders to be searched instead; empty: none
_FOLDERS = {
    64: ("/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include"),
    32: ("/usr/local/include", "/usr/include/i386-linux-gnu", "/usr/include"),
}
_INSIDE = ("bits", "gnu")  # of the C library: nobody else has such


def system_folders(bits: int) -> tuple[str, ...]:
    """The folders that a compiler of this system searches, if it is of the kind that we model."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        folders: Iterable[str] = named.split(os.pathsep)
    elif sys.platform == "linux" and platform.machine() in ("x86_64", "AMD64"):
        folders = _FOLDERS[bits]
    else:
        folders = ()
    return tuple(folder for folder in folders if folder and Path(folder).is_dir())


def refuse_mixed(files: Iterable[str], folders: Sequence[str]) -> None:
    """Refuses files of the system's C library: its parts do not fit to those of another one."""
    for file in map(Path, files):
        for folder in folders:
            if file.is_relative_to(folder) and file.relative_to(folder).parts[0] in _INSIDE:
                raise UserError(
                    f"{file} is a part of this system's C library, which imc does not read",
                    hint="--cc clang reads the headers of the system, and only those",
                )
