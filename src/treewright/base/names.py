"""Names: the one that was meant by a word, and the sentence that says so.

Abbreviations and the names of other programs first, else the most similar spelling.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from treewright.base.advice import ask, refusal

LONGEST_COMPARED = 200  # letters of a name that is looked for among others; difflib takes quadratic time

# A word of ours, and what papers and other programs call it. A name may stand in several rows: the row counts
# whose word is among the choices at hand.
_ALSO_CALLED: Mapping[str, str] = {
    # ways to prune
    "reduced_error": "rep reduced_error_pruning reduced_errors",
    "cost_complexity": "ccp cp ccp_alpha cost_complexity_pruning minimal_cost_complexity weakest_link mccp",
    "cv": "cross_validation cross_validated xval one_se 1se",
    "error_complexity": "ecp error_complexity_pruning",
    "error_based": "ebp error_based_pruning c45 c4.5 j48 quinlan",
    "pessimistic": "pep pessimistic_error pessimistic_error_pruning pessimistic_pruning",
    "mdl": "mdl_pruning minimum_description_length description_length",
    "minimum_error": "mep minimum_error_pruning min_error",
    "critical_value": "cvp critical_value_pruning critical",
    "regularised": "regularization regularisation lambda",
    "none": "no off false unpruned null",
    # criteria
    "gini": "gini_index gini_impurity gini_gain",
    "entropy": "information_gain info_gain infogain ig log_loss cross_entropy deviance information shannon",
    "gain_ratio": "information_gain_ratio info_gain_ratio gr igr",
    "error": "misclassification misclassification_error error_rate zero_one 0_1 accuracy raise fail na_fail",
    "squared_error": "mse friedman_mse variance variance_reduction anova least_squares ls l2 sse rss",
    "absolute_error": "mae l1 lad median",
    "hellinger": "hellinger_distance hddt",
    "twoing": "twoing_rule towing",
    "poisson": "poisson_deviance half_poisson counts",
    "gaussian_entropy": "differential_entropy normal_entropy gaussian log_variance",
    # tests
    "binary": "two_way subset subsets",
    "multiway": "n_ary nary multi_way multi multibranch",
    "one_vs_rest": "ovr ova one_vs_all one_hot onehot one_against_all",
    "linear": "oblique hyperplane multivariate oc1 m5 regression",
    "constant": "mean majority",
    "logistic": "logit lmt",
    # gaps and new categories
    "learned": "native learn default_direction block_propagation",
    "fractional": "fraction fractions weighted probabilistic split_rows",
    "surrogate": "surrogates usesurrogate use_surrogate",
    "own_branch": "separate separate_branch na_branch as_category category",
    "most_common": "mode most_frequent majority impute largest",
    "drop": "skip omit na_omit remove ignore",
    "stop_here": "stop",
    # draws, choices, tests of significance
    "exact": "best",
    "chi_square": "chi2 chisq chi_squared pearson",
    "fisher": "fisher_exact exact",
    # intervals
    "mdlp": "mdl fayyad fayyad_irani entropy supervised",
    "equal_width": "uniform width bins equal_bins",
    "equal_frequency": "quantile quantiles frequency equal_freq",
    # algorithms
    "c4.5": "c45 j48 c5.0 c50 see5 c4_5",
    "cart": "rpart breiman",
    "id3": "id_3",
    "stump": "decision_stump one_level",
    "sliq": "sprint",
    "plain": "sklearn scikit_learn default",
    # probabilities, scores
    "raw": "shares frequencies none",
    "laplace": "add_one laplacian smoothed smoothing laplace_smoothing",
    "m_estimate": "m cestnik mestimate",
    "log_loss": "cross_entropy logloss deviance",
    "mse": "mean_squared_error squared_error",
    "mae": "mean_absolute_error absolute_error",
    "rmse": "root_mean_squared_error",
    "r2": "r_squared rsquared r_2",
    # databases
    "ansi": "standard sql iso sql92",
    "sqlite": "sqlite3",
    "duckdb": "duck motherduck",
    "postgres": "postgresql pg psql",
    "mysql": "mariadb",
    "bigquery": "bq googlesql",
    "spark": "databricks hive sparksql pyspark",
}


def _folded(word: str) -> str:
    """Return a word without case and with one sign between its parts.

    >>> _folded("Cost-Complexity"), _folded("C4.5")
    ('cost_complexity', 'c4_5')
    """
    return "".join(sign if sign.isalnum() else "_" for sign in word.strip().casefold())


def _inverted(also_called: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return our words for each word of others, in the order of the rows.

    >>> _inverted({"gini": "impurity gini-index", "entropy": "impurity"})
    {'impurity': ('gini', 'entropy'), 'gini_index': ('gini',)}
    """
    ours_of: dict[str, dict[str, None]] = {}
    for ours, names in also_called.items():
        for name in names.split():
            ours_of.setdefault(_folded(name), {})[ours] = None
    return {other: tuple(ours) for other, ours in ours_of.items()}


MEANT: Mapping[str, tuple[str, ...]] = MappingProxyType(_inverted(_ALSO_CALLED))


def meant(word: Any, known: Iterable[str]) -> str | None:
    """Return the known word that another one stands for, or that is spelt most like it; None if none is.

    >>> meant("rep", ["cv", "reduced_error"]), meant("C45", ["c4.5", "cart"]), meant("ginni", ["gini"])
    ('reduced_error', 'c4.5', 'gini')
    >>> meant("zzz", ["cv", "reduced_error"])
    """
    choices = list(known)
    folded = {_folded(choice): choice for choice in reversed(choices)}
    asked = _folded(str(word))
    if asked in folded:
        return folded[asked]
    for ours in MEANT.get(asked, ()):
        if ours in choices:
            return ours
    near = nearest(asked, folded)
    return folded[near] if near else None


def nearest(name: object, names: Iterable[str]) -> str | None:
    """Return the known name most like `name` (letter case counts little), or None when none is close.

    >>> nearest("AGE", ["age", "wage"]), nearest("zzz", ["age"])
    ('age', None)
    """
    word = str(name).casefold()
    folded: dict[str, str] = {}
    for known in names:
        folded.setdefault(known.casefold(), known)
    if len(word) > LONGEST_COMPARED:
        return folded.get(word)
    short = [known for known in folded if len(known) <= LONGEST_COMPARED]
    close = difflib.get_close_matches(word, short, n=1)
    return folded[close[0]] if close else None


def hint(word: Any, known: Iterable[str]) -> str:
    """Return "; did you mean ...?" for a word that stands for a known one or is like it, else nothing.

    >>> hint("mse", ["squared_error"]), hint("zzz", ["squared_error"])
    ("; did you mean 'squared_error'?", '')
    """
    found = meant(word, known)
    return f"; did you mean {found!r}?" if found else ""


def choice(name: str, value: Any, known: Collection[str]) -> str:
    """Return the word, if it is one of the known ones.

    >>> choice("vote", "majority", ["majority", "shares"])
    'majority'
    >>> choice("prune", "rep", ["reduced_error"])
    Traceback (most recent call last):
    ValueError: prune='rep' is not one of 'reduced_error'; did you mean 'reduced_error'?
    """
    if isinstance(value, str) and value in known:
        return value
    raise refusal(ask(name, value), f" is not one of {', '.join(map(repr, known))}{hint(value, known)}")
