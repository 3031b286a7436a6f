"""Names that are imported when they are first asked for, so that no folder makes another load."""

TYPE_CHECKING = False  # As in `typing`, whose import takes longer than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def find_names(
    package: str, places: "Mapping[str, str]"
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """`__getattr__` and `__dir__` of a package: name -> the module below it that holds it."""
    import sys
    from importlib import import_module

    here = vars(sys.modules[package])
    modules = {place.partition(".")[0] for place in places.values()}

    def find(name: str) -> object:
        """A public name, or a module or folder that holds some."""
        if name in places:
            here[name] = getattr(import_module(f"{package}.{places[name]}"), name)
            return here[name]
        if name in modules:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def list_names() -> list[str]:
        """Every name, whether it was asked for or not."""
        return sorted({*here, *places, *modules})

    return find, list_names
