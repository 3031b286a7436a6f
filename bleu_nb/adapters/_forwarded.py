"""Modules of the drop-ins, which forward names to the tool's modules of the same name.

The drop-ins for sacreBLEU and nltk are packages with one file per module that programs import. A package calls `forward(__name__)` before
it imports its modules. A name that a file does not define is read, assigned and deleted in the tool's module, because the functions of the
tool look it up there.
"""

import importlib.util
import sys
from types import ModuleType
from typing import Any


def counterpart(module: ModuleType) -> ModuleType:
    """Return the tool's module of the same name, for example `nltk.translate` for `bleu_nb.adapters.nltk.translate`."""
    return importlib.import_module(module.__name__.removeprefix("bleu_nb.adapters."))


class Forwarded(ModuleType):
    """A module whose names are those of its counterpart, except its own."""

    @property
    def __dict__(self) -> dict[str, Any]:   # type: ignore[override]
        # Needed by `dir`, by `import *`, and by `patch` and `monkeypatch` in
        # tests, which later delete a name that they did not find here
        return {**vars(counterpart(self)), **super().__dict__}

    def __getattr__(self, name: str) -> Any:
        other, own = counterpart(self), f"{self.__name__}.{name}"
        if f"{other.__name__}.{name}" in sys.modules and importlib.util.find_spec(own):
            return importlib.import_module(own)
        return getattr(other, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and (
                value is sys.modules.get(f"{self.__name__}.{name}")):
            # The import system has loaded a submodule and binds it here, as
            # the language reference says. It forwards names from now on.
            forward(value.__name__)
        if name in super().__dict__ or isinstance(value, Forwarded):
            super().__setattr__(name, value)
        else:
            setattr(counterpart(self), name, value)

    def __delattr__(self, name: str) -> None:
        if name in super().__dict__:
            super().__delattr__(name)
        else:
            delattr(counterpart(self), name)


def forward(name: str) -> None:
    """Forward the names of a module, and of all modules imported from it, to its counterpart."""
    # If names are forwarded already, an assignment to `__class__` would change the tool's module
    ModuleType.__setattr__(sys.modules[name], "__class__", Forwarded)
