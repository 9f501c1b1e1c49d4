"""`treewright example`, and example:NAME wherever a file is given."""

import pytest
from click.testing import CliRunner

import treewright as tw
from treewright.cli.main import main


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.mark.parametrize("name", ["titanic", "tennis", "iris"])
def test_an_example_is_written_as_the_file_it_is(name, tmp_path):
    done = run("example", name)
    assert done.exit_code == 0
    place = tmp_path / f"{name}.csv"
    place.write_text(done.stdout, "utf-8")
    table = tw.read(place)
    assert table.names == tw.example(name).names
    assert table.n_rows == tw.example(name).n_rows


def test_all_examples_are_listed_with_their_targets():
    done = run("example")
    assert "titanic" in done.stdout
    assert "2,201 rows  --target survived" in done.stdout


def test_a_name_that_is_not_known_is_answered_with_the_known_ones():
    for words in (["example", "titanik"], ["fit", "example:titanik", "--target", "survived"]):
        done = run(*words)
        assert done.exit_code == 2
        assert "did you mean 'titanic'?" in done.stderr


def test_a_tree_is_grown_on_an_example():
    done = run("fit", "example:titanic", "--target", "survived")
    assert done.exit_code == 0, done.output
    assert "sex" in done.stdout


def test_the_counts_are_those_of_the_inquiry():
    table = tw.example("titanic")
    survived = table.labels("survived") == "yes"
    assert int(survived.sum()) == 711
    women = table.labels("sex") == "female"
    first = table.labels("class") == "1st"
    assert (int((women & first).sum()), int((women & first & survived).sum())) == (145, 141)
