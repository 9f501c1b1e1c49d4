"""Feature maps: names, values, plain forms, and the errors of functions."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.linear import maps
from treewright.linear.maps import Function, Interactions, Polynomial, SquaredDifference, map_of

X = np.array([[2.0, 3.0, 5.0], [-1.0, 0.5, 4.0]])


@given(st.integers(1, 4), st.integers(1, 4))
def test_polynomials_are_the_products_their_names_say(n_columns, degree):
    rng = np.random.default_rng(n_columns * 10 + degree)
    x = rng.normal(size=(5, n_columns))
    names = [f"c{i}" for i in range(n_columns)]
    mapped = Polynomial(degree).on(names)
    found = mapped.matrix(x)
    for place, term in enumerate(mapped.terms):
        product = np.ones(len(x))
        for factor in term.split(" "):
            name, _, power = factor.partition("^")
            product *= x[:, names.index(name)] ** int(power or 1)
        np.testing.assert_allclose(found[:, place], product, rtol=1e-12)
    powers = {tuple(sorted(places)) for places in mapped.factors}
    assert len(powers) == len(mapped.terms) == len(set(mapped.terms))


def test_scikit_learn_makes_the_same_polynomial():
    from sklearn.preprocessing import PolynomialFeatures

    theirs = PolynomialFeatures(3, include_bias=False).fit(X)
    mapped = Polynomial(3).on(["a", "b", "c"])
    assert mapped.terms == tuple(theirs.get_feature_names_out(["a", "b", "c"]))
    np.testing.assert_allclose(mapped.matrix(X), theirs.transform(X))
    crossed = PolynomialFeatures(3, include_bias=False, interaction_only=True).fit(X)
    assert Interactions(3).on(["a", "b", "c"]).terms == tuple(crossed.get_feature_names_out(["a", "b", "c"]))


def test_zeros_and_ones_make_new_products_only():
    mapped = Polynomial(2).on(["s=a", "s=b", "windy", "n"], [0, 0, 1, None])
    assert mapped.terms == (
        "s=a",
        "s=b",
        "windy",
        "n",
        "s=a windy",
        "s=a n",
        "s=b windy",
        "s=b n",
        "windy n",
        "n^2",
    )


def test_the_lectures_map():
    mapped = SquaredDifference().on(["x1", "x2"])
    corners = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    assert mapped.matrix(corners)[:, 2].tolist() == [0, 1, 1, 0]
    with pytest.raises(ValueError, match="takes two terms; found 3"):
        SquaredDifference().on(["a", "b", "c"])


def test_functions_keep_names():
    assert Function(lambda x: x * 2).on(["a", "b"]).terms == ("feature 1", "feature 2")
    assert Function(lambda x: {"sum": x.sum(axis=1)}).on(["a", "b"]).terms == ("sum",)
    mapped = Function(lambda x: x[:, 0]).on(["a", "b"])
    assert mapped.terms == ("feature",)
    assert mapped.matrix(X[:, :2]).tolist() == [[2.0], [-1.0]]


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda x: x[:1], "shape"),
        (lambda x: 3.0, "shape"),
        (lambda x: {"a": x}, "one number per row"),
        (lambda x: {}, "no columns"),
        (lambda x: x[:, :0], "shape"),
    ],
)
def test_functions_that_give_something_else_are_refused(function, text):
    with pytest.raises(ValueError, match=text):
        Function(function).on(["a", "b"])


def test_what_is_not_finite_is_refused_by_name():
    with pytest.raises(ValueError, match=r"'a\^2' is inf in row 0"):
        Polynomial(2).on(["a"]).matrix(np.array([[1e200]]))
    with pytest.raises(ValueError, match="'log 1' is nan in row 1"):
        Function(np.log).on(["a"]).matrix(np.array([[1.0], [-1.0]]))


def test_a_function_that_changes_its_names_is_refused():
    function = Function(lambda x: {f"n{len(x)}": x[:, 0]}).on(["a"])
    with pytest.raises(ValueError, match="at first it gave"):
        function.matrix(np.ones((5, 1)))


@pytest.mark.parametrize("given_map", [Polynomial(3), Interactions(2), SquaredDifference()])
def test_maps_survive_json(given_map):
    terms = ["a", "b"]
    mapped = given_map.on(terms)
    assert maps.from_dict(json.loads(json.dumps(mapped.to_dict()))) == mapped
    assert maps.spec_from_dict(json.loads(json.dumps(maps.spec_to_dict(given_map)))) == given_map


def test_functions_are_code():
    with pytest.raises(ValueError, match="'sqrt', which is code"):
        Function(np.sqrt).on(["a"]).to_dict()
    with pytest.raises(ValueError, match="is code"):
        maps.spec_to_dict(np.sqrt)


@pytest.mark.parametrize(
    "plain",
    [
        None,
        {"map": "monomials"},
        {"map": "monomials", "terms": ["a"], "factors": [[1]]},
        {"map": "monomials", "terms": ["a"], "factors": [[]]},
        {"map": "squared_difference", "terms": ["a"]},
        {"map": "magic", "terms": ["a"]},
    ],
)
def test_what_is_no_map_is_refused(plain):
    with pytest.raises(ValueError, match=r"stored|places of terms"):
        maps.from_dict(plain)


def test_maps_by_name():
    assert map_of("polynomial") == Polynomial(2)
    with pytest.raises(ValueError, match="did you mean 'polynomial'"):
        map_of("polynomal")
    with pytest.raises(ValueError, match="features=3"):
        map_of(3)
    with pytest.raises(ValueError, match="degree=0"):
        Polynomial(0)
    with pytest.raises(ValueError, match="are up to 23,425"):
        Polynomial(3).on([f"c{i}" for i in range(50)])
    with pytest.raises(ValueError, match="no options"):
        maps.spec_from_dict({"map": "polynomial", "power": 2})
