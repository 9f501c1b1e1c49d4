"""Rules as a program: the first that matches decides, all that match vote, or they share the row."""

from __future__ import annotations

from typing import Any

from treewright.base.numbers import count
from treewright.export.code import program as p
from treewright.export.code.asking import Fields, among, total_of, within
from treewright.export.code.naming import fields_of, head
from treewright.export.code.nested import REFUSED
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
from treewright.rules.several import SumCondition


def rules_program(rules: RuleSet) -> p.Program:
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

    def program(self) -> p.Program:
        ways = {"shares": self.by_shares, "first": self.by_first, "vote": self.by_votes}
        tables, functions = ways[self.rules.decision]()
        return p.Program(
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
        body.append(
            p.If((p.Branch(p.Binary("<", at("TOTAL"), p.Number(ALL_OF_A_ROW)), (p.Return(REFUSED),)),))
        )
        if not self.classes:
            return tables, [*functions, score_function([*body, *labelled(p.Whole(0))], "Answer a row")]
        costs = rules.about.get("costs")
        of_costs, choose = best(self.n_out, costs, ALIKE)
        labels = tuple(class_numbers(rules, every).tolist())
        tables += [p.Table("LABELS", p.WHOLE, labels, "The class of each rule, by its place"), *of_costs]
        own = tuple(labelled(p.Item("LABELS", node_of_out())))
        body.append(p.If((p.Branch(p.Binary("==", at("PARTS"), p.Number(1.0)), own),)))
        body += labelled(p.Call("best", (p.Name("out"),)))
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
        tables.append(
            p.Table("LABELS", p.WHOLE, (*labels, default), "The class of each rule, and the default")
        )
        asked, calls = _first_of(branches)
        body = [*self.cleared(), p.Let("rule", p.WHOLE, p.Whole(-1)), *calls]
        is_open = p.Binary("<", p.Name("rule"), p.Whole(0))
        body.append(
            p.If((p.Branch(is_open, (p.Put(p.Name("rule"), p.Whole(len(rules.rules))),), "no rule matches"),))
        )
        k = p.Name("k")
        place_of = (
            p.plus(p.times(p.Name("rule"), p.Whole(self.n_out)), k) if self.n_out > 1 else p.Name("rule")
        )
        body += [p.Loop("k", p.Whole(self.n_out), (p.Put(p.Item("out", k), p.Item("ANSWERS", place_of)),))]
        body += [p.Put(at("NODE"), p.AsNumber(p.Name("rule"))), *labelled(p.Item("LABELS", p.Name("rule")))]
        answer = score_function(body, "Answer a row: the first rule that matches decides")
        return tables, [*asked, answer]

    def by_votes(self) -> Any:
        """All rules that match vote, else the default."""
        rules = self.rules
        numbers = class_numbers(rules, rules.rules).tolist()
        steps: list[list[Any]] = []
        for place, rule in enumerate(rules.rules):
            if not rule.is_silent:
                target = p.Item("out", p.Whole(numbers[place]))

                def vote(share: Any, target: Any = target, weight: float = rule.vote) -> list[Any]:
                    said = p.Number(weight) if share == p.Number(1.0) else p.times(p.Number(weight), share)
                    return [
                        p.Put(target, p.plus(target, said)),
                        p.Put(at("TOTAL"), p.plus(at("TOTAL"), said)),
                    ]

                steps.append(self.when(rule, place, vote))
        default = rules.classes.index(str(rules.default))
        given = [float(x) for x in laplace(rules, rules.default_distribution).tolist()]
        alone = [p.Put(p.Item("out", p.Whole(k)), p.Number(x)) for k, x in enumerate(given)]
        silent = p.Branch(p.Binary("==", at("TOTAL"), p.Number(0.0)), (*alone, *labelled(p.Whole(default))))
        k = p.Name("k")
        share = p.Binary("/", p.Item("out", k), at("TOTAL"))
        tables, choose = best(self.n_out, None, ALIKE)
        asked, calls = _in_functions(steps)
        body = [
            *self.cleared(),
            *calls,
            p.If((silent,)),
            p.Let("winner", p.WHOLE, p.Call("best", (p.Name("out"),))),
            p.Loop("k", p.Whole(self.n_out), (p.Put(p.Item("out", k), share),)),
            *labelled(p.Name("winner")),
        ]
        answer = score_function(body, "Answer a row: all rules that match vote")
        return tables, [choose, *asked, answer]

    # ---- a rule -------------------------------------------------------------------------------------------

    def refused(self, rule: Rule) -> list[Any]:
        return [p.If((p.Branch(self.any_part(rule), (p.Return(REFUSED, "refused"),)),))]

    def shared(self, rule: Rule, place: int) -> list[Any]:
        def add(share: Any) -> list[Any]:
            return [
                p.Put(at("TOTAL"), p.plus(at("TOTAL"), share)),
                p.Do(p.Call("add", (p.Whole(place), share, p.Name("out")))),
            ]

        return self.when(rule, place, add)

    def when(self, rule: Rule, place: int, then: Any) -> list[Any]:
        """Return code that does something with the share of the row that a rule takes, if it takes some."""
        said = f"rule {place}: {answer_in_words(rule.prediction)}"
        whole = [c for c in rule.conditions if not c.divides]
        parted = [c for c in rule.conditions if c.divides]
        holds = p.all_of([self.passes(condition) for condition in whole])
        if not parted:
            body = then(p.Number(1.0))
            return body if holds is None else [p.If((p.Branch(holds, tuple(body), said),))]
        share = f"share_{place}"
        steps: list[Any] = [p.Let(share, p.NUMBER, p.Number(1.0))]
        for condition in parted:
            ways = self.ways(condition)
            branches = [p.Branch(test, _scaled(share, part)) for test, part in ways if test is not None]
            steps.append(p.If(tuple(branches), (p.Put(p.Name(share), p.Number(0.0)),)))
        is_there = p.Branch(p.Binary(">", p.Name(share), p.Number(0.0)), tuple(then(p.Name(share))), said)
        steps.append(p.If((is_there,)))
        return steps if holds is None else [p.If((p.Branch(holds, tuple(steps)),))]

    def any_part(self, rule: Rule) -> Any:
        """Return whether any share of a row passes all conditions of a rule."""
        tests = [
            p.any_of([test for test, _ in self.ways(c)]) or _never(self.of[c.columns[0]])
            for c in rule.conditions
        ]
        return p.all_of(tests) or p.Binary("==", p.Whole(0), p.Whole(0))

    def passes(self, condition: Condition | SumCondition) -> Any:
        """Return whether a condition that divides no row lets it pass."""
        return p.any_of([test for test, _ in self.ways(condition)]) or _never(self.of[condition.columns[0]])

    def ways_of_sum(self, condition: SumCondition) -> list[tuple[Any, float]]:
        """Return the same for a sum, which is not a number where one of its columns has no value."""
        pairs = [term.in_schema(self.rules.schema) for term in condition.terms]
        total = total_of(pairs, self.by_place)
        is_known = p.Negation(p.IsNaN(total))
        found: list[tuple[Any, float]] = []
        if condition.has_known:
            bounds: list[Any] = [] if condition.low is None else [p.Negation(p.AtMost(total, condition.low))]
            bounds += [] if condition.high is None else [p.AtMost(total, condition.high)]
            found.append((p.all_of([is_known, *bounds]), 1.0))
        new = self.first_is_new(pairs)
        if condition.missing:
            for_it = [proxy for proxy in condition.proxies if proxy.missing]
            gap = p.all_of([p.IsNaN(total), *([] if new is None else [p.Negation(new)])])
            found.append((self.with_proxies(gap, for_it), condition.missing))
        if condition.unseen and new is not None:
            for_it = [proxy for proxy in condition.proxies if proxy.unseen]
            found.append((self.with_proxies(new, for_it), condition.unseen))
        return found

    def first_is_new(self, pairs: list[Any]) -> Any:
        """Return whether a new category is the first cell of a sum that has no value; None: never."""
        known: list[Any] = []
        ways = []
        for place in dict.fromkeys(term.column for term, _ in pairs):
            field = self.by_place[place]
            is_number = field.kind == "number"
            if not is_number and (test := _is_unseen(field)) is not None:
                ways.append(p.all_of([*known, test]))
            known.append(
                p.Negation(p.IsGap(field))
                if is_number
                else p.Negation(p.Binary("<", p.Code(field), p.Whole(0)))
            )
        return p.any_of(ways)

    def ways(self, condition: Condition | SumCondition) -> list[tuple[Any, float]]:
        """Return under which tests a row passes, and with which share: they exclude one another."""
        if isinstance(condition, SumCondition):
            return self.ways_of_sum(condition)
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
                        (self.with_proxies(test, [each for each in proxies if each.unseen]), condition.unseen)
                    )
        if condition.missing:
            for_it = [proxy for proxy in proxies if proxy.missing]
            found.append((self.with_proxies(p.IsGap(field), for_it), condition.missing))
        return [(test, share) for test, share in found if share > 0]

    def places(self, field: p.Field, categories: list[str]) -> list[int]:
        known = {category: i for i, category in enumerate(field.column.categories)}
        return [known[category] for category in categories]

    def with_proxies(self, test: Any, proxies: list[Proxy]) -> Any:
        return p.all_of([test, *(self.proxy(proxy) for proxy in proxies)])

    def proxy(self, proxy: Proxy) -> Any:
        """Return what the first stand-in with an answer says, as a condition."""
        found: list[Any] = []
        before: list[Any] = []
        for test in proxy.tests:
            field = self.of[test.column]
            yes: Any
            silent: Any
            if test.cut is not None:
                sides: tuple[Any, Any] = (p.Below(field, test.cut), p.Above(field, test.cut))
                yes = sides[0] if test.is_below else sides[1]
                silent = p.IsGap(field)
            else:
                yes = among(field, self.places(field, list(test.passing))) if test.passing else None
                both = [*test.passing, *test.failing]
                silent = p.Negation(among(field, self.places(field, both))) if both else None
            if yes is not None:
                found.append(p.all_of([*before, yes]))
            before += [] if silent is None else [silent]
        if proxy.otherwise not in (0, 1):
            raise ValueError("Rules in code have no word for stand-ins that let a part of a row pass.")
        if proxy.otherwise:
            found.append(p.all_of(before) or p.Binary("==", p.Whole(0), p.Whole(0)))
        return p.any_of(found) or p.Binary("==", p.Whole(0), p.Whole(1))


def _never(field: p.Field) -> Any:
    """Return a condition that no cell meets."""
    return p.Many("and", (p.IsGap(field), p.Negation(p.IsGap(field))))


def _is_unseen(field: p.Field) -> Any:
    return None if field.column.edges is not None else p.Binary("==", p.Code(field), p.Whole(-2))


def _scaled(share: str, part: float) -> tuple[Any, ...]:
    return () if part == 1.0 else (p.Put(p.Name(share), p.times(p.Name(share), p.Number(part))),)


MOST_RULES = 40  # of a function: compilers take longer and longer over long ones


def _in_functions(steps: list[list[Any]]) -> tuple[list[p.Function], list[Any]]:
    """Return functions that take so many steps each, and code that calls one after the other."""
    functions, calls = [], []
    for first in range(0, len(steps), MOST_RULES):
        body = [statement for step in steps[first : first + MOST_RULES] for statement in step]
        name = f"rules_from_{first}"
        parameters = (("row", p.ROW), ("out", p.NUMBERS))
        functions.append(
            p.Function(
                name, parameters, p.WHOLE, (*body, p.Return(p.Whole(0))), f"What rules from {first} on say"
            )
        )
        call = p.Call(name, (p.Name("row"), p.Name("out")))
        calls.append(p.If((p.Branch(p.Binary("<", call, p.Whole(0)), (p.Return(REFUSED),)),)))
    return functions, calls


def _first_of(branches: list[tuple[Any, int, Rule]]) -> tuple[list[p.Function], list[Any]]:
    """Return functions that find the first rule that matches, and code that calls them in turn."""
    functions: list[p.Function] = []
    calls: list[Any] = []
    for first in range(0, len(branches), MOST_RULES):
        body = [
            p.If(
                (
                    p.Branch(
                        test, (p.Return(p.Whole(place)),), f"rule {place}: {answer_in_words(rule.prediction)}"
                    ),
                )
            )
            for test, place, rule in branches[first : first + MOST_RULES]
        ]
        name = f"rule_from_{first}"
        about = f"The first rule from {first} on that matches, or -1"
        functions.append(p.Function(name, (("row", p.ROW),), p.WHOLE, (*body, p.Return(p.Whole(-1))), about))
        put = p.Put(p.Name("rule"), p.Call(name, (p.Name("row"),)))
        is_open = p.Binary("<", p.Name("rule"), p.Whole(0))
        calls.append(put if not calls else p.If((p.Branch(is_open, (put,)),)))
    return functions, calls
