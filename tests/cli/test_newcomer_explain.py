"""`treewright explain`, as a newcomer meets it: good answers, and errors that say what to type."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import treewright as tw
from treewright.cli.main import main

DATA = Path(__file__).parents[1] / "data"
TENNIS = str(DATA / "tennis.csv")


def run(*words):
    """Return exit code, standard output and standard error."""
    done = CliRunner().invoke(main, ["explain", *map(str, words)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert "Traceback" not in done.output
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A tree that stops at what it has not seen, one of numbers, a forest, rules."""
    folder = tmp_path_factory.mktemp("models")
    table = tw.read(TENNIS)
    tree = tw.grow(table, target="PlayTennis", recipe="id3")
    tree.save(folder / "tennis.treewright")
    tw.forest.grow(table, target="PlayTennis", n_trees=20).save(folder / "forest.treewright")
    tree.rules().save(folder / "rules.treewright")
    people = tw.Table.from_dict(
        {
            "age": [20, 30, 40, 50, 60, 25, 35, 45],
            "job": ["clerk", "nurse", "clerk", "nurse", "clerk", "nurse", "clerk", "nurse"],
            "pay": [100.0, 200.0, 300.0, 400.0, 350.0, 180.0, 260.0, 390.0],
        }
    )
    tw.grow(people, target="pay", max_leaves=4).save(folder / "pay.treewright")
    return folder


GOLDEN = """\
PlayTennis is No because Outlook = Sunny and Humidity = High.

How sure: 3 of 3 training rows there are No, 100 % (95 % interval 43.9 to 100 %).

Near misses, one column alone:
  Outlook from Sunny to Overcast or Rainy: Yes
  Humidity from High to Normal: Yes

Least change for another answer:
  1. Outlook from Sunny to Overcast: Yes
     (cost 1; 4 of 4 training rows there are Yes, 100 %)
  2. Outlook from Sunny to Rainy: Yes
     (cost 1; 3 of 3 training rows there are Yes, 100 %)
  3. Humidity from High to Normal: Yes
     (cost 1; 2 of 2 training rows there are Yes, 100 %)
"""


def test_the_first_row(models):
    code, out, err = run(models / "tennis.treewright", TENNIS, "--row", 1)
    assert (code, out) == (0, GOLDEN)
    assert err == "Row 1 of tennis.csv: Outlook Sunny, Humidity High, Wind Weak\n"


def test_json_is_for_programs(models):
    code, out, err = run(models / "tennis.treewright", TENNIS, "--row", 1, "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["row_number"], found["prediction"]) == (1, "No")
    assert found["because"] == ["Outlook = Sunny", "Humidity = High"]
    assert found["alternatives"][0]["changes"] == [
        {
            "column": "Outlook",
            "from": "Sunny",
            "to": "Overcast",
            "move": None,
            "cost": 1.0,
            "words": "Overcast",
        }
    ]
    python = tw.load(models / "tennis.treewright").explain(0, tw.read(TENNIS)).to_dict()
    assert {**python, "row_number": 1} == found


def test_what_cannot_change_and_what_costs_more(models):
    words = (models / "tennis.treewright", TENNIS, "--row", 1)
    _, out, _ = run(*words, "--fixed", "Outlook")
    assert (
        "Least change for another answer with Outlook as it is:\n  1. Humidity from High to Normal: Yes"
        in out
    )
    _, out, _ = run(*words, "--fixed", "Outlook, Humidity,Wind")
    assert out.endswith("as they are: none. No change of the other columns can do it.\n")
    _, out, _ = run(*words, "--cost", "Outlook=5", "--most", 1)
    assert "  1. Humidity from High to Normal: Yes\n     (cost 1;" in out
    assert "  2. " not in out
    _, out, _ = run(*words, "--wanted", "No")
    assert "Least change for No:\n  1. no change: it is so already: No" in out


def test_what_if(models):
    code, out, err = run(models / "tennis.treewright", TENNIS, "--row", 1, "--set", "Outlook=Overcast")
    assert (code, out.splitlines()[0]) == (0, "PlayTennis is Yes because Outlook = Overcast.")
    code, out, err = run(
        models / "tennis.treewright", "--set", "Outlook=Sunny", "--set", "Humidity=High", "--set", "Wind=Weak"
    )
    assert (code, out, err) == (0, GOLDEN, "")


def test_numbers(models):
    words = (models / "pay.treewright", "--set", "age=20", "--set", "job=clerk")
    code, out, _ = run(*words, "--wanted", "300:")
    assert code == 0
    assert out.startswith("pay is 100 because age <= 22.5.")
    assert "Least change for at least 300:\n  1. age from 20 to 38 (+18): 325" in out
    code, out, err = run(*words)
    assert "Least change" not in out
    assert err == "What would change that? Say which numbers you want: --wanted LOW:HIGH\n"
    code, _, err = run(*words, "--set", "age=39,5")
    assert (code, err) == (1, "Error: --set age=39,5: 'age' is a number; write one, such as age=39.5\n")
    code, _, err = run(*words, "--wanted", "300")
    assert code == 2
    assert "the tree predicts the number 'pay'; write two ends, such as 200:300" in err


def test_a_category_nobody_has_seen(models):
    code, out, _ = run(models / "tennis.treewright", TENNIS, "--row", 1, "--set", "Outlook=Suny")
    assert code == 0
    assert (
        "Outlook is Suny, which training never had (did you mean Sunny?): the row stopped there, "
        "and the answer is that of all rows that came there."
    ) in out
    assert out.startswith("PlayTennis is Yes: no test was answered")


def test_forests_and_rules_have_an_answer_too(models):
    code, out, _ = run(models / "forest.treewright", TENNIS, "--row", 1)
    assert code == 0
    assert out.startswith("PlayTennis is No: ")
    assert "A forest has no single way to an answer" in out
    code, out, _ = run(models / "rules.treewright", TENNIS, "--row", 1)
    assert (code, out.splitlines()[0]) == (0, "PlayTennis is No because of rule 4:")
    code, _, err = run(models / "forest.treewright", TENNIS, "--row", 1, "--wanted", "Yes")
    assert (code, err) == (
        1,
        "Error: --wanted is for a single tree, whose least change is searched; the model is a forest.\n",
    )


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((TENNIS,), 2, "Which row? {tennis!r} has 14: give --row, from 1 to 14."),
        (
            (TENNIS, "--row", "99"),
            1,
            "Error: --row 99: {tennis!r} has 14 rows, counted from 1 below the header.\n",
        ),
        (
            (TENNIS, "--row", "0"),
            1,
            "Error: --row 0: {tennis!r} has 14 rows, counted from 1 below the header.\n",
        ),
        ((TENNIS, "--row", "first"), 2, "'first' is not a valid integer"),
        ((), 2, "Which row? Give DATA and --row, or the values: --set COL=VALUE."),
        (("--row", "3"), 2, "--row is a row of DATA; say which file: treewright explain MODEL DATA --row N."),
        (("no such.csv", "--row", "1"), 1, "no such.csv"),
        ((TENNIS, "--row", "1", "--fixed", "Outlok"), 1, "no column of this name; did you mean 'Outlook'?"),
        (
            (TENNIS, "--row", "1", "--set", "Outlok=Sunny"),
            1,
            "no column of this name; did you mean 'Outlook'?",
        ),
        ((TENNIS, "--row", "1", "--set", "Sunny"), 2, "'Sunny' is not COL=VALUE, such as --set age=39."),
        ((TENNIS, "--row", "1", "--cost", "Wind=cheap"), 2, "the price must be a number, such as Wind=0.5"),
        ((TENNIS, "--row", "1", "--cost", "Wind=-1"), 1, "costs['Wind'] must be a number of at least 0"),
        (
            (TENNIS, "--row", "1", "--wanted", "yes"),
            1,
            "wanted='yes' is no class of 'PlayTennis'; did you mean 'Yes'?",
        ),
        (
            (TENNIS, "--row", "1", "--set", "Humidity="),
            1,
            "Column 'Humidity' is missing in row 1, and the tree was grown with",
        ),
        (("--set", "Outlook=Sunny"), 1, "The row has no 'Humidity', which is asked about; give it"),
    ],
)
def test_what_is_wrong_is_said_with_the_way_out(models, words, code, message):
    found, out, err = run(models / "tennis.treewright", *words)
    assert (found, out) == (code, "")
    assert message.replace("{tennis!r}", repr(TENNIS)) in err


def test_a_file_that_is_no_model(models, tmp_path):
    code, _, err = run(TENNIS, TENNIS, "--row", 1)
    assert code == 1
    assert "It looks like data; the model comes first: treewright COMMAND MODEL DATA." in err
    code, _, err = run(tmp_path / "none.treewright", TENNIS, "--row", 1)
    assert code == 1
    assert "A model is made by: treewright fit DATA --target COL -o" in err
    cut = tmp_path / "cut.treewright"
    cut.write_text((models / "tennis.treewright").read_text()[:200])
    code, _, err = run(cut, TENNIS, "--row", 1)
    assert code == 1
    assert "it is damaged or cut short" in err


def test_data_that_lacks_a_column(models, tmp_path):
    lines = Path(TENNIS).read_text().splitlines()
    other = tmp_path / "other.csv"
    other.write_text("\n".join([lines[0].replace("Humidity", "humidty"), *lines[1:]]))
    code, out, err = run(models / "tennis.treewright", other, "--row", 1)
    assert (code, out) == (1, "")
    assert (
        "lacks a column that the model needs. No column is named 'Humidity'; did you mean 'humidty'?" in err
    )


def test_one_row_needs_no_number(models, tmp_path):
    one = tmp_path / "one.csv"
    one.write_text("\n".join(Path(TENNIS).read_text().splitlines()[:2]) + "\n")
    code, out, _ = run(models / "tennis.treewright", one)
    assert (code, out) == (0, GOLDEN)


def test_a_terminal_without_our_signs(models):
    words = [
        sys.executable,
        "-m",
        "treewright",
        "explain",
        models / "pay.treewright",
        "--set",
        "age=55",
        "--set",
        "job=clerk",
    ]
    done = subprocess.run(
        words, capture_output=True, env={"PYTHONIOENCODING": "ascii", "PATH": ""}, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode("ascii").startswith("pay is 325 because age > 37.5 and job = clerk.")
    assert b"which spread by +/- " in done.stdout


def test_a_cell_that_was_not_given_says_what_to_type(tmp_path):
    rows = tw.Table.from_dict(
        {"my age": [20, 30, 40, 50] * 3, "it's": list("abab") * 3, "y": list("pqqp") * 3}
    )
    place = tmp_path / "m.treewright"
    tw.grow(rows, target="y").save(place)
    code, _, said = run(place, "--set", "it's=a")
    assert code == 1
    assert "None" not in said
    assert "give it: --set 'my age='VALUE, or --set 'my age=' where it is missing." in " ".join(said.split())
    typed = re.findall(r"--set (\S.*?)(?:VALUE|(?= where))", said)
    for text, value in zip(typed, ("30", ""), strict=True):
        (word,) = shlex.split(text + value)
        assert run(place, "--set", "it's=a", "--set", word)[0] == 0
