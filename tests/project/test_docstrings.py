"""Every public function, class and method says what it gives, with an example that runs."""

import importlib
import inspect
from pathlib import Path

import treewright as tw
from treewright.verbs import VERBS

SOURCE = Path(tw.__file__).parent
ROOMS = ["treewright", *(f"treewright.{path.parent.name}" for path in sorted(SOURCE.glob("*/__init__.py")))]


def public_things():
    """Yield dotted names and objects: what the rooms list in `__all__`, and the methods of our classes."""
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if not callable(thing):
                continue
            yield f"{room}.{name}", thing
            if inspect.isclass(thing):
                yield from methods(f"{room}.{name}", thing)


def methods(owner, cls):
    for base in cls.__mro__:
        if not base.__module__.startswith("treewright"):
            continue
        for name, member in vars(base).items():
            function = getattr(member, "__func__", member)
            if not name.startswith("_") and inspect.isfunction(function) and name not in VERBS:
                yield f"{owner}.{name}", function


def test_every_public_thing_has_a_docstring_with_an_example():
    things = dict(public_things()) | {f"Tree.{name}": verb for name, verb in VERBS.items()}
    assert len(things) > 500
    assert [name for name, thing in things.items() if ">>> " not in (inspect.getdoc(thing) or "")] == []


def test_rooms_list_names_that_exist():
    for room in ROOMS:
        module = importlib.import_module(room)
        assert [n for n in getattr(module, "__all__", ()) if not hasattr(module, n)] == []
        assert module.__doc__, room
