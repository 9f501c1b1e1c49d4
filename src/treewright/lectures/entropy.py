"""Entropy and its relatives: the formulas of the lectures on numbers small enough to check."""

from __future__ import annotations

import math

import numpy as np

from treewright import measure
from treewright.lectures.blackboard import divided, entropy_step, entropy_text
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide, shown
from treewright.table import example


def entropy() -> Lesson:
    """Return entropy, cross entropy, divergence and mutual information, each on a small example.

    >>> [round(step.value, 6) for step in entropy().steps[:3]]
    [0.0, 1.0, 0.080793]
    """
    about = (
        "Entropy is the doubt that is left about an answer, in bits. Lectures 000, 002, 003 and 004 define "
        "it; here are their formulas with numbers."
    )
    return Lesson("entropy", "Entropy", about, (*_alone(), *_two_distributions(), *_two_columns()))


def _alone() -> list[Step]:
    part = "Of one distribution"
    coin = [0.99, 0.01]
    uniform = [1, 1, 1, 1, 1]
    nats = float(measure.entropy([9, 5], base=math.e))
    return [
        entropy_step("All examples in one class", [14, 0], Slide("000:372", "0"), part),
        entropy_step("Two classes, equally mixed", [1, 1], Slide("000:374", "1"), part),
        Step(
            "A coin with 99 % heads",
            "-(q·log2(q) + (1 - q)·log2(1 - q))",
            "-(0.99·log2(0.99) + 0.01·log2(0.01))",
            float(measure.entropy(coin)),
            Slide("002:92", "0.08", "-(0.99·log2(0.99) + 0.01·log2(0.01))"),
            part=part,
        ),
        Step(
            "The most there can be, of n outcomes",
            "log2(n)",
            "log2(5)",
            float(measure.entropy(uniform)),
            Slide("004:120", "log n", "log2(5)"),
            "Five outcomes, equally likely.",
            part,
        ),
        Step(
            "The same in nats, by natural logarithms",
            "bits·ln(2)",
            f"{shown(float(measure.entropy([9, 5])))}·ln(2)",
            nats,
            part=part,
            note="Play tennis: 0.940286 bits (lecture 003 names both units).",
        ),
    ]


def _two_distributions() -> list[Step]:
    part = "Of two distributions"
    p, q = [9, 5], [7, 7]
    crossed, apart = float(measure.cross_entropy(p, q)), float(measure.kl_divergence(p, q))
    alone = float(measure.entropy(p))
    return [
        Step(
            "Cross entropy of play tennis (9:5) and a fair coin (7:7)",
            "H(p, q) = -Σ p·log2(q)",
            "-9/14·log2(7/14) - 5/14·log2(7/14)",
            crossed,
            Slide("004:134", "-Σ P(X=i)·log P(Y=i)", "-9/14·log2(7/14) - 5/14·log2(7/14)"),
            part=part,
        ),
        Step(
            "Kullback-Leibler divergence: what is lost by taking q for p",
            "Σ p·log2(p/q)",
            "9/14·log2((9/14)/(7/14)) + 5/14·log2((5/14)/(7/14))",
            apart,
            Slide("004:142", "H(p, q) - H(p)", f"{crossed!r} - {alone!r}"),
            part=part,
        ),
    ]


def _two_columns() -> list[Step]:
    part = "Of two columns: Outlook and PlayTennis"
    counts = np.array(divided(example("tennis"), "Outlook", "PlayTennis").counts)
    of_play, of_outlook = counts.sum(axis=0), counts.sum(axis=1)
    h_play, h_outlook = float(measure.entropy(of_play)), float(measure.entropy(of_outlook))
    h_both = float(measure.entropy(counts.ravel()))
    gain = float(measure.mutual_information(counts))
    left, right = (float(measure.conditional_entropy(table)) for table in (counts, counts.T))
    return [
        entropy_step("H(X): PlayTennis", of_play.tolist(), part=part),
        entropy_step("H(Y): Outlook", of_outlook.tolist(), part=part),
        Step(
            "H(X, Y): both together, six cells",
            "-Σ p·log2(p)",
            entropy_text(counts.ravel().tolist()),
            h_both,
            part=part,
        ),
        Step(
            "Mutual information, the information gain",
            "H(X) - H(X|Y)",
            f"{shown(h_play)} - {shown(left)}",
            gain,
            Slide("004:200", "H(X) - H(X|Y)", f"{h_play!r} - {left!r}"),
            part=part,
        ),
        Step(
            "the other way round",
            "H(Y) - H(Y|X)",
            f"{shown(h_outlook)} - {shown(right)}",
            gain,
            Slide("004:200", "H(Y) - H(Y|X)", f"{h_outlook!r} - {right!r}"),
            part=part,
        ),
        Step(
            "and without any condition",
            "H(X) + H(Y) - H(X, Y)",
            f"{shown(h_play)} + {shown(h_outlook)} - {shown(h_both)}",
            gain,
            Slide("004:209", "H(X) + H(Y) - H(X, Y)", f"{h_play!r} + {h_outlook!r} - {h_both!r}"),
            part=part,
        ),
    ]
