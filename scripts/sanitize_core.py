"""Runs the tests of the native core on a build with AddressSanitizer and UBSan.

Needs gcc and its sanitizers, which Python then loads first. More arguments go to pytest:
scripts/sanitize_core.py -k lockstep
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "imc" / "core").rglob("*.c"))
FLAGS = (
    *("-std=gnu11", "-O1", "-g", "-fPIC", "-shared", "-fno-omit-frame-pointer"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"),
)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="imc-core-") as folder:
        library = Path(folder) / "core.so"
        subprocess.run(["gcc", *FLAGS, *map(str, SOURCES), "-o", str(library)], check=True)
        found = [
            subprocess.run(
                ["gcc", f"-print-file-name={name}"], check=True, capture_output=True, text=True
            ).stdout.strip()
            for name in ("libasan.so", "libubsan.so")
        ]
        environment = {
            **os.environ,
            "IMC_CORE": str(library),
            "LD_PRELOAD": " ".join(found),
            # Python leaks by design; a jump out of a function is no reason to worry.
            "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:handle_segv=0",
        }
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/core"]
        return subprocess.run([*command, *sys.argv[1:]], cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    raise SystemExit(main())
