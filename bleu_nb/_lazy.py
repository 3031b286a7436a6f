"""Names that are imported when first asked for, so that importing a folder loads no module of it."""

TYPE_CHECKING = False  # As in `typing`, whose import takes longer than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def find_names(
    package: str, places: "Mapping[str, str]", modules: "Sequence[str]"
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """`__getattr__` and `__dir__` of a package: name -> the module that holds it, and modules."""
    import sys
    from importlib import import_module

    here = vars(sys.modules[package])

    def find(name: str) -> object:
        """A public name, or a module or folder that holds some."""
        if name in places:
            from bleu_nb.derivation.comments import describe

            here[name] = getattr(import_module(f"{package}.{places[name]}"), name)
            describe(here[name])
            return here[name]
        if name in modules:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def list_names() -> list[str]:
        """Every name, whether it was asked for or not."""
        return sorted({*here, *places, *modules})

    return find, list_names
