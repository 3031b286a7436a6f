"""Load the names of a package when they are first used.

The pattern is that of `lazy_loader.attach_stub`. The stub `__init__.pyi` beside a package lists its names once, as imports: type checkers
read it, and so does the package. `import bleu_nb` therefore loads no other module, and numpy only when a name needs it. `lazy_loader`
itself is not used, so that numpy stays the only package that is needed at run time.

    __getattr__, __dir__ = attach_stub(__name__)
"""

import sys
from importlib import import_module


def attach_stub(package: str) -> tuple[object, object]:
    """Return `__getattr__` and `__dir__` for a package with a stub beside it."""
    here = sys.modules[package]

    def read_stub() -> dict[str, str]:
        """Map each public name to its module; a module itself to an empty string."""
        from pkgutil import get_data, iter_modules

        found = {each.name: "" for each in iter_modules(here.__path__) if not each.name.startswith("_")}
        stub = get_data(package, "__init__.pyi") or b""
        for line in stub.decode().splitlines():
            words = line.split()    # As in `from .metric import Bleu as Bleu`
            if line.startswith("from .") and words[1] != ".":
                found[words[3]] = words[1]
        return found

    def get(name: str) -> object:
        """Import a name, and keep it in the package."""
        found = read_stub()
        if name == "__all__":
            return sorted(each for each, module in found.items() if module)
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = found[name]
        value = getattr(import_module(module, package), name) if module else import_module(f".{name}", package)
        vars(here)[name] = value
        return value

    def list_names() -> list[str]:
        """List the public names and the attributes that every module has."""
        return sorted({*read_stub(), *(name for name in vars(here) if name.startswith("__"))})

    return get, list_names
