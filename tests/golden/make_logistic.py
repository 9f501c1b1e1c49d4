"""Make logistic.json: weights and standard errors by statsmodels 0.15.0 on three real tables.

Run from the root of the repository, with statsmodels installed: python tests/golden/make_logistic.py
The tables are read and coded with pandas alone, so that nothing of treewright has a part in it.
"""

import json
from functools import cache
from importlib import import_module
from pathlib import Path

import pandas as pd

HERE = Path(__file__).parent
DATA = HERE.parent / "data"
TABLES = {"kyphosis": "Kyphosis", "credit_g": "class", "abalone": "Type"}


@cache
def statsmodels():
    """Return the peer, which only this script needs: tests read what it wrote."""
    return import_module("statsmodels.api")


def design(frame):
    """Return numbers as they are, text as zeros and ones without its first category, and a constant."""
    parts = []
    for name, column in frame.items():
        if pd.api.types.is_numeric_dtype(column):
            parts.append(column.astype(float))
            continue
        categories = sorted(column.unique(), key=lambda text: text.encode())
        parts += [(column == c).astype(float).rename(f"{name}={c}") for c in categories[1:]]
    return statsmodels().add_constant(pd.concat(parts, axis=1))


def fitted(name, target):
    frame = pd.read_csv(DATA / f"{name}.csv", keep_default_na=False)
    x, y = design(frame.drop(columns=target)), frame[target]
    classes = sorted(y.unique())
    codes = y.map({c: i for i, c in enumerate(classes)})
    model = statsmodels().Logit(codes, x) if len(classes) == 2 else statsmodels().MNLogit(codes, x)
    fit = model.fit(method="newton", maxiter=100, tol=1e-10, disp=False)
    return {
        "classes": classes,
        "terms": list(x.columns[1:]),
        "params": pd.DataFrame(fit.params)
        .to_numpy()
        .T.tolist(),  # a row for each class but the first; bias first
        "standard_errors": pd.DataFrame(fit.bse).to_numpy().T.tolist(),
        "log_likelihood": float(fit.llf),
        "p_values": pd.DataFrame(fit.pvalues).to_numpy().T.tolist(),
        "statsmodels": import_module("statsmodels").__version__,
    }


if __name__ == "__main__":
    found = {name: fitted(name, target) for name, target in TABLES.items()}
    (HERE / "logistic.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
