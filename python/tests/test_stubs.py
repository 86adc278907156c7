"""The stubs of the extension name what it has, no more and no less."""

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
