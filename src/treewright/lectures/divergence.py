"""Cross entropy and divergence of densities, and the entropy of one column given another, value by value."""

from __future__ import annotations

import math

from treewright.lectures.lesson import Lesson, Step
from treewright.measure import (
    Gaussian,
    conditional_entropy,
    density_cross_entropy,
    density_entropy,
    density_kl_divergence,
    entropy,
    joint_entropy,
    mutual_information,
    specific_conditional_entropy,
)
from treewright.table import example

P, Q = Gaussian(0.0, 1.0), Gaussian(1.0, 1.0)


def divergence() -> Lesson:
    """Return entropies of two Gaussians in nats, and H(Y | X = v), H(X, Y) of play tennis.

    >>> [step.value for step in divergence().steps if step.what == "D(p||q)"]
    [0.5]
    """
    about = (
        "Lecture 004 draws two Gaussians and the area between them. Here p has mean 0 and q mean 1, both "
        "with the standard deviation 1; natural logarithms. Below, Outlook and PlayTennis, in bits."
    )
    return Lesson("divergence", "Cross entropy and divergence", about, (*_densities(), *_columns()))


def _densities() -> list[Step]:
    part = "Two Gaussians (004:138, 004:142, 004:150)"
    e = math.e
    own, crossed = density_entropy(P, base=e), density_cross_entropy(P, Q, base=e)
    apart, back = density_kl_divergence(P, Q, base=e), density_kl_divergence(Q, Gaussian(0.0, 2.0), base=e)
    area = density_kl_divergence(P.density, Q.density, low=-12, high=12, base=e)
    there = density_kl_divergence(Gaussian(0.0, 2.0), Q, base=e)
    return [
        Step("H(p)", "-∫ p·ln p = ln(2·π·e·sd²)/2", "ln(2·3.141592654·2.718281828)/2", own, part=part),
        Step("H(p, q)", "-∫ p·ln q", "ln(2·3.141592654)/2 + (1 + 1)/2", crossed, part=part),
        Step("D(p||q)", "H(p, q) - H(p)", f"{crossed:.9f} - {own:.9f}", round(apart, 9), part=part),
        Step(
            "The same as an area",
            "∫ p·ln(p/q)",
            "",
            round(area, 9),
            part=part,
            note="By integration, from -12 to 12.",
        ),
        Step("From q to a wider Gaussian, mean 0 and sd 2", "", "", back, part=part),
        Step("And back", "", "", there, note="A divergence is no distance: the two ways differ.", part=part),
    ]


def _columns() -> list[Step]:
    part = "Play tennis (004:192, 004:196, 004:200)"
    table = example("tennis")
    x, y = table.labels("Outlook"), table.labels("PlayTennis")
    values = list(table.schema["Outlook"].categories)
    given = [specific_conditional_entropy(x, y, value) for value in values]
    shares = [float((x == value).sum()) for value in values]
    filled = " + ".join(f"{n:g}/14·{h:.9f}" for n, h in zip(shares, given, strict=True))
    h_x, h_y, both = entropy(x), entropy(y), joint_entropy(x, y)
    steps = [
        Step(f"H(PlayTennis | Outlook = {value})", "", "", h, part=part)
        for value, h in zip(values, given, strict=True)
    ]
    return [
        *steps,
        Step(
            "H(PlayTennis | Outlook)", "Σ P(X = v)·H(Y | X = v)", filled, conditional_entropy(x, y), part=part
        ),
        Step("H(Outlook, PlayTennis)", "", "", both, part=part),
        Step(
            "I",
            "H(X) + H(Y) - H(X, Y)",
            f"{h_x:.9f} + {h_y:.9f} - {both:.9f}",
            mutual_information(x, y),
            part=part,
        ),
    ]
