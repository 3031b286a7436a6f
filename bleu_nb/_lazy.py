"""Names that are imported when first asked for, so that importing a folder loads no module of it."""

TYPE_CHECKING = False  # As in `typing`, whose import takes longer than all of this
if TYPE_CHECKING:
    from collections.abc import Callable


def find_names(package: str) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """`__getattr__` and `__dir__` of a package; its stub says which module holds a name."""
    import sys

    here = sys.modules[package]

    def places() -> dict[str, str]:
        """Name -> its module, from lines such as `from .metric import Bleu as Bleu`."""
        from pkgutil import get_data

        lines = (get_data(package, "__init__.pyi") or b"").decode().splitlines()
        words = [line.split() for line in lines if line.startswith("from .")]
        return {name: module for _, module, _, name, *_ in words}

    def modules() -> set[str]:
        """The modules and folders of the package that a user may name."""
        from pkgutil import iter_modules

        return {each.name for each in iter_modules(here.__path__) if each.name[0] != "_"}

    def find(name: str) -> object:
        """A public name, or a module or folder that holds some."""
        from importlib import import_module

        held = places()
        if name == "__all__":
            return sorted(held)
        if name in held:
            found = getattr(import_module(held[name], package), name)
            setattr(here, name, found)
            return found
        if name in modules():
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def list_names() -> list[str]:
        """Every name, whether it was asked for or not."""
        return sorted({*vars(here), *places(), *modules()})

    return find, list_names
