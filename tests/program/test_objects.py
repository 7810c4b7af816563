"""What memory objects are called."""

from imc.program.objects import ObjectInfo


def test_cells_of_unknown_types_have_offsets() -> None:
    info = ObjectInfo("heap", "heap object")
    assert info.cell(0) == "heap object"
    assert info.cell(4) == "heap object+4"


def test_what_the_library_keeps_has_no_cells_that_anybody_knows() -> None:
    assert ObjectInfo("library", "disposition of signal 13").cell(256) == "disposition of signal 13"
