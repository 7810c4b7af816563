"""What building a wheel does besides packing: the native core is compiled into it.

The compiler is the clang of the ziglang package, which building asks for. Without it, or for a
platform that has no native core, the wheel is for every platform, and the core is compiled at first
use. The library refers to the C library's functions without their versions, and is linked with
nothing: it runs wherever the tag says.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TAG = "py3-none-manylinux_2_17_x86_64"
PACKED = "imc/core/prebuilt"


class CoreHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return  # sources that change are compiled when they are used
        sys.path.insert(0, self.root)
        try:
            from imc.core.library import Unavailable, prebuild
            from imc.errors import UserError
        finally:
            sys.path.remove(self.root)
        self.folder = tempfile.TemporaryDirectory(prefix="imc-core-")
        try:
            files = prebuild(Path(self.folder.name) / "core.so")
        except (Unavailable, UserError) as why:
            self.app.display_warning(f"the wheel has no native core: {why}")
            return
        build_data["force_include"] |= {str(f): f"{PACKED}/{f.name}" for f in files}
        build_data["pure_python"] = False
        build_data["tag"] = TAG

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()
