"""What the service answers is what the model answers, whatever the rows come as."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import treewright as tw
from tests.contract.samples import odd_rows, sample
from tests.serve.asking import ask, post
from treewright.serve import Limits, application
from treewright.serve.bodies import ARROW, CSV
from treewright.tree.policy import GAPS


def models() -> dict[str, Any]:
    trees = {policy: tw.grow(sample(), "y", missing=policy) for policy in GAPS if policy != "error"}
    trees["numbers"] = tw.grow(sample(is_classifier=False), "y", max_depth=3)
    trees["one leaf"] = tw.grow(sample(), "y", max_depth=0)
    trees["models"] = tw.grow(sample(is_classifier=False), "y", max_depth=2, leaves="linear")
    rules = {f"rules of {name}": trees[name].rules() for name in ("learned", "numbers")}
    first = tw.rules.c45rules(tw.grow(sample(), "y", "c4.5", prune="none"), sample())
    forests = {
        "forest": tw.forest.grow(sample(), "y", n_trees=5),
        "forest of numbers": tw.forest.grow(sample(is_classifier=False), "y", n_trees=5),
    }
    return {**trees, **rules, "c45rules": first, **forests}


MODELS = models()
ROWS = odd_rows().to_dict()
N = odd_rows().n_rows
ODD = [{name: cells[row] for name, cells in ROWS.items()} for row in range(N)]


def wanted(model: Any) -> list[Any]:
    return model.predict(odd_rows()).tolist()


@pytest.mark.parametrize("name", MODELS)
def test_many_rows_and_one_get_what_predict_gives(name: str) -> None:
    model, app = MODELS[name], application(MODELS[name])
    said = post(app, "/predict", ODD).json["answers"]
    assert [answer["prediction"] for answer in said] == wanted(model)
    if model.is_classifier:
        chances = [list(answer["probabilities"].values()) for answer in said]
        assert np.array_equal(chances, model.predict_proba(odd_rows()))
        assert list(said[0]["probabilities"]) == list(model.classes)
    if name in ("learned", "numbers"):
        assert [answer["leaf"] for answer in said] == model.leaves(odd_rows()).tolist()
    alone = [post(app, "/predict", row).json for row in ODD]
    assert [dict(one, unseen=None, ignored=None) for one in alone] == [
        dict(one, unseen=None, ignored=None) for one in said
    ]


def csv_of(rows: list[dict[str, Any]]) -> bytes:
    text = io.StringIO(newline="")
    lines = csv.DictWriter(text, list(rows[0]))
    lines.writeheader()
    lines.writerows(rows)
    return text.getvalue().encode()


@pytest.mark.parametrize("name", ["learned", "numbers", "forest"])
def test_csv_and_arrow_say_the_same_as_json(name: str) -> None:
    model, app = MODELS[name], application(MODELS[name])
    heard = ask(app, "POST", "/predict", csv_of(ODD), content_type="text/csv; charset=utf-8")
    assert heard.headers["content-type"].startswith(CSV)
    lines = list(csv.DictReader(io.StringIO(heard.body.decode())))
    assert [line["prediction"] for line in lines] == list(map(str, wanted(model)))
    sink = pa.BufferOutputStream()
    table = pa.table(ROWS)
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table, max_chunksize=2)
    heard = ask(app, "POST", "/predict", sink.getvalue().to_pybytes(), content_type=ARROW)
    assert pa.ipc.open_stream(heard.body).read_all()["prediction"].to_pylist() == wanted(model)
    heard = ask(app, "POST", "/predict", csv_of(ODD), content_type=CSV, accept="text/html, application/json")
    assert [one["prediction"] for one in heard.json["answers"]] == wanted(model)


def test_dates_parts_and_intervals_are_read_as_training_read_them(tmp_path) -> None:
    place = tmp_path / "t.csv"
    rows = [
        f"2024-0{m}-1{d},{d * m},{'ab'[m % 2]},{['no', 'yes'][m > 4]}" for m in range(1, 9) for d in range(3)
    ]
    place.write_text("day,euro,letter,y\n" + "\n".join(rows) + "\n")
    table = tw.read(place)
    model = tw.grow(table, "y")
    app = application(model)
    cells = [dict(zip(("day", "euro", "letter"), row.split(","), strict=False)) for row in rows]
    said = [answer["prediction"] for answer in post(app, "/predict", cells).json["answers"]]
    assert said == model.predict(table).tolist()
    assert "'day'" in post(app, "/predict", {"day": "soon", "euro": 1, "letter": "a"}).error


def test_columns_that_nothing_asks_about_may_be_absent_and_unknown_ones_are_named() -> None:
    tree = tw.grow(tw.example("tennis"), "PlayTennis", "id3")
    app = application(tree)
    heard = post(app, "/predict", {"Outlook": "Foggy", "Humidity": "High", "Wind": None, "Moon\ud800": 1})
    assert heard.json["unseen"] == ["Outlook"]
    assert heard.json["ignored"] == ["Moon\ud800"]
    assert (
        "'Outlook'" in post(app, "/predict", {"outlook": "Rainy", "Humidity": "High", "Wind": "Weak"}).error
    )
    rows = [
        {"Outlook": "Rainy", "Humidity": "High", "Wind": "Weak"},
        {"Outlook": "Rainy", "Humidity": "High"},
    ]
    assert "Row 2 has no 'Wind'" in post(app, "/predict", rows).error


def test_what_the_model_refuses_is_a_sentence() -> None:
    tree = tw.grow(sample(has_gaps=False), "y", missing="error")
    row = dict.fromkeys(tree.schema.names)
    assert "missing" in post(application(tree), "/predict", row).error


def test_an_answer_without_probabilities() -> None:
    tree = tw.grow(tw.example("tennis"), "PlayTennis", "stump")
    app = application(tree, Limits(n_probabilities=1))
    rows = [{"Humidity": "High"}]
    assert post(app, "/predict?probabilities=false", rows).json["answers"] == [
        {"prediction": "No", "leaf": 1}
    ]
    assert "probabilities=false" in post(app, "/predict", rows).error
    assert "'maybe'" in post(app, "/predict?probabilities=maybe", rows).error


@pytest.mark.parametrize("name", ["learned", "numbers", "c45rules", "forest"])
def test_explanations_are_those_of_the_model(name: str) -> None:
    app = application(MODELS[name])
    row = ODD[0]
    found = post(app, "/explain", row).json
    assert found["prediction"] == wanted(MODELS[name])[0]
    if name == "learned":
        assert found == json.loads(json.dumps(MODELS[name].explain(row).to_dict()))
        assert post(app, "/explain?most=0", row).json["alternatives"] == []
        assert "nobody" in post(app, "/explain?wanted=nobody", row).error
    assert "object" in post(app, "/explain", [row]).error
    assert "parameter 'why'" in post(app, "/explain?why=so", row).error


def test_the_description_fits_the_model() -> None:
    tree = tw.grow(tw.example("tennis"), "PlayTennis", "id3")
    found = ask(application(tree, token="x" * 20), "GET", "/schema", authorization="Bearer " + "x" * 20).json
    row = found["components"]["schemas"]["Row"]
    assert row["required"] == ["Outlook", "Humidity", "Wind"]
    assert set(row["properties"]) == {"Outlook", "Temperature", "Humidity", "Wind"}
    assert found["components"]["schemas"]["Answer"]["properties"]["prediction"]["enum"] == list(tree.classes)
    assert found["security"] == [{"token": []}]


def test_counts_tell_rows_classes_and_categories_never_met() -> None:
    tree = tw.grow(tw.example("tennis"), "PlayTennis", "id3")
    app = application(tree)
    post(app, "/predict", [{"Outlook": "Foggy", "Humidity": "High", "Wind": "Weak"}] * 3)
    post(app, "/predict", 7)
    lines = ask(app, "GET", "/metrics").body.decode().splitlines()
    for line in (
        'treewright_requests_total{path="/predict",status="200"} 1',
        'treewright_requests_total{path="/predict",status="400"} 1',
        "treewright_rows_total 3",
        'treewright_unseen_total{column="Outlook"} 3',
        "treewright_model_seconds_count 1",
    ):
        assert line in lines
