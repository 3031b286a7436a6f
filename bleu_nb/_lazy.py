"""Names that are imported when first asked for, so that importing a folder loads no module of it."""

import sys
from importlib import import_module


def find_names(package: str) -> tuple[object, object]:
    """`__getattr__` and `__dir__` of a package, whose names stand in the stub beside it."""
    here = sys.modules[package]

    def places() -> dict[str, str]:
        """Name -> its module, from `from .metric import Bleu as Bleu`; a module is in none."""
        from pkgutil import get_data, iter_modules

        modules = {each.name: "" for each in iter_modules(here.__path__) if each.name[0] != "_"}
        stub = (get_data(package, "__init__.pyi") or b"").decode()
        words = [line.split() for line in stub.splitlines() if line.startswith("from .")
                 and not line.startswith("from . ")]    # A module, for type checkers
        return modules | {name: module for _, module, _, name, *_ in words}

    def find(name: str) -> object:
        """A public name, or a module or folder that holds some."""
        found = places()
        if name == "__all__":
            return sorted(name for name, module in found.items() if module)
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(found[name] or f".{name}", package)
        vars(here)[name] = getattr(module, name) if found[name] else module
        return vars(here)[name]

    def list_names() -> list[str]:
        """Every name, whether it was asked for or not."""
        return sorted({*vars(here), *places()})

    return find, list_names
