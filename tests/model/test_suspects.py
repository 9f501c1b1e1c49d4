"""`tw.fit` leaves out what nothing can be learned from, and says so once."""

import warnings

import numpy as np
import pytest

import treewright as tw


def customers():
    rng = np.random.default_rng(3)
    age = rng.integers(18, 80, 200)
    return tw.Table.from_dict(
        {
            "customer_id": np.arange(1, 201),
            "country": ["DE"] * 200,
            "age": age,
            "churned": np.where(age + rng.normal(0, 9, 200) > 50, "yes", "no"),
        }
    )


def test_identifiers_and_constants_are_left_out_and_said_once():
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        model = tw.fit(customers(), "churned")
    (said,) = [str(warning.message) for warning in heard if warning.category is tw.DataWarning]
    assert said == (
        "Left out: customer_id (numbers the rows), country (is 'DE' in every row); "
        "keep=['customer_id', 'country'] uses them."
    )
    assert model.tree.schema.names == ("age",)
    assert any(note.startswith("Left out: customer_id") for note in model.notes)
    assert eval(model.repeat, {"tw": tw, "data": customers()}) == model.tree


def test_what_is_kept_is_learned_from():
    with pytest.warns(tw.DataWarning, match=r"Left out: country .*; keep=\['country'\] uses it"):
        model = tw.fit(customers(), "churned", "plain", keep="customer_id", folds=0)
    assert "customer_id" in model.tree.schema.names
    with pytest.raises(KeyError, match="customer"):
        tw.fit(customers(), "churned", keep=["customer"])


def test_compare_leaves_out_what_fit_leaves_out():
    ways = {"recipes": "cart", "prunings": "none", "folds": 3, "forest": False}
    with pytest.warns(tw.DataWarning, match="Left out: customer_id"):
        found = tw.compare(customers(), "churned", **ways)
    clean = customers().drop(["customer_id", "country"])
    assert found.rows[0].error == tw.compare(clean, "churned", **ways).rows[0].error
