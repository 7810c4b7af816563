"""What debug information says of locations, functions and variables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from imc.errors import SourceLoc
from imc.frontend.ir.metadata import Metadata, MetadataNode
from imc.frontend.ir.source_types import SourceTypes
from imc.program.program import SourceType
from imc.records import record

_LOCATION = re.compile(r"(?:distinct )?!DILocation\(line: (\d+)(?:, column: (\d+))?, scope: (!\d+)")


@record
class Described:
    """A function or variable as the source declares it; the name is empty if it has none."""

    name: str = ""
    loc: SourceLoc | None = None
    type: SourceType | None = None


class DebugInfo:
    """Answers questions about one module's debug information."""

    def __init__(self, metadata: Metadata, pointer_bytes: int) -> None:
        self._metadata = metadata
        self._types = SourceTypes(metadata, pointer_bytes)
        self._locations: dict[str, SourceLoc | None] = {}
        self._files: dict[str, str] = {}
        units = (metadata.node(unit) for unit in metadata.items("!llvm.dbg.cu"))
        self._directories = {metadata.node(unit.text("file")).text("directory") for unit in units}

    def location(self, reference: str) -> SourceLoc | None:
        """The place of a DILocation; None for code that the compiler ascribes to no line."""
        if reference not in self._locations:
            match = _LOCATION.match(self._metadata.raw.get(reference, ""))
            self._locations[reference] = (
                SourceLoc(self._file_of(match[3]), int(match[1]), int(match[2] or 0))
                if match and match[1] != "0"
                else None
            )
        return self._locations[reference]

    def function(self, reference: str) -> Described:
        """The function that a DISubprogram declares."""
        node = self._metadata.node(reference)
        return Described(node.text("name"), self._declared_at(node))

    def global_variable(self, reference: str) -> Described:
        """The variable that a DIGlobalVariableExpression describes; `f.x` if it is static in f."""
        node = self._metadata.node(reference)
        if node.kind == "DIGlobalVariableExpression":
            node = self._metadata.node(node.text("var"))
        if node.kind != "DIGlobalVariable":
            return Described()
        name = node.text("name")
        function = self._function_around(node.text("scope"))
        return Described(
            f"{function}.{name}" if name and function else name,
            self._declared_at(node),
            self._types.get(node.text("type")),
        )

    def local_variable(self, reference: str) -> str:
        """The name in a DILocalVariable."""
        return self._metadata.node(reference).text("name")

    def struct_types(self, llvm_names: Iterable[str]) -> dict[str, SourceType]:
        return self._types.records(llvm_names)

    def _declared_at(self, node: MetadataNode) -> SourceLoc | None:
        line, file = node.number("line"), node.text("file")
        return SourceLoc(self._file(file), line) if line and file else None

    def _function_around(self, scope: str) -> str:
        node = self._metadata.node(scope)
        if node.kind.startswith("DILexicalBlock"):
            return self._function_around(node.text("scope"))
        return node.text("name") if node.kind == "DISubprogram" else ""

    def _file_of(self, scope: str) -> str:
        return self._file(self._metadata.node(scope).text("file"))

    def _file(self, reference: str) -> str:
        """The file's name as the user wrote it.

        Clang keeps a relative name relative to the directory it ran in, but may split an absolute
        one at any other directory.
        """
        name = self._files.get(reference)
        if name is None:
            node = self._metadata.node(reference)
            name, directory = node.text("filename"), node.text("directory")
            if directory and directory not in self._directories:
                name = str(PurePosixPath(directory) / name)
            self._files[reference] = name
        return name
