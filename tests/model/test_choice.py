"""What is chosen, what is shown as chosen, and what is given are the same."""

import numpy as np

import treewright as tw


def noisy(seed: int) -> tw.Table:
    rng = np.random.default_rng(seed)
    x, z = rng.random(400), rng.random(400)
    answer = ((x < 0.3) | (z > 0.8)) ^ (rng.random(400) < 0.04)
    return tw.Table.from_dict({"x": x, "z": z, "y": np.where(answer, "yes", "no")})


def test_of_equal_trees_the_one_that_is_shown_as_chosen_is_the_one_that_is_given() -> None:
    table = noisy(1)
    model = tw.fit(table, "y")
    choice = model.rivals.choice
    equal = [row for row in model.rivals if (row.leaves, row.error) == (choice.leaves, choice.error)]
    assert len(equal) == 1 or choice.prune == "error_based"
    assert model.tree.about["prune"] == choice.prune
    assert eval(model.repeat, {"tw": tw, "data": table}) == model.tree
