"""Rules as a program: the first that matches decides, all that match vote, or they share the row."""

from __future__ import annotations

from typing import Any

from treewright.base.numbers import count
from treewright.export.code.asking import Fields, among, within
from treewright.export.code.naming import fields_of
from treewright.export.code.nested import REFUSED
from treewright.export.code.of_tree import head
from treewright.export.code.program import (
    NUMBER,
    NUMBERS,
    ROW,
    WHOLE,
    Above,
    AsNumber,
    Below,
    Binary,
    Branch,
    Call,
    Code,
    Do,
    Field,
    Function,
    If,
    IsGap,
    Item,
    Let,
    Loop,
    Many,
    Name,
    Negation,
    Number,
    Program,
    Put,
    Return,
    Table,
    Whole,
    all_of,
    any_of,
    plus,
    times,
)
from treewright.export.code.scoring import (
    ALIKE,
    adding,
    answers_table,
    at,
    best,
    cleared,
    labelled,
    node_of_out,
    score_function,
    slots_for,
)
from treewright.rules.condition import Condition, Proxy
from treewright.rules.decide import WHOLE as ALL_OF_A_ROW
from treewright.rules.decide import class_numbers, laplace, tree_shares
from treewright.rules.rule import Rule, answer_in_words
from treewright.rules.ruleset import RuleSet


def rules_program(rules: RuleSet) -> Program:
    """Return rules as a program.

    >>> import treewright as tw
    >>> rules = tw.grow(tw.example("tennis"), "PlayTennis", "stump").rules()
    >>> [function.name for function in rules_program(rules).functions]
    ['note', 'add', 'rules_from_0', 'best', 'score']
    """
    return _Rules(rules).program()


class _Rules:
    """The program of one set of rules."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        columns = rules.schema.columns
        self.fields_in_order = fields_of(columns, rules.used_columns.tolist())
        self.by_place: Fields = {field.place: field for field in self.fields_in_order}
        self.of = {field.column.name: field for field in self.fields_in_order}
        self.classes = tuple(rules.classes) if rules.is_classifier else ()
        self.n_out = max(1, len(self.classes))

    def program(self) -> Program:
        ways = {"shares": self.by_shares, "first": self.by_first, "vote": self.by_votes}
        tables, functions = ways[self.rules.decision]()
        return Program(
            about=head(f"{count(len(self.rules), 'rule')}", self.rules, self.fields_in_order),
            model=self.rules,
            classes=self.classes,
            fields=self.fields_in_order,
            slots=slots_for(self.n_out),
            tables=tuple(tables),
            functions=tuple(functions),
        )

    def cleared(self) -> list[Any]:
        return cleared(max(slots_for(self.n_out).values()) + 1 + self.n_out)

    # ---- the three ways -----------------------------------------------------------------------------------

    def by_shares(self) -> Any:
        """Rules of a tree: each takes its share of the row."""
        rules = self.rules
        every = tuple(rule for rule in (*rules.rules, *rules.fallbacks) if rule.prediction is not None)
        shares = tree_shares(rules, every) if self.classes else [[rule.number] for rule in every]
        words = [f"{i}: {answer_in_words(rule.prediction)}" for i, rule in enumerate(every)]
        tables = [answers_table([list(map(float, row)) for row in shares], words, "What each rule says")]
        functions = adding(self.n_out, with_models=False)
        steps = [self.refused(rule) for rule in rules.fallbacks if rule.prediction is None]
        steps += [self.shared(rule, i) for i, rule in enumerate(every)]
        asked, calls = _in_functions(steps)
        functions += asked
        body = [*self.cleared(), *calls]
        body.append(If((Branch(Binary("<", at("TOTAL"), Number(ALL_OF_A_ROW)), (Return(REFUSED),)),)))
        if not self.classes:
            return tables, [*functions, score_function([*body, *labelled(Whole(0))], "Answer a row")]
        costs = rules.about.get("costs")
        of_costs, choose = best(self.n_out, costs, ALIKE)
        labels = tuple(class_numbers(rules, every).tolist())
        tables += [Table("LABELS", WHOLE, labels, "The class of each rule, by its place"), *of_costs]
        own = tuple(labelled(Item("LABELS", node_of_out())))
        body.append(If((Branch(Binary("==", at("PARTS"), Number(1.0)), own),)))
        body += labelled(Call("best", (Name("out"),)))
        return tables, [*functions, choose, score_function(body, "Answer a row")]

    def by_first(self) -> Any:
        """The first rule that matches decides, else the default."""
        rules = self.rules
        branches, answers, labels, words = [], [], [], []
        numbers = class_numbers(rules, rules.rules).tolist() if self.classes else [0] * len(rules.rules)
        for place, rule in enumerate(rules.rules):
            chances = laplace(rules, rule.distribution).tolist() if self.classes else [rule.number]
            answers.append(chances)
            labels.append(numbers[place])
            words.append(f"{place}: {answer_in_words(rule.prediction)}")
            if not rule.is_silent:
                branches.append((self.any_part(rule), place, rule))
        default = rules.classes.index(str(rules.default)) if self.classes else 0
        answers.append(
            laplace(rules, rules.default_distribution).tolist()
            if self.classes
            else [float(rules.default or 0.0)]
        )
        words.append("without a rule")
        tables = [answers_table(answers, words, "What each rule says, and the default")]
        tables.append(Table("LABELS", WHOLE, (*labels, default), "The class of each rule, and the default"))
        asked, calls = _first_of(branches)
        body = [*self.cleared(), Let("rule", WHOLE, Whole(-1)), *calls]
        is_open = Binary("<", Name("rule"), Whole(0))
        body.append(If((Branch(is_open, (Put(Name("rule"), Whole(len(rules.rules))),), "no rule matches"),)))
        k = Name("k")
        place_of = plus(times(Name("rule"), Whole(self.n_out)), k) if self.n_out > 1 else Name("rule")
        body += [Loop("k", Whole(self.n_out), (Put(Item("out", k), Item("ANSWERS", place_of)),))]
        body += [Put(at("NODE"), AsNumber(Name("rule"))), *labelled(Item("LABELS", Name("rule")))]
        answer = score_function(body, "Answer a row: the first rule that matches decides")
        return tables, [*asked, answer]

    def by_votes(self) -> Any:
        """All rules that match vote, else the default."""
        rules = self.rules
        numbers = class_numbers(rules, rules.rules).tolist()
        steps: list[list[Any]] = []
        for place, rule in enumerate(rules.rules):
            if not rule.is_silent:
                target = Item("out", Whole(numbers[place]))

                def vote(share: Any, target: Any = target, weight: float = rule.vote) -> list[Any]:
                    said = Number(weight) if share == Number(1.0) else times(Number(weight), share)
                    return [Put(target, plus(target, said)), Put(at("TOTAL"), plus(at("TOTAL"), said))]

                steps.append(self.when(rule, place, vote))
        default = rules.classes.index(str(rules.default))
        given = [float(x) for x in laplace(rules, rules.default_distribution).tolist()]
        alone = [Put(Item("out", Whole(k)), Number(x)) for k, x in enumerate(given)]
        silent = Branch(Binary("==", at("TOTAL"), Number(0.0)), (*alone, *labelled(Whole(default))))
        k = Name("k")
        share = Binary("/", Item("out", k), at("TOTAL"))
        tables, choose = best(self.n_out, None, ALIKE)
        asked, calls = _in_functions(steps)
        body = [
            *self.cleared(),
            *calls,
            If((silent,)),
            Let("winner", WHOLE, Call("best", (Name("out"),))),
            Loop("k", Whole(self.n_out), (Put(Item("out", k), share),)),
            *labelled(Name("winner")),
        ]
        answer = score_function(body, "Answer a row: all rules that match vote")
        return tables, [choose, *asked, answer]

    # ---- a rule -------------------------------------------------------------------------------------------

    def refused(self, rule: Rule) -> list[Any]:
        return [If((Branch(self.any_part(rule), (Return(REFUSED, "refused"),)),))]

    def shared(self, rule: Rule, place: int) -> list[Any]:
        def add(share: Any) -> list[Any]:
            return [
                Put(at("TOTAL"), plus(at("TOTAL"), share)),
                Do(Call("add", (Whole(place), share, Name("out")))),
            ]

        return self.when(rule, place, add)

    def when(self, rule: Rule, place: int, then: Any) -> list[Any]:
        """Return code that does something with the share of the row that a rule takes, if it takes some."""
        said = f"rule {place}: {answer_in_words(rule.prediction)}"
        whole = [c for c in rule.conditions if not c.divides]
        parted = [c for c in rule.conditions if c.divides]
        holds = all_of([self.passes(condition) for condition in whole])
        if not parted:
            body = then(Number(1.0))
            return body if holds is None else [If((Branch(holds, tuple(body), said),))]
        share = f"share_{place}"
        steps: list[Any] = [Let(share, NUMBER, Number(1.0))]
        for condition in parted:
            ways = self.ways(condition)
            branches = [Branch(test, _scaled(share, part)) for test, part in ways if test is not None]
            steps.append(If(tuple(branches), (Put(Name(share), Number(0.0)),)))
        is_there = Branch(Binary(">", Name(share), Number(0.0)), tuple(then(Name(share))), said)
        steps.append(If((is_there,)))
        return steps if holds is None else [If((Branch(holds, tuple(steps)),))]

    def any_part(self, rule: Rule) -> Any:
        """Return whether any share of a row passes all conditions of a rule."""
        tests = [
            any_of([test for test, _ in self.ways(c)]) or _never(self.of[c.column]) for c in rule.conditions
        ]
        return all_of(tests) or Binary("==", Whole(0), Whole(0))

    def passes(self, condition: Condition) -> Any:
        """Return whether a condition that divides no row lets it pass."""
        return any_of([test for test, _ in self.ways(condition)]) or _never(self.of[condition.column])

    def ways(self, condition: Condition) -> list[tuple[Any, float]]:
        """Return under which tests a row passes, and with which share: they exclude one another."""
        field, proxies = self.of[condition.column], condition.proxies
        found: list[tuple[Any, float]] = []
        if condition.categories is None:
            if condition.has_known:
                found.append((within(field, condition.low, condition.high), 1.0))
        else:
            asking = {category for proxy in proxies for category in proxy.categories}
            plain = [c for c in condition.categories if c not in asking]
            found += [(among(field, self.places(field, plain)), 1.0)] if plain else []
            asked = [(category, 1.0) for category in condition.categories if category in asking]
            shares = [*asked, *condition.partly]
            for category, share in shares:
                for_it = [proxy for proxy in proxies if category in proxy.categories]
                found.append((self.with_proxies(among(field, self.places(field, [category])), for_it), share))
            if condition.unseen:
                test = _is_unseen(field)
                if test is not None:
                    found.append(
                        (self.with_proxies(test, [p for p in proxies if p.unseen]), condition.unseen)
                    )
        if condition.missing:
            for_it = [proxy for proxy in proxies if proxy.missing]
            found.append((self.with_proxies(IsGap(field), for_it), condition.missing))
        return [(test, share) for test, share in found if share > 0]

    def places(self, field: Field, categories: list[str]) -> list[int]:
        known = {category: i for i, category in enumerate(field.column.categories)}
        return [known[category] for category in categories]

    def with_proxies(self, test: Any, proxies: list[Proxy]) -> Any:
        return all_of([test, *(self.proxy(proxy) for proxy in proxies)])

    def proxy(self, proxy: Proxy) -> Any:
        """Return what the first stand-in with an answer says, as a condition."""
        found: list[Any] = []
        before: list[Any] = []
        for test in proxy.tests:
            field = self.of[test.column]
            yes: Any
            silent: Any
            if test.cut is not None:
                sides: tuple[Any, Any] = (Below(field, test.cut), Above(field, test.cut))
                yes = sides[0] if test.is_below else sides[1]
                silent = IsGap(field)
            else:
                yes = among(field, self.places(field, list(test.passing))) if test.passing else None
                both = [*test.passing, *test.failing]
                silent = Negation(among(field, self.places(field, both))) if both else None
            if yes is not None:
                found.append(all_of([*before, yes]))
            before += [] if silent is None else [silent]
        if proxy.otherwise not in (0, 1):
            raise ValueError("Rules in code have no word for stand-ins that let a part of a row pass.")
        if proxy.otherwise:
            found.append(all_of(before) or Binary("==", Whole(0), Whole(0)))
        return any_of(found) or Binary("==", Whole(0), Whole(1))


def _never(field: Field) -> Any:
    """Return a condition that no cell meets."""
    return Many("and", (IsGap(field), Negation(IsGap(field))))


def _is_unseen(field: Field) -> Any:
    return None if field.column.edges is not None else Binary("==", Code(field), Whole(-2))


def _scaled(share: str, part: float) -> tuple[Any, ...]:
    return () if part == 1.0 else (Put(Name(share), times(Name(share), Number(part))),)


MOST_RULES = 40  # of a function: compilers take longer and longer over long ones


def _in_functions(steps: list[list[Any]]) -> tuple[list[Function], list[Any]]:
    """Return functions that take so many steps each, and code that calls one after the other."""
    functions, calls = [], []
    for first in range(0, len(steps), MOST_RULES):
        body = [statement for step in steps[first : first + MOST_RULES] for statement in step]
        name = f"rules_from_{first}"
        parameters = (("row", ROW), ("out", NUMBERS))
        functions.append(
            Function(name, parameters, WHOLE, (*body, Return(Whole(0))), f"What rules from {first} on say")
        )
        call = Call(name, (Name("row"), Name("out")))
        calls.append(If((Branch(Binary("<", call, Whole(0)), (Return(REFUSED),)),)))
    return functions, calls


def _first_of(branches: list[tuple[Any, int, Rule]]) -> tuple[list[Function], list[Any]]:
    """Return functions that find the first rule that matches, and code that calls them in turn."""
    functions: list[Function] = []
    calls: list[Any] = []
    for first in range(0, len(branches), MOST_RULES):
        body = [
            If((Branch(test, (Return(Whole(place)),), f"rule {place}: {answer_in_words(rule.prediction)}"),))
            for test, place, rule in branches[first : first + MOST_RULES]
        ]
        name = f"rule_from_{first}"
        about = f"The first rule from {first} on that matches, or -1"
        functions.append(Function(name, (("row", ROW),), WHOLE, (*body, Return(Whole(-1))), about))
        put = Put(Name("rule"), Call(name, (Name("row"),)))
        is_open = Binary("<", Name("rule"), Whole(0))
        calls.append(put if not calls else If((Branch(is_open, (put,)),)))
    return functions, calls
