"""The stubs of the extension declare what it has, no more and no less, with the same signatures."""

from __future__ import annotations

import ast
import inspect
from importlib.resources import files
from typing import Any

import pytest

import kleroterion as kl
from kleroterion import _klero

TREE = ast.parse((files("kleroterion") / "_klero.pyi").read_text())
CLASSES = {node.name: node for node in TREE.body if isinstance(node, ast.ClassDef)}


def public(names: Any) -> set[str]:
    kept = {"__len__", "__getitem__", "__arrow_c_stream__"}
    return {name for name in names if not name.startswith("_") or name in kept}


def declared(node: ast.ClassDef) -> set[str]:
    names = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
    fields = [item.target for item in node.body if isinstance(item, ast.AnnAssign)]
    return public(names | {field.id for field in fields if isinstance(field, ast.Name)})


def test_the_module_has_what_the_stubs_declare() -> None:
    functions = {node.name for node in TREE.body if isinstance(node, ast.FunctionDef)}
    assert public(vars(_klero)) == functions | set(CLASSES)


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_has_what_its_stub_declares(name: str) -> None:
    assert public(vars(getattr(_klero, name))) == declared(CLASSES[name])


Parameters = list[tuple[str, str, object]]


def built(made: Any) -> Parameters:
    """The name, the kind and the default of each parameter, as the extension has them."""
    parameters = inspect.signature(made).parameters.values()
    return [(one.name, one.kind.name, one.default) for one in parameters]


def stubbed(node: ast.FunctionDef, skip: int = 0) -> Parameters:
    """The same of a stub, without the first ones."""
    given, empty = node.args, inspect.Parameter.empty
    named = [(one.arg, "POSITIONAL_ONLY") for one in given.posonlyargs]
    named += [(one.arg, "POSITIONAL_OR_KEYWORD") for one in given.args]
    defaults = [empty] * (len(named) - len(given.defaults))
    defaults += [ast.literal_eval(one) for one in given.defaults]
    rows = [(*one, default) for one, default in zip(named, defaults, strict=True)]
    rows += [(given.vararg.arg, "VAR_POSITIONAL", empty)] if given.vararg else []
    for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        default = empty if value is None else ast.literal_eval(value)
        rows.append((one.arg, "KEYWORD_ONLY", default))
    rows += [(given.kwarg.arg, "VAR_KEYWORD", empty)] if given.kwarg else []
    return rows[skip:]


FUNCTIONS = {node.name: node for node in TREE.body if isinstance(node, ast.FunctionDef)}
METHODS = {
    (name, item.name): item
    for name, node in CLASSES.items()
    for item in node.body
    if isinstance(item, ast.FunctionDef)
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_the_signature_of_its_stub(name: str) -> None:
    assert built(getattr(_klero, name)) == stubbed(FUNCTIONS[name])


@pytest.mark.parametrize(("name", "method"), METHODS)
def test_a_method_has_the_signature_of_its_stub(name: str, method: str) -> None:
    made, node = getattr(_klero, name), METHODS[name, method]
    if method == "__new__":
        # A default that is no literal of Python is `...` in the extension.
        known = zip(built(made), stubbed(node, skip=1), strict=True)
        assert all(ours == theirs or ours == (*theirs[:2], ...) for ours, theirs in known)
    elif node.decorator_list:
        [decorator] = node.decorator_list
        assert isinstance(decorator, ast.Name)
        if decorator.id == "staticmethod":
            assert built(getattr(made, method)) == stubbed(node)
        else:
            assert inspect.isdatadescriptor(vars(made)[method]) and decorator.id == "property"
    elif method in ("__len__", "__getitem__"):
        # A slot of the type, whose parameters have no names.
        assert len(built(getattr(made, method))) == len(stubbed(node))
    else:
        self, *rows = stubbed(node)
        assert built(getattr(made, method)) == [("self", "POSITIONAL_ONLY", self[2]), *rows]


@pytest.mark.parametrize(
    "name", [name for name in CLASSES if getattr(kl, name, None) is getattr(_klero, name)]
)
def test_what_users_see_is_documented_in_the_stubs(name: str) -> None:
    assert ast.get_docstring(CLASSES[name])
    for item in CLASSES[name].body:
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("__"):
            assert ast.get_docstring(item), item.name


@pytest.mark.parametrize(
    "name", [name for name in kl.__all__ if name[0].islower() and name[0] != "_"]
)
def test_functions_have_docstrings(name: str) -> None:
    assert inspect.getdoc(getattr(kl, name))


def test_all_is_sorted_and_whole() -> None:
    assert len(set(kl.__all__)) == len(kl.__all__)
    for name in kl.__all__:
        assert hasattr(kl, name)
